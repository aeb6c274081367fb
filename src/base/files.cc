// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/check.h"

namespace divns {
namespace fs = std::filesystem;
namespace {

std::string reason(int error) {
  return std::generic_category().message(error);
}

[[noreturn]] void fail_to_write(const fs::path& path, int error) {
  const char* advice =
      error == ENOSPC || error == EDQUOT ? " Free some space or choose another place;" : "";
  fail("{} could not be written: {}.{} nothing was left behind.", path.string(), reason(error),
       advice);
}

void sync_folder(const fs::path& folder) {
  const int descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // some file systems do not open folders; the rename itself stands
  ::fsync(descriptor);
  ::close(descriptor);
}

void sync_file(const fs::path& path, const fs::path& shown) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) fail_to_write(shown, error);
}

fs::path temporary_name(const fs::path& path) {
  fs::path name = path;
  name += fmt::format(".tmp-{}", ::getpid());
  return name;
}

}  // namespace

MappedFile::MappedFile(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail("{} could not be opened: {}.", path.string(), reason(errno));
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    fail("{} is not a plain file.", path.string());
  }
  size_ = static_cast<size_t>(status.st_size);
  if (size_ > 0) {
    void* address = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor, 0);
    const int error = errno;
    ::close(descriptor);
    if (address == MAP_FAILED) fail("{} could not be mapped: {}.", path.string(), reason(error));
    data_ = address;
  } else {
    ::close(descriptor);
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<void*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

AtomicFile::AtomicFile(fs::path path, Sync sync)
    : path_(std::move(path)), temporary_(temporary_name(path_)), sync_(sync) {
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail_to_write(path_, errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(path_, errno);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
}

void AtomicFile::commit() {
  // What is synced later can start on its way now.
  if (sync_ == Sync::kWithFolder)
    ::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE);
  else if (::fsync(descriptor_) != 0)
    fail_to_write(path_, errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    const int error = errno;
    ::unlink(temporary_.c_str());
    fail_to_write(path_, error);
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary_.c_str());
    fail_to_write(path_, error);
  }
  if (sync_ == Sync::kAtOnce) sync_folder(path_.parent_path());
}

StagedFolder::StagedFolder(fs::path target, bool replace)
    : target_(std::move(target)), replace_(replace) {
  while (target_.has_relative_path() && !target_.has_filename()) target_ = target_.parent_path();
  std::error_code error;
  if (fs::exists(target_, error) && !(fs::is_directory(target_) && fs::is_empty(target_)) &&
      !replace_)
    fail("{} already holds something; name another folder, or say that it may be replaced.",
         target_.string());
  fs::create_directories(target_.has_parent_path() ? target_.parent_path() : fs::path("."), error);
  if (error) fail_to_write(target_, error.value());
  staging_ = temporary_name(target_);
  fs::remove_all(staging_, error);
  fs::create_directory(staging_, error);
  if (error) fail_to_write(target_, error.value());
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!staging_.empty()) fs::remove_all(staging_, ignored);
}

void StagedFolder::commit() {
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(staging_, error))
    if (entry.is_regular_file())
      sync_file(entry.path(), target_ / entry.path().lexically_relative(staging_));
  if (error) fail_to_write(target_, error.value());
  sync_folder(staging_);
  // Where there is an older folder the two change names in one step, and what is then staged goes.
  const bool exchanged =
      ::renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0;
  if (!exchanged) {
    fs::remove_all(target_, error);
    fs::rename(staging_, target_, error);
    if (error) fail_to_write(target_, error.value());
  }
  sync_folder(target_.parent_path());
  fs::remove_all(staging_, error);
  staging_.clear();
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

std::string read_text_file(const fs::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace divns
