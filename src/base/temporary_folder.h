// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace divns {

// A new folder with an unpredictable name in the system's folder for temporary files. It is removed
// with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;  // empty after a move
};

}  // namespace divns
