// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>

namespace divns {

// A folder for files without names, and how much they hold together. May be used by many threads.
class ScratchSpace {
 public:
  explicit ScratchSpace(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  // The most bytes that the files have held at the same time.
  uint64_t peak() const;

 private:
  friend class SpillFile;
  void add(uint64_t bytes);
  void remove(uint64_t bytes);

  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  uint64_t bytes_ = 0;
  uint64_t peak_ = 0;
};

// A file that grows by what does not fit into memory, and is read by position. It takes no memory.
// It has no name and vanishes with the process, however the process ends. Made with the first
// bytes. Moves, never copies.
class SpillFile {
 public:
  explicit SpillFile(ScratchSpace& space) : space_(&space) {}
  ~SpillFile();
  SpillFile(SpillFile&& other) noexcept;
  SpillFile& operator=(SpillFile&& other) noexcept;

  // Returns where the bytes begin. Not by several threads at the same time.
  uint64_t append(std::span<const std::byte> bytes);
  void read(uint64_t at, std::span<std::byte> out) const;

 private:
  ScratchSpace* space_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

}  // namespace divns
