// SPDX-License-Identifier: Apache-2.0
// A study that is interrupted again and again, and taken up each time.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "study/runner.h"

namespace divns::testing {

// Calls `study`, which returns whether it is complete, until it is, with hooks that stop it after
// every `epochs` epochs. The flag stays up until the call returns: runs on other threads must not
// lower it. Returns the number of calls.
inline int run_with_stops(size_t epochs, const std::function<bool(const StudyCallbacks&)>& study) {
  std::atomic<bool> stop = false;
  size_t epochs_seen = 0;
  const StudyCallbacks hooks{[&](const StudyProgress& progress) {
                               const bool epoch =
                                   progress.current.find(", epoch ") != std::string::npos;
                               if (epoch && ++epochs_seen % epochs == 0) stop = true;
                             },
                             &stop};
  int calls = 1;
  for (; !study(hooks) && calls < 200; ++calls) stop = false;
  return calls;
}

}  // namespace divns::testing
