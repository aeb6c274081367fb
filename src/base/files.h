// SPDX-License-Identifier: Apache-2.0
// Reading by memory map and writing without ever leaving a half-written file: temporary name, sync,
// rename.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace divns {

// A whole file, read-only, mapped. Moves, never copies.
class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }

 private:
  const void* data_ = nullptr;
  size_t size_ = 0;
};

// When what was written is made to reach the disk: at once, or when the StagedFolder that the file
// is a part of is committed, which is quicker for several files.
enum class Sync { kAtOnce, kWithFolder };

// A file being written under a temporary name. commit() syncs and renames it; without commit
// nothing stays behind.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path, Sync sync = Sync::kAtOnce);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  template <class T>
  void write_array(std::span<const T> values) {
    write(std::as_bytes(values));
  }
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  Sync sync_;
  int descriptor_ = -1;
};

// A folder being filled beside its final name. commit() syncs its files and renames it into place,
// where an older one stays until then; without commit it vanishes. The constructor refuses a target
// that holds something already, unless `replace` says that it may go.
class StagedFolder {
 public:
  StagedFolder(std::filesystem::path target, bool replace);
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& path() const { return staging_; }
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path staging_;
  bool replace_;
};

void write_file_atomically(const std::filesystem::path& path, std::string_view text);
std::string read_text_file(const std::filesystem::path& path);

}  // namespace divns
