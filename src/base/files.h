// SPDX-License-Identifier: Apache-2.0
// The one way to read whole files and to write files and folders. The rules are in
// docs/reliability.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"

namespace divns {

// Whether a symbolic link at the end of a path is followed. Folders that divns writes may come from
// strangers, so links inside them are refused.
enum class Links { kFollow, kRefuse };

class StagedFolder;

// The bytes of a whole regular file. The file is opened once, without waiting for a FIFO. Files of
// at most 1 GiB (divns/mapping.h) are copied into memory: what was verified is what is used,
// whatever happens to the file later. Larger files are mapped. Moves, never copies.
class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const std::filesystem::path& path, Links links = Links::kFollow,
                      uint64_t most_bytes = UINT64_MAX);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return {static_cast<const std::byte*>(data_), size_}; }
  std::string_view text() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

// Documents and lists; what is larger is refused.
inline constexpr uint64_t kLargestText = uint64_t{256} << 20;
std::string read_text_file(const std::filesystem::path& path, Links links = Links::kFollow);

// Reads a file of a folder that is being staged, piece by piece, without keeping it.
void read_in_pieces(const StagedFolder& folder, std::string_view name,
                    const std::function<void(std::span<const std::byte>)>& take);

// True if the path exists inside a folder of divns, as a regular file. Anything else of this name
// (a link, a FIFO, a folder) is an Error.
bool has_own_file(const std::filesystem::path& path);

// When what was written is made to reach the disk: at once, or when the StagedFolder that the file
// is a part of is committed, which is quicker for several files.
enum class Sync { kAtOnce, kWithFolder };

// What a path is, and so what may happen to a thing that is there already.
enum class Target {
  kOwned,  // a name inside a folder of divns: a regular file is replaced, anything else refused
  kNamed,  // a file that the user named: replaced as `cp` would; links are followed; devices, FIFOs
           // and sockets are written through
  kNew,    // nothing may be there
};

// A file being written under a temporary name that nobody can guess. commit() syncs it and renames
// it; without commit the old file stays and nothing else does.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& path, Sync sync = Sync::kAtOnce,
                      Target target = Target::kOwned);
  AtomicFile(const std::filesystem::path& path, Target target)
      : AtomicFile(path, Sync::kAtOnce, target) {}
  // A file of a folder that is being staged. Messages show its final path.
  AtomicFile(const StagedFolder& folder, std::string_view name);
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
  void open_through(const std::filesystem::path& path);
  void open_temporary(const std::filesystem::path& path, Target target);
  [[noreturn]] void give_up(int error);

  std::string shown_;  // the path as it was given
  std::string name_;
  std::string temporary_;  // empty where the target is written through
  Sync sync_;
  int folder_ = -1;
  int descriptor_ = -1;
};

void write_file_atomically(const std::filesystem::path& path, std::string_view text,
                           Target target = Target::kOwned);

// A folder being filled beside its final name. commit() syncs its files and renames it into place;
// without commit it vanishes. `replaceable` names the files of an older version, which may go once
// the new one is in place. A target that holds anything else is refused, now and at the commit.
class StagedFolder {
 public:
  explicit StagedFolder(const std::filesystem::path& target,
                        std::vector<std::string> replaceable = {});
  ~StagedFolder();
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& path() const { return staging_; }
  // The target as it was given, for messages.
  const std::string& shown() const { return shown_; }
  void commit();

 private:
  void require_replaceable() const;
  void move_into_place();
  void remove_old_version();

  std::string shown_;             // the target as it was given
  std::filesystem::path target_;  // absolute, links resolved
  std::filesystem::path staging_;
  std::vector<std::string> replaceable_;
  int lock_ = -1;  // held while this process lives, so that others know the folder is in use
};

// Makes a folder, with the folders above it, or accepts one that is there.
void make_folder(const std::filesystem::path& path);
// The same for a folder inside a folder of divns: a link in its place is refused.
void make_own_folder(const std::filesystem::path& path);

// Names that divns gives to what it is writing. What killed processes left in a folder is removed
// by remove_leftovers; files of processes that are alive are locked and stay.
bool is_temporary_name(std::string_view name);
void remove_leftovers(const std::filesystem::path& folder);

// Bytes of a mapped file as the values that were written there, which lie where such values may.
template <class T>
const T* values_at(const std::byte* bytes) {
  DIVNS_ASSERT(reinterpret_cast<uintptr_t>(bytes) % alignof(T) == 0);
  return static_cast<const T*>(static_cast<const void*>(bytes));
}

}  // namespace divns
