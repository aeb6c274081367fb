// SPDX-License-Identifier: Apache-2.0
#include "summary/event_files.h"

#include <gtest/gtest.h>

namespace divns {
namespace {

// The check value of CRC-32C is that of "123456789", 0xe3069283; masked as TFRecord does.
TEST(EventFiles, ChecksumsAreMaskedCrc32c) {
  const uint32_t crc = 0xe3069283;
  EXPECT_EQ(masked_crc32c("123456789"), ((crc >> 15) | (crc << 17)) + 0xa282ead8U);
}

TEST(EventFiles, RecordHasLengthChecksumsAndTheEvent) {
  const std::string record = event_record(1.5, 300, {{"loss", 0.5}});
  const size_t length = record.size() - 16;
  EXPECT_EQ(static_cast<uint8_t>(record[0]), length);
  const std::string event = record.substr(12, length);
  // 1: double 1.5; 2: varint 300; 5: Summary {1: Value {1: "loss", 2: float 0.5}}.
  EXPECT_EQ(event,
            std::string("\x09\0\0\0\0\0\0\xf8\x3f\x10\xac\x02\x2a\x0d\x0a\x0b\x0a\x04loss\x15"
                        "\0\0\0\x3f",
                        27));
}

}  // namespace
}  // namespace divns
