// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace divns {

void assertion_failed(const char* condition, const char* file, int line) {
  // The one place where the library writes by itself: the process is about to abort.
  std::fprintf(stderr, "divns: this is a bug in divns, please report it: %s (%s:%d)\n", condition,
               file, line);
  std::abort();
}

void fail_by_system(int error, const std::string& sentence) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case ENOMEM:
    case EMFILE:
    case ENFILE:
      throw MachineError(escape_terminal(sentence));
    default:
      throw Error(escape_terminal(sentence));
  }
}

}  // namespace divns
