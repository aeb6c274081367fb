// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "data/byte_source.h"

namespace divns {

// The text of another source as UTF-8. kAuto looks at the first bytes and refuses UTF-16. `path` is
// for messages.
std::unique_ptr<ByteSource> transcoded(std::unique_ptr<ByteSource> source, Encoding encoding,
                                       const std::string& path);

}  // namespace divns
