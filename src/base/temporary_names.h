// SPDX-License-Identifier: Apache-2.0
// For the files that write: names for what is not finished, and sentences about the system.
#pragma once

#include <filesystem>
#include <string>

namespace divns {

// ".divns-tmp-" and 16 random hexadecimal digits.
std::string temporary_name();
[[noreturn]] void fail_to_write(const std::string& shown, int error);
// Makes a rename inside this folder survive a crash of the machine.
void sync_folder(int descriptor);
void sync_folder(const std::filesystem::path& folder);

}  // namespace divns
