// SPDX-License-Identifier: Apache-2.0
#include "stop_signal.h"

#include <signal.h>
#include <unistd.h>

namespace divns::app {
namespace {

constexpr unsigned kGraceSeconds = 2;

std::atomic<bool> stop_asked = false;
std::atomic<bool> abandon_asked = false;
std::atomic<int> first_signal = 0;
std::atomic<bool> unfinished = false;
std::atomic<bool> hung_up = false;

static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "handlers may only touch lock-free atomics");

void abandon(int) {
  abandon_asked = true;
}

void ask_to_stop(int number) {
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, number)) {
    // Any second signal, of the same number or not, ends the process.
    ::signal(number, SIG_DFL);
    ::raise(number);
    return;
  }
  stop_asked = true;
  ::alarm(kGraceSeconds);
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action = {};
  if (number != SIGALRM && ::sigaction(number, nullptr, &action) == 0 &&
      action.sa_handler == SIG_IGN)
    return;
  action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

}  // namespace

const std::atomic<bool>* stop_on_signal() {
  handle(SIGALRM, abandon);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) handle(number, ask_to_stop);
  return &stop_asked;
}

const std::atomic<bool>* abandon_on_signal() {
  stop_on_signal();
  return &abandon_asked;
}

std::atomic<bool>* note_hangups() {
  handle(SIGHUP, [](int) { hung_up = true; });
  return &hung_up;
}

void mark_unfinished() {
  unfinished = true;
}

int exit_code_after_stop() {
  return unfinished && first_signal != 0 ? 128 + first_signal : 0;
}

}  // namespace divns::app
