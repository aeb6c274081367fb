// SPDX-License-Identifier: Apache-2.0
#include "data/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/check.h"
#include "data/transcoder.h"

namespace divns {
namespace {

constexpr size_t kInputBuffer = size_t{1} << 18;

class PlainFile : public ByteSource {
 public:
  PlainFile(const std::string& path, Input input) : path_(path) {
    const int no_waiting = input == Input::kFile ? O_NONBLOCK : 0;
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | no_waiting);
    if (descriptor_ < 0) fail_with(errno);
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0) require_kind(status.st_mode, input);
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~PlainFile() override { ::close(descriptor_); }
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;

  size_t read(char* out, size_t size) override {
    if (peeked_.empty()) return read_file(out, size);
    const size_t count = peeked_.copy(out, size);
    peeked_.erase(0, count);
    return count;
  }
  // The first bytes, fewer if there are no more. They are kept, since a pipe cannot go back.
  std::string_view peek(size_t size) {
    peeked_.resize(size);
    size_t filled = 0;
    for (size_t got = 1; got > 0 && filled < size; filled += got)
      got = read_file(peeked_.data() + filled, size - filled);
    peeked_.resize(filled);
    return peeked_;
  }
  const std::string& path() const { return path_; }

 private:
  void require_kind(mode_t mode, Input input) const {
    const bool folder = S_ISDIR(mode);
    if (!folder && (input == Input::kFileOrStream || S_ISREG(mode))) return;
    ::close(descriptor_);
    if (folder) fail("{} is a folder; name the file inside it.", path_);
    fail("{} is not a plain file but a device, a FIFO or a socket; name a file.", path_);
  }
  size_t read_file(char* out, size_t size) const {
    for (;;) {
      const ssize_t got = ::read(descriptor_, out, size);
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR) fail_with(errno);
    }
  }
  [[noreturn]] void fail_with(int error) const {
    fail_by_system(error, fmt::format("{} could not be read: {}.", path_,
                                      std::generic_category().message(error)));
  }

  std::string path_;
  int descriptor_ = -1;
  std::string peeked_;
};

class GzipFile : public ByteSource {
 public:
  explicit GzipFile(std::unique_ptr<PlainFile> file)
      : file_(std::move(file)), input_(kInputBuffer) {
    constexpr int kGzipOnly = 15 + 16;  // the largest window, gzip header expected
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GzipFile() override { inflateEnd(&stream_); }
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  size_t read(char* out, size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (stream_.avail_in == 0 && !refill()) {
        if (inside_member_) fail("{} is a truncated gzip file; fetch it again.", file_->path());
        return 0;
      }
      inside_member_ = true;
      const int state = inflate(&stream_, Z_NO_FLUSH);
      if (state == Z_STREAM_END) {  // another member may follow
        inside_member_ = false;
        inflateReset(&stream_);
      } else if (state != Z_OK && state != Z_BUF_ERROR) {
        fail("{} is a damaged gzip file ({}); fetch it again.", file_->path(),
             stream_.msg != nullptr ? stream_.msg : "invalid data");
      }
    }
    return size - stream_.avail_out;
  }

 private:
  bool refill() {
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(file_->read(input_.data(), input_.size()));
    return stream_.avail_in > 0;
  }

  std::unique_ptr<PlainFile> file_;
  std::vector<char> input_;
  z_stream stream_{};
  bool inside_member_ = false;
};

class ZstdFile : public ByteSource {
 public:
  explicit ZstdFile(std::unique_ptr<PlainFile> file)
      : file_(std::move(file)), input_(kInputBuffer) {
    stream_ = ZSTD_createDStream();
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdFile() override { ZSTD_freeDStream(stream_); }
  ZstdFile(const ZstdFile&) = delete;
  ZstdFile& operator=(const ZstdFile&) = delete;

  size_t read(char* out, size_t size) override {
    ZSTD_outBuffer output = {out, size, 0};
    while (output.pos == 0) {
      if (view_.pos == view_.size) {
        view_ = {input_.data(), file_->read(input_.data(), input_.size()), 0};
        if (view_.size == 0) {
          if (expected_ != 0) fail("{} is a truncated zstd file; fetch it again.", file_->path());
          return 0;
        }
      }
      expected_ = ZSTD_decompressStream(stream_, &output, &view_);
      if (ZSTD_isError(expected_))
        fail("{} is a damaged zstd file ({}); fetch it again.", file_->path(),
             ZSTD_getErrorName(expected_));
    }
    return output.pos;
  }

 private:
  std::unique_ptr<PlainFile> file_;
  std::vector<char> input_;
  ZSTD_DStream* stream_ = nullptr;
  ZSTD_inBuffer view_ = {nullptr, 0, 0};
  size_t expected_ = 0;  // what zstd still wants before the frame is whole
};

}  // namespace

namespace {

// A frame of zstd, or a frame that is to be skipped, as pzstd and seekable files begin.
bool is_zstd(std::string_view magic) {
  return magic == "\x28\xb5\x2f\xfd" || (magic.size() == 4 && magic.ends_with("\x2a\x4d\x18") &&
                                         (static_cast<uint8_t>(magic[0]) & 0xf0) == 0x50);
}

std::unique_ptr<ByteSource> decompressed(const std::string& path, Input input) {
  auto file = std::make_unique<PlainFile>(path, input);
  const std::string magic(file->peek(4));
  if (magic.starts_with("\x1f\x8b")) return std::make_unique<GzipFile>(std::move(file));
  if (is_zstd(magic)) return std::make_unique<ZstdFile>(std::move(file));
  if (magic == "PK\x03\x04") fail("{} is a zip archive; unpack it and name the file inside.", path);
  return file;
}

}  // namespace

std::unique_ptr<ByteSource> ByteSource::open(const std::string& path, Encoding encoding,
                                             Input input) {
  return transcoded(decompressed(path, input), encoding, path);
}

}  // namespace divns
