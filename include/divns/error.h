// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace divns {

// What the user gave was wrong, or the machine said no (missing file, full disk). The sentence says
// what was given, what was expected and how to mend it. Nothing has been half-written when it is
// thrown.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence) : std::runtime_error(sentence) {}
};

}  // namespace divns
