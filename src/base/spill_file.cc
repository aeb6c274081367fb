// SPDX-License-Identifier: Apache-2.0
#include "base/spill_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/scratch_file.h"

namespace divns {

uint64_t ScratchSpace::peak() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

void ScratchSpace::add(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ += bytes;
  peak_ = std::max(peak_, bytes_);
}

void ScratchSpace::remove(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ -= bytes;
}

SpillFile::~SpillFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  space_->remove(size_);
}

SpillFile::SpillFile(SpillFile&& other) noexcept
    : space_(other.space_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(std::exchange(other.size_, 0)) {}

SpillFile& SpillFile::operator=(SpillFile&& other) noexcept {
  std::swap(space_, other.space_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

uint64_t SpillFile::append(std::span<const std::byte> bytes) {
  if (descriptor_ < 0) descriptor_ = open_unnamed_file(space_->folder());
  const uint64_t begin = size_;
  for (auto rest = bytes; !rest.empty();) {
    const uint64_t at = begin + (bytes.size() - rest.size());
    const ssize_t written = ::pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = written < 0 ? errno : EIO;
      fail_by_system(
          error, fmt::format("a scratch file in {} could not be written: {}. Choose "
                             "another folder with --scratch.",
                             space_->folder().string(), std::generic_category().message(error)));
    }
    rest = rest.subspan(static_cast<size_t>(written));
  }
  size_ += bytes.size();
  space_->add(bytes.size());
  return begin;
}

void SpillFile::read(uint64_t at, std::span<std::byte> out) const {
  DIVNS_ASSERT(at + out.size() <= size_);
  while (!out.empty()) {
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      const int error = got < 0 ? errno : EIO;
      fail_by_system(
          error, fmt::format("a scratch file in {} could not be read: {}.",
                             space_->folder().string(), std::generic_category().message(error)));
    }
    at += static_cast<uint64_t>(got);
    out = out.subspan(static_cast<size_t>(got));
  }
}

}  // namespace divns
