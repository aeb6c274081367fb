// SPDX-License-Identifier: Apache-2.0
#include "divns/stop_signal.h"

#include <csignal>

namespace divns::app {
namespace {

std::atomic<bool> stop_asked = false;

void ask_to_stop(int signal) {
  stop_asked = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>* stop_on_signal() {
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  return &stop_asked;
}

}  // namespace divns::app
