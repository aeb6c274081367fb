// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/temporary_names.h"

namespace divns {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kTemporaryPrefix = ".divns-tmp-";
constexpr size_t kTemporaryDigits = 16;

// Where a chain of links leads to. Links of /proc stand for open files, not for paths; they are
// left as they are.
fs::path without_links(fs::path path) {
  constexpr int kMostLinks = 40;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    if (path.native().starts_with("/proc/") || !fs::is_symlink(path, error)) return path;
    const fs::path next = fs::read_symlink(path, error);
    if (error) return path;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  fail_to_write(path.string(), ELOOP);
}

int open_folder(const fs::path& folder) {
  return ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// Removes what a killed process left under a temporary name. A living process holds its lock.
void remove_leftover(int folder, const char* name) {
  struct stat status {};
  if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  const bool is_folder = S_ISDIR(status.st_mode);
  if ((!is_folder && !S_ISREG(status.st_mode)) || status.st_uid != ::geteuid()) return;
  const int descriptor = ::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    if (is_folder) {
      std::error_code ignored;
      // Through the descriptor, so that it is this folder whatever its name stands for by now.
      for (const auto& entry :
           fs::directory_iterator("/proc/self/fd/" + std::to_string(descriptor), ignored))
        fs::remove_all(entry.path(), ignored);
    }
    ::unlinkat(folder, name, is_folder ? AT_REMOVEDIR : 0);
  }
  ::close(descriptor);
}

}  // namespace

std::string temporary_name() {
  uint64_t word = 0;
  if (::getrandom(&word, sizeof word, 0) != sizeof word)
    throw MachineError("the system gives no random numbers for the name of a temporary file.");
  return fmt::format("{}{:016x}", kTemporaryPrefix, word);
}

bool is_temporary_name(std::string_view name) {
  return name.starts_with(kTemporaryPrefix) &&
         name.size() == kTemporaryPrefix.size() + kTemporaryDigits &&
         name.find_first_not_of("0123456789abcdef", kTemporaryPrefix.size()) ==
             std::string_view::npos;
}

void remove_leftovers(const fs::path& folder) {
  const int descriptor = open_folder(folder);
  if (descriptor < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(descriptor), ::closedir);
  if (!entries) {
    ::close(descriptor);
    return;
  }
  std::vector<std::string> found;
  while (const dirent* entry = ::readdir(entries.get()))  // NOLINT(concurrency-mt-unsafe)
    if (is_temporary_name(entry->d_name)) found.emplace_back(entry->d_name);
  for (const std::string& name : found) remove_leftover(descriptor, name.c_str());
}

void fail_to_write(const std::string& shown, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  fail_by_system(error, fmt::format("{} could not be written: {}.{} What was there before is "
                                    "unchanged.",
                                    shown, std::generic_category().message(error),
                                    full ? " Free some space or choose another place." : ""));
}

void sync_folder(int descriptor) {
  // Some file systems do not sync folders; the rename itself stands.
  ::fsync(descriptor);
}

void sync_folder(const fs::path& folder) {
  const int descriptor = open_folder(folder);
  if (descriptor < 0) return;
  sync_folder(descriptor);
  ::close(descriptor);
}

AtomicFile::AtomicFile(const fs::path& path, Sync sync, Target target)
    : shown_(path.string()), sync_(sync) {
  if (target != Target::kNamed) {
    open_temporary(path, target);
    return;
  }
  const fs::path end = without_links(path);
  struct stat status {};
  const bool there = ::stat(end.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) fail_to_write(shown_, EISDIR);
  if (end.native().starts_with("/proc/") || (there && !S_ISREG(status.st_mode))) {
    open_through(end);
    return;
  }
  remove_leftovers(end.parent_path());
  open_temporary(end, target);
  // As `cp` does: the new content has the permissions of the old file.
  if (there) static_cast<void>(::fchmod(descriptor_, status.st_mode & 07777));
}

AtomicFile::AtomicFile(const StagedFolder& folder, std::string_view name)
    : shown_((folder.shown() / fs::path(name)).string()), sync_(Sync::kWithFolder) {
  open_temporary(folder.path() / name, Target::kOwned);
}

// A device or a FIFO, or the file behind /dev/stdout: nothing is truncated or replaced.
void AtomicFile::open_through(const fs::path& path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0) fail_to_write(shown_, errno);
}

void AtomicFile::open_temporary(const fs::path& path, Target target) {
  name_ = path.filename().string();
  if (name_.empty() || name_ == "." || name_ == "..") fail_to_write(shown_, EISDIR);
  folder_ = open_folder(path.parent_path());
  if (folder_ < 0) fail_to_write(shown_, errno);
  struct stat status {};
  const bool there = ::fstatat(folder_, name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (there && (target == Target::kNew || !S_ISREG(status.st_mode))) {
    ::close(std::exchange(folder_, -1));
    if (target == Target::kNew)
      fail("{} exists already; choose another name, or remove it first.", shown_);
    fail(
        "{} is a link, a folder or a device where divns expects a file of its own; remove it, or "
        "choose another folder.",
        shown_);
  }
  // Somebody who cleans up may take the file between its creation and its lock: then another one.
  for (int attempt = 0; attempt < 16; ++attempt) {
    temporary_ = temporary_name();
    descriptor_ = ::openat(folder_, temporary_.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno == EEXIST) continue;
    if (descriptor_ < 0) {
      const int error = errno;
      ::close(std::exchange(folder_, -1));
      fail_to_write(shown_, error);
    }
    ::flock(descriptor_, LOCK_EX | LOCK_NB);
    if (::fstat(descriptor_, &status) == 0 && status.st_nlink > 0) return;
    ::close(std::exchange(descriptor_, -1));
  }
  ::close(std::exchange(folder_, -1));
  fail_to_write(shown_, EEXIST);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) {
    if (!temporary_.empty()) ::unlinkat(folder_, temporary_.c_str(), 0);
    ::close(descriptor_);
  }
  if (folder_ >= 0) ::close(folder_);
}

void AtomicFile::give_up(int error) {
  if (!temporary_.empty()) ::unlinkat(folder_, temporary_.c_str(), 0);
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  fail_to_write(shown_, error);
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) give_up(errno);
    if (written == 0) give_up(EIO);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

void AtomicFile::commit() {
  const bool through = temporary_.empty();
  // What is synced later can start on its way now. Pipes and devices cannot be synced.
  if (sync_ == Sync::kWithFolder)
    ::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);
  else if (::fsync(descriptor_) != 0 && !(through && (errno == EINVAL || errno == EROFS)))
    give_up(errno);
  if (!through && ::renameat(folder_, temporary_.c_str(), folder_, name_.c_str()) != 0)
    give_up(errno);
  temporary_.clear();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_to_write(shown_, errno);
  if (!through && sync_ == Sync::kAtOnce) sync_folder(folder_);
}

void write_file_atomically(const fs::path& path, std::string_view text, Target target) {
  AtomicFile file(path, target);
  file.write(text);
  file.commit();
}

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && !fs::is_directory(path, error)) error = {ENOTDIR, std::generic_category()};
  if (error)
    fail_by_system(error.value(),
                   fmt::format("{} cannot be made: {}.", path.string(), error.message()));
}

void make_own_folder(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode))
    fail(
        "{} is a link or a file where divns expects a folder of its own; remove it, or choose "
        "another folder.",
        path.string());
  make_folder(path);
}

}  // namespace divns
