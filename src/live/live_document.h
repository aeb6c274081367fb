// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace divns {

// The report document of a folder that is being written. Used by one thread.
class LiveDocument {
 public:
  LiveDocument(std::filesystem::path folder, std::string runs)
      : folder_(std::move(folder)), runs_(std::move(runs)) {}

  // The document of this state of the folder; it is made once for each state. While the folder
  // cannot be read (nothing is there yet, or a file is just being replaced) it is the last one, or
  // one that says that nothing was measured yet.
  const std::string& at(uint64_t state);
  // Of the last document that was made.
  double seconds_to_make() const { return seconds_; }

 private:
  std::filesystem::path folder_;
  std::string runs_;
  uint64_t state_ = 0;
  std::string text_;
  double seconds_ = 0;
};

}  // namespace divns
