// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "base/check.h"

namespace divns {
namespace {

// madvise() takes whole pages. `rounded_up`: all pages that the part touches, else those inside it.
void advise(std::span<const std::byte> part, int advice, bool rounded_up) {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(part.data());
  const uintptr_t end = begin + part.size();
  const uintptr_t first = rounded_up ? begin / page * page : (begin + page - 1) / page * page;
  const uintptr_t last = rounded_up ? (end + page - 1) / page * page : end / page * page;
  // Advice may be ignored, so its errors may be too.
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, advice);  // NOLINT
}

}  // namespace

int open_unnamed_file(const std::filesystem::path& folder) {
  std::string name = (folder / "divns-scratch-XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0)
    fail_by_system(errno, fmt::format("no scratch file can be made in {}: {}. Choose another "
                                      "folder with --scratch.",
                                      folder.string(), std::generic_category().message(errno)));
  ::unlink(name.c_str());
  return descriptor;
}

ScratchFile::ScratchFile(const std::filesystem::path& folder, size_t bytes) : size_(bytes) {
  if (bytes == 0) return;
  const int descriptor = open_unnamed_file(folder);
  // A write to a mapping cannot report a full disk, so the space is reserved before.
  const int error = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  if (error == 0) data_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  const int reason = error != 0 ? error : errno;
  ::close(descriptor);
  if (error != 0 || data_ == MAP_FAILED) {
    data_ = nullptr;
    fail_by_system(reason,
                   fmt::format("a scratch file of {} bytes cannot be made in {}: {}. "
                               "Choose another folder with --scratch.",
                               bytes, folder.string(), std::generic_category().message(reason)));
  }
}

ScratchFile::~ScratchFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

ScratchFile& ScratchFile::operator=(ScratchFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void ScratchFile::read_ahead(std::span<const std::byte> part) const {
  advise(part, MADV_WILLNEED, true);
}

void ScratchFile::set_aside(std::span<const std::byte> part) const {
  advise(part, MADV_DONTNEED, false);
}

}  // namespace divns
