// SPDX-License-Identifier: Apache-2.0
// SIGINT (Ctrl-C), SIGTERM and SIGHUP end long work cleanly. The first signal requests a stop after
// the epoch under way. An epoch that takes longer than a few seconds is abandoned. The second
// signal ends the process at once.
#pragma once

#include <atomic>

namespace divns::app {

// Installs the handlers and returns the flag that the first signal sets. A signal that the caller
// of the process ignores (nohup) stays ignored.
const std::atomic<bool>* stop_on_signal();
// Set a few seconds after the first signal: work is abandoned at once. For Executor::cancel_on.
const std::atomic<bool>* abandon_on_signal();

// For a server: SIGHUP sets the flag that is returned, and no longer stops the process. The caller
// clears it.
std::atomic<bool>* note_hangups();

// A verb calls this when it ends before its work is complete.
void mark_unfinished();
// 128 + the number of the signal if a signal left work unfinished, otherwise 0.
int exit_code_after_stop();

}  // namespace divns::app
