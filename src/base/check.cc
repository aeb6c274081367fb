// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace divns {

void assertion_failed(const char* condition, const char* file, int line) {
  // The one place where the library writes by itself: the process is about to abort.
  std::fprintf(stderr, "divns: this is a bug in divns, please report it: %s (%s:%d)\n", condition,
               file, line);
  std::abort();
}

}  // namespace divns
