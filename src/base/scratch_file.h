// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace divns {

// A new empty file in this folder, open for reading and writing. It has no name and vanishes with
// the process. Returns its descriptor.
int open_unnamed_file(const std::filesystem::path& folder);

// Memory whose home is a file on disk, so that it takes physical memory only while it is used. The
// file has no name: it vanishes with the process, however the process ends. The disk space is
// reserved at once, and there is an Error if it does not exist. Moves, never copies.
class ScratchFile {
 public:
  ScratchFile() = default;
  // In this folder, all zero.
  ScratchFile(const std::filesystem::path& folder, size_t bytes);
  ~ScratchFile();
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&& other) noexcept;

  std::span<std::byte> bytes() const { return {static_cast<std::byte*>(data_), size_}; }
  // Starts to read a part that will be needed soon.
  void read_ahead(std::span<const std::byte> part) const;
  // Gives the memory of a part back; its content stays.
  void set_aside(std::span<const std::byte> part) const;

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace divns
