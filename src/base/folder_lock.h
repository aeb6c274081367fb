// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace divns {

// Keeps other processes that ask for the same folder out, for as long as it lives. The system lets
// go of it when the process ends, however that happens.
class FolderLock {
 public:
  // Throws Error if another process has it.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace divns
