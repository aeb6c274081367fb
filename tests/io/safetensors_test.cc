// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "divns/random.h"
#include "divns/tensors.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::TempFolder;

std::vector<std::byte> file_of(const std::string& header, size_t data_bytes) {
  const uint64_t length = header.size();
  std::vector<std::byte> bytes(8 + header.size() + data_bytes);
  std::memcpy(bytes.data(), &length, 8);
  std::memcpy(bytes.data() + 8, header.data(), header.size());
  return bytes;
}

void expect_refused(const std::string& header, size_t data_bytes, const std::string& words) {
  const auto bytes = file_of(header, data_bytes);
  EXPECT_ERROR(TensorReader(bytes, "memory"), words);
}

TEST(Safetensors, GivesBackWhatWasWritten) {
  const TempFolder folder;
  const std::vector<float> matrix = {1, 2, 3, 4, 5, 6};
  const std::vector<uint8_t> odd = {7, 8, 9};
  const std::vector<uint64_t> wide = {1ULL << 60};
  TensorWriter writer;
  writer.add_matrix("m", std::span<const float>(matrix), 2, 3);
  writer.set_prefix("sampler.");
  writer.add("odd", odd);
  writer.add_copy("wide", std::span<const uint64_t>(wide));
  writer.set_metadata("note", "tab\t and \"quotes\"");
  writer.write(folder.path() / "t.safetensors");

  const TensorReader reader(folder.path() / "t.safetensors");
  EXPECT_EQ(reader.matrix_shape("m"), std::pair(uint64_t{2}, uint64_t{3}));
  EXPECT_EQ(reader.values<float>("m")[5], 6);
  EXPECT_EQ(reader.metadata("note"), "tab\t and \"quotes\"");
  const TensorReader inner = reader.with_prefix("sampler.");
  EXPECT_EQ(inner.values<uint8_t>("odd")[2], 9);
  EXPECT_EQ(inner.values<uint64_t>("wide")[0], 1ULL << 60);
  EXPECT_FALSE(inner.has("m"));
  EXPECT_ERROR(reader.values<double>("m"), "F64 was expected");
  EXPECT_ERROR(reader.values<float>("n"), "holds no tensor 'n'");
}

TEST(Safetensors, RefusesHostileHeaders) {
  expect_refused("", 0, "not JSON");
  expect_refused("[1]", 0, "not a JSON object");
  expect_refused("{\"a\":3}", 0, "lacks dtype");
  expect_refused(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 4, "cut short");
  expect_refused(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8, "cut short");
  expect_refused(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8, "needs 12");
  expect_refused(R"({"a":{"dtype":"F33","shape":[2],"data_offsets":[0,8]}})", 8, "type 'F33'");
  expect_refused(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8, "whole number");
  expect_refused(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0,
                 "larger than any memory");
  expect_refused(
      R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
      6, "overlap");
  expect_refused(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})", 6, "gaps");
  expect_refused(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 6, "follow");
  expect_refused(R"({"__metadata__":{"a":1}})", 0, "not a string");
  expect_refused(std::string(5000, '['), 0, "nested too deeply");
}

TEST(Safetensors, RefusesTooShortOrTooLongHeaderLengths) {
  const std::vector<std::byte> tiny(5);
  EXPECT_ERROR(TensorReader(tiny, "memory"), "only 5 bytes");
  auto bytes = file_of("{}", 0);
  const uint64_t huge = ~uint64_t{0} - 3;
  std::memcpy(bytes.data(), &huge, 8);
  EXPECT_ERROR(TensorReader(bytes, "memory"), "cut short");
}

TEST(Safetensors, RandomDamageIsRefusedOrHarmless) {
  const TempFolder folder;
  const std::vector<float> values(32, 1.5F);
  TensorWriter writer;
  writer.add("v", values);
  writer.set_metadata("k", "v");
  writer.write(folder.path() / "t.safetensors");
  const MappedFile file(folder.path() / "t.safetensors");
  Draws draws = Random(5, "damage").draws();
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> bytes(file.bytes().begin(), file.bytes().end());
    bytes[draws.below(static_cast<uint32_t>(bytes.size()))] ^=
        static_cast<std::byte>(1U << draws.below(8));
    if (draws.below(4) == 0) bytes.resize(draws.below(static_cast<uint32_t>(bytes.size())));
    try {
      const TensorReader reader(bytes, "memory");
      for (const auto& [name, tensor] : reader.tensors())
        EXPECT_LE(tensor.bytes.size(), bytes.size()) << name;
    } catch (const Error&) {
    }
  }
}

TEST(Safetensors, ManyTensorsAreReadInOnePass) {
  // With a callback for every value the parser went over all earlier ones each time: 17 s.
  std::string header = "{";
  for (int i = 0; i < 50'000; ++i)
    header += "\"t" + std::to_string(i) + R"(":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)";
  header.back() = '}';
  const uint64_t length = header.size();
  std::string file(reinterpret_cast<const char*>(&length), sizeof length);
  file += header;
  const TensorReader reader(std::as_bytes(std::span(file)), "many");
  EXPECT_EQ(reader.tensors().size(), 50'000U);
  const uint64_t deep_length = 1000;
  std::string deep(reinterpret_cast<const char*>(&deep_length), sizeof deep_length);
  deep += std::string(deep_length, '[');
  EXPECT_ERROR(TensorReader(std::as_bytes(std::span(deep)), "deep"), "nested too deeply");
}

}  // namespace
}  // namespace divns
