// SPDX-License-Identifier: Apache-2.0
// Exit codes of the tool; docs/cli.md has the table. A signal that leaves work unfinished gives 128
// plus its number (stop_signal.h).
#pragma once

namespace divns::app {

constexpr int kDone = 0;
constexpr int kUserError = 2;     // what was given is wrong
constexpr int kMachineError = 3;  // the machine refused: disk, memory
constexpr int kOurBug = 70;       // EX_SOFTWARE
constexpr int kReaderGone = 141;  // as if SIGPIPE had ended the process

// Call inside a catch block: prints the sentence for the exception being handled on standard error
// and returns the exit code.
int report_exception();
// A failed assertion prints its sentence and exits with kOurBug. A large file that becomes shorter
// while it is mapped gives a sentence and exits with kMachineError.
void handle_fatal_signals();

}  // namespace divns::app
