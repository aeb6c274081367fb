// SPDX-License-Identifier: Apache-2.0
#include "eval/per_user_file.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/files.h"
#include "divns/tensors.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

PerUserFile example() {
  PerUserFile file;
  file.metrics.columns = {"recall@20", "ndcg@20"};
  file.metrics.users = {0, 3, 7};
  file.metrics.values = {.5F, 0, 1, .25F, 0, .75F};
  file.dataset_hash = "0123456789abcdef0123456789abcdef";
  file.part = "test";
  file.mask = "train";
  return file;
}

TEST(PerUserFile, ComesBackAsItWent) {
  const testing::TempFolder folder;
  write_per_user_file(folder.file("a"), example());
  const PerUserFile read = read_per_user_file(folder.path() / "a");
  EXPECT_EQ(read.metrics.columns, example().metrics.columns);
  EXPECT_EQ(read.metrics.users, example().metrics.users);
  EXPECT_EQ(read.metrics.values, example().metrics.values);
  EXPECT_EQ(read.dataset_hash, example().dataset_hash);
  EXPECT_EQ(read.part, "test");
  EXPECT_EQ(read.mask, "train");
}

TEST(PerUserFile, EveryFlippedByteAndEveryTruncationIsRefusedOrHarmless) {
  const testing::TempFolder folder;
  write_per_user_file(folder.file("a"), example());
  const std::string good = read_text_file(folder.path() / "a");
  const auto read = [](const std::string& bytes) {
    // A copy that starts as aligned as a mapped file.
    std::vector<uint64_t> words((bytes.size() + 7) / 8);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data()));
    return read_per_user_file(
        TensorReader(std::as_bytes(std::span(words)).first(bytes.size()), "bytes"));
  };
  size_t refused = 0;
  for (size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x11);
    try {
      const PerUserFile file = read(bad);
      EXPECT_EQ(file.metrics.values, example().metrics.values) << "byte " << at;
    } catch (const Error&) {
      ++refused;
    }
    EXPECT_NE(testing::error_of([&] { read(good.substr(0, at)); }), "(no error)");
  }
  EXPECT_GT(refused, good.size() / 4);
}

TEST(PerUserFile, RefusesForeignFiles) {
  const testing::TempFolder folder;
  TensorWriter other;
  other.set_metadata("format", "something else");
  other.write(folder.path() / "other");
  EXPECT_NE(testing::error_of([&] {
              read_per_user_file(folder.path() / "other");
            }).find("not a file of per-user metrics"),
            std::string::npos);
}

TEST(PerUserFile, RefusesAColumnListedTwice) {
  const testing::TempFolder folder;
  PerUserFile file = example();
  TensorWriter writer;
  writer.add("users", file.metrics.users);
  writer.add("a", file.metrics.column(0));
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"format", "divns-per-user"},
                                                        {"version", "1"},
                                                        {"columns", "a,a"},
                                                        {"dataset_hash", ""},
                                                        {"part", ""},
                                                        {"mask", ""},
                                                        {"content_hash", ""}})
    writer.set_metadata(key, value);
  writer.write(folder.path() / "twice");
  EXPECT_NE(testing::error_of([&] { read_per_user_file(folder.path() / "twice"); }).find("twice"),
            std::string::npos);
}

}  // namespace
}  // namespace divns
