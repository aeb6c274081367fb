// SPDX-License-Identifier: Apache-2.0
// Loaded by LD_PRELOAD: makes calls on regular files fail on purpose. DIVNS_FAULT names the fault
// and DIVNS_FAULT_AT says when it strikes.
//   enospc N, eio_write N   writes fail once N bytes have been written; the last good one is short
//   eio_read N              reads fail once N bytes have been read
//   eio_sync N              the Nth fsync fails, and all after it
//   eintr N                 every Nth read and write is interrupted
//   short N                 reads and writes transfer at most 1 to N bytes
//   kill N                  the process is killed at the Nth rename, before it is done
//   kill_write N            the process is killed once N bytes have been written
//   shrink N                a file that is mapped is cut to N bytes as soon as it is mapped
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> bytes_written = 0;
std::atomic<long> bytes_read = 0;
std::atomic<long> transfers = 0;
std::atomic<long> syncs = 0;
std::atomic<long> renames = 0;

bool fault_is(const char* name) {
  const char* fault = std::getenv("DIVNS_FAULT");
  return fault != nullptr && std::strcmp(fault, name) == 0;
}

long fault_at() {
  const char* at = std::getenv("DIVNS_FAULT_AT");
  return at == nullptr ? 1 : std::max(1L, std::atol(at));
}

bool is_regular(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

// How many bytes of a transfer are allowed, or -1 with errno set. `done` counts the bytes of
// earlier transfers in this direction.
ssize_t allowed(size_t size, long done, bool writes) {
  const long at = fault_at();
  const long turn = ++transfers;
  if (fault_is("eintr") && turn % (at + 1) == 0) {
    errno = EINTR;
    return -1;
  }
  if (fault_is("short")) return std::min(static_cast<ssize_t>(size), 1 + (turn * 2654435761) % at);
  if (writes && fault_is("kill_write") && done >= at) ::raise(SIGKILL);
  const bool strikes = writes ? fault_is("enospc") || fault_is("eio_write") : fault_is("eio_read");
  if (!strikes || size == 0) return static_cast<ssize_t>(size);
  if (done >= at) {
    errno = fault_is("enospc") ? ENOSPC : EIO;
    return -1;
  }
  return std::min(static_cast<ssize_t>(size), at - done);
}

template <class Call>
ssize_t transfer(int descriptor, size_t size, std::atomic<long>& done, bool writes, Call call) {
  if (!is_regular(descriptor)) return call(size);
  const ssize_t most = allowed(size, done, writes);
  if (most < 0) return -1;
  const ssize_t moved = call(static_cast<size_t>(most));
  if (moved > 0) done += moved;
  return moved;
}

void count_rename() {
  if (fault_is("kill") && ++renames == fault_at()) ::raise(SIGKILL);
}

}  // namespace

extern "C" {

ssize_t read(int descriptor, void* out, size_t size) {
  static const auto real = next<ssize_t (*)(int, void*, size_t)>("read");
  return transfer(descriptor, size, bytes_read, false,
                  [&](size_t most) { return real(descriptor, out, most); });
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  return transfer(descriptor, size, bytes_written, true,
                  [&](size_t most) { return real(descriptor, bytes, most); });
}

ssize_t pread(int descriptor, void* out, size_t size, off_t at) {
  static const auto real = next<ssize_t (*)(int, void*, size_t, off_t)>("pread");
  return transfer(descriptor, size, bytes_read, false,
                  [&](size_t most) { return real(descriptor, out, most, at); });
}

void* mmap(void* address, size_t size, int protection, int flags, int descriptor, off_t at) {
  static const auto real = next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap");
  void* mapped = real(address, size, protection, flags, descriptor, at);
  // Not the program itself and its libraries.
  const bool data = descriptor >= 0 && (protection & PROT_EXEC) == 0 && size > (size_t{1} << 30);
  if (data && fault_is("shrink") && is_regular(descriptor)) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    static_cast<void>(::truncate(path, fault_at()));
  }
  return mapped;
}

int fsync(int descriptor) {
  static const auto real = next<int (*)(int)>("fsync");
  if (fault_is("eio_sync") && ++syncs >= fault_at()) {
    errno = EIO;
    return -1;
  }
  return real(descriptor);
}

int rename(const char* from, const char* to) {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  count_rename();
  return real(from, to);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  static const auto real = next<int (*)(int, const char*, int, const char*)>("renameat");
  count_rename();
  return real(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to,
              unsigned int flags) {
  static const auto real =
      next<int (*)(int, const char*, int, const char*, unsigned int)>("renameat2");
  count_rename();
  return real(from_folder, from, to_folder, to, flags);
}

}  // extern "C"
