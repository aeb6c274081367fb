// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace divns {

// Something that the user can change was wrong: an option, a file, a folder. The sentence says what
// was given, what was expected and how to fix it. Nothing is half-written when it is thrown. The
// tool exits with 2.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence) : std::runtime_error(sentence) {}
};

// The machine refused: the disk is full, a device failed, memory ran out. The same command may
// succeed later. The tool exits with 3.
class MachineError : public Error {
 public:
  using Error::Error;
};

// Work ended early because its cancel flag was set (see Executor::cancel_on). Not an Error: nothing
// was wrong.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace divns
