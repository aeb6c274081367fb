// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "divns/prepare.h"

namespace divns {

// Bytes of a file in order, decompressed on the way if the file begins like gzip or zstd, whatever
// its name.
// What may be opened. A FIFO that nobody writes to blocks for ever, so only the main input of a
// command may be one.
enum class Input { kFileOrStream, kFile };

class ByteSource {
 public:
  static std::unique_ptr<ByteSource> open(const std::string& path,
                                          Encoding encoding = Encoding::kAuto,
                                          Input input = Input::kFileOrStream);
  virtual ~ByteSource() = default;
  // Up to `size` bytes into `out`; 0 means the end. Throws Error when the file is truncated or
  // damaged.
  virtual size_t read(char* out, size_t size) = 0;
};

}  // namespace divns
