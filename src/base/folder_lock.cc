// SPDX-License-Identifier: Apache-2.0
#include "base/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/check.h"

namespace divns {

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0)
    fail("{} could not be opened: {}.", folder.string(), std::generic_category().message(errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  ::close(descriptor_);
  // File systems that know no locks leave the folder unguarded.
  descriptor_ = -1;
  if (error == EWOULDBLOCK)
    fail("another process is at work in {}. Wait for it to end, or choose another folder.",
         folder.string());
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace divns
