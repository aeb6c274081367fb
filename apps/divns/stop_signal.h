// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace divns::app {

// From now on the first Ctrl-C (or SIGTERM) sets this flag, which asks for a clean end; the second
// has its usual force.
const std::atomic<bool>* stop_on_signal();

}  // namespace divns::app
