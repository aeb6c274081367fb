// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "divns/error.h"

namespace divns::testing {

// The sentence of the Error that `action` throws, or "(no error)".
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

}  // namespace divns::testing

// The expression throws an Error whose sentence holds these words.
#define EXPECT_ERROR(expression, words)                                                   \
  do {                                                                                    \
    const std::string sentence = ::divns::testing::error_of([&] { (void)(expression); }); \
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;                       \
  } while (false)
