// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace divns {

// Files of at most this many bytes (1 GiB if this function is not called) are copied into memory
// when they are opened. Larger ones are mapped, which takes no memory of its own. If another
// program makes a mapped file shorter while it is used, the operating system sends SIGBUS, which
// ends the program. A program that must survive this copies files of every size:
//
//   divns::copy_files_up_to(UINT64_MAX);
//
// Holds for files opened from now on, in any thread.
void copy_files_up_to(uint64_t bytes);

}  // namespace divns
