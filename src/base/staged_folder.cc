// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/temporary_names.h"

namespace divns {
namespace fs = std::filesystem;
namespace {

void sync_file(const fs::path& path, const std::string& shown) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) fail_to_write(shown, error);
}

bool is_empty_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error) && fs::is_empty(path, error);
}

// An entry of the folder that is not a regular file of one of these names.
std::optional<std::string> foreign_entry(const fs::path& folder,
                                         const std::vector<std::string>& names) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool known = std::find(names.begin(), names.end(), name) != names.end();
    if (!known || !fs::is_regular_file(entry.symlink_status(error))) return name;
  }
  return std::nullopt;
}

bool is_mount_point(const fs::path& folder) {
  struct stat inside {};
  struct stat above {};
  return ::stat(folder.c_str(), &inside) == 0 &&
         ::stat(folder.parent_path().c_str(), &above) == 0 && inside.st_dev != above.st_dev;
}

}  // namespace

StagedFolder::StagedFolder(const fs::path& target, std::vector<std::string> replaceable)
    : shown_(target.string()), replaceable_(std::move(replaceable)) {
  std::error_code error;
  target_ = fs::weakly_canonical(fs::absolute(target), error);
  if (error) fail_to_write(shown_, error.value());
  while (target_.has_relative_path() && !target_.has_filename()) target_ = target_.parent_path();
  require_replaceable();
  const fs::path parent = target_.parent_path();
  fs::create_directories(parent, error);
  if (error) fail_to_write(shown_, error.value());
  remove_leftovers(parent);
  staging_ = parent / temporary_name();
  if (::mkdir(staging_.c_str(), 0777) != 0) {
    const int reason = errno;
    staging_.clear();
    fail_to_write(shown_, reason);
  }
  lock_ = ::open(staging_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (lock_ >= 0) ::flock(lock_, LOCK_EX | LOCK_NB);
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

void StagedFolder::require_replaceable() const {
  std::error_code error;
  if (!target_.has_relative_path()) fail("{} is the root folder; name a folder inside it.", shown_);
  if (!fs::exists(fs::symlink_status(target_, error))) return;
  if (!fs::is_directory(target_, error)) fail("{} is not a folder; name a folder.", shown_);
  // Neither can be exchanged for another folder: a mount point stays, and the shell would remain in
  // the old folder.
  if (is_mount_point(target_))
    fail("{} is a mount point, which cannot be replaced as a whole; name a folder inside it.",
         shown_);
  if (fs::current_path(error) == target_)
    fail(
        "{} is the current folder, which cannot be replaced as a whole; name another folder, or "
        "call divns from outside it.",
        shown_);
  const auto foreign = foreign_entry(target_, replaceable_);
  if (!foreign) return;
  if (replaceable_.empty())
    fail("{} already holds something ('{}'); name another folder.", shown_, *foreign);
  fail(
      "{} holds '{}', which divns did not write there, so the folder is not replaced; move that "
      "away, or name another folder.",
      shown_, *foreign);
}

void StagedFolder::commit() {
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(staging_, error))
    if (entry.is_regular_file())
      sync_file(entry.path(), (shown_ / entry.path().lexically_relative(staging_)).string());
  if (error) fail_to_write(shown_, error.value());
  sync_folder(staging_);
  move_into_place();
  sync_folder(target_.parent_path());
  remove_old_version();
}

// Afterwards staging_ is the old version, or empty where there is none.
void StagedFolder::move_into_place() {
  std::error_code error;
  const bool fresh = !fs::exists(fs::symlink_status(target_, error)) || is_empty_folder(target_);
  if (fresh) {
    // An empty folder is replaced in one step; one that has been filled meanwhile is not.
    if (::rename(staging_.c_str(), target_.c_str()) == 0) return staging_.clear();
    if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) fail_to_write(shown_, errno);
  }
  require_replaceable();
  if (::renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0)
    return;
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) fail_to_write(shown_, errno);
  // The file system cannot exchange two names: the old version steps aside, and comes back if the
  // new one cannot take its place.
  const fs::path aside = target_.parent_path() / temporary_name();
  if (::rename(target_.c_str(), aside.c_str()) != 0) fail_to_write(shown_, errno);
  if (::rename(staging_.c_str(), target_.c_str()) != 0) {
    const int reason = errno;
    ::rename(aside.c_str(), target_.c_str());
    fail_to_write(shown_, reason);
  }
  staging_ = aside;
}

// Removes the files that may go, by name. Whatever else was put there since the check moves over to
// the new version.
void StagedFolder::remove_old_version() {
  const fs::path old = std::exchange(staging_, {});
  if (old.empty()) return;
  for (const std::string& name : replaceable_) ::unlink((old / name).c_str());
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(old, ignored))
    ::renameat2(AT_FDCWD, entry.path().c_str(), AT_FDCWD,
                (target_ / entry.path().filename()).c_str(), RENAME_NOREPLACE);
  ::rmdir(old.c_str());
}

}  // namespace divns
