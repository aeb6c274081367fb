// SPDX-License-Identifier: Apache-2.0
// Reading whole files. Writing is in output_files.cc and staged_folder.cc.
#include "base/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "divns/mapping.h"

namespace divns {
namespace fs = std::filesystem;
namespace {

std::atomic<uint64_t> largest_copied = uint64_t{1} << 30;

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return value_; }

 private:
  int value_;
};

[[noreturn]] void fail_to_read(const std::string& shown, int error) {
  if (error == ELOOP)
    fail(
        "{} is a symbolic link; links inside a folder of divns are not followed. Replace it by "
        "the file itself.",
        shown);
  fail_by_system(error, fmt::format("{} could not be opened: {}.", shown,
                                    std::generic_category().message(error)));
}

// The size of an open file, if it is a regular one.
uint64_t size_of(int descriptor, const std::string& shown) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail_to_read(shown, errno);
  if (S_ISDIR(status.st_mode)) fail("{} is not a plain file but a folder; name a file.", shown);
  if (!S_ISREG(status.st_mode))
    fail("{} is not a plain file but a device, a FIFO or a socket; name a file.", shown);
  return static_cast<uint64_t>(status.st_size);
}

int open_plain_file(const fs::path& path, const std::string& shown, Links links) {
  // A FIFO without a writer would block; O_NONBLOCK has no effect on regular files.
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (links == Links::kRefuse ? O_NOFOLLOW : 0);
  const int descriptor = ::open(path.c_str(), flags);
  if (descriptor < 0) fail_to_read(shown, errno);
  return descriptor;
}

// Fills `out` from the file, all of it.
void read_all(int descriptor, std::span<std::byte> out, const std::string& shown) {
  while (!out.empty()) {
    const ssize_t got = ::read(descriptor, out.data(), out.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      fail_by_system(errno, fmt::format("{} could not be read: {}.", shown,
                                        std::generic_category().message(errno)));
    if (got == 0)
      fail("{} became shorter while it was read; another program is changing it.", shown);
    out = out.subspan(static_cast<size_t>(got));
  }
}

}  // namespace

void copy_files_up_to(uint64_t bytes) {
  largest_copied = bytes;
}

MappedFile::MappedFile(const fs::path& path, Links links, uint64_t most_bytes) {
  const std::string shown = path.string();
  const Descriptor file(open_plain_file(path, shown, links));
  const uint64_t size = size_of(file.get(), shown);
  if (size > most_bytes)
    fail("{} has {} bytes; at most {} are expected of such a file.", shown, size, most_bytes);
  if (size == 0) return;
  const bool copied = size <= largest_copied;
  void* address =
      copied ? ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
             : ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (address == MAP_FAILED)
    fail_by_system(errno, fmt::format("{} could not be mapped: {}.", shown,
                                      std::generic_category().message(errno)));
  data_ = address;
  size_ = size;
  if (!copied) return;
  try {
    read_all(file.get(), {static_cast<std::byte*>(address), size_}, shown);
  } catch (...) {
    ::munmap(data_, size_);
    throw;
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void read_in_pieces(const StagedFolder& folder, std::string_view name,
                    const std::function<void(std::span<const std::byte>)>& take) {
  constexpr uint64_t kPiece = uint64_t{1} << 20;
  const std::string shown = (folder.shown() / fs::path(name)).string();
  const Descriptor file(open_plain_file(folder.path() / name, shown, Links::kRefuse));
  std::vector<std::byte> piece(kPiece);
  for (uint64_t left = size_of(file.get(), shown); left > 0; left -= piece.size()) {
    piece.resize(std::min(kPiece, left));
    read_all(file.get(), piece, shown);
    take(piece);
  }
}

std::string read_text_file(const fs::path& path, Links links) {
  return std::string(MappedFile(path, links, kLargestText).text());
}

bool has_own_file(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return false;
    fail_to_read(path.string(), errno);
  }
  if (S_ISREG(status.st_mode)) return true;
  if (S_ISLNK(status.st_mode)) fail_to_read(path.string(), ELOOP);
  fail("{} is not a plain file; divns did not write it.", path.string());
}

}  // namespace divns
