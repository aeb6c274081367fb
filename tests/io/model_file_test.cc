// SPDX-License-Identifier: Apache-2.0
#include "io/model_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "divns/model.h"
#include "divns/table.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::TempFolder;

constexpr std::string_view kUserIds[] = {"alice", "bob", "eve \"the\" third"};
constexpr std::string_view kItemIds[] = {"B00", "ünïcode", "", "x"};

// A model of 3 users and 4 items.
ModelFile sample() {
  static const Table users = [] {
    Table table(3, 5);
    for (uint32_t i = 0; i < 3; ++i)
      for (uint32_t k = 0; k < 5; ++k) table.row(i)[k] = static_cast<float>(10 * i + k);
    return table;
  }();
  static const Table items = [] {
    Table table(4, 5);
    for (uint32_t i = 0; i < 4; ++i)
      for (uint32_t k = 0; k < 5; ++k) table.row(i)[k] = -static_cast<float>(10 * i + k);
    return table;
  }();
  return {.contents = {.user_vectors = users.view(), .item_vectors = items.view()},
          .user_id = [](uint32_t u) { return kUserIds[u]; },
          .item_id = [](uint32_t i) { return kItemIds[i]; },
          .item_name = [](uint32_t i) { return i == 1 ? "A title" : ""; },
          .model = "mf",
          .sampler = "rns",
          .seed = 18446744073709551615ULL,
          .dataset_hash = "0123456789abcdef0123456789abcdef",
          .config = "seed = 1\n"};
}

void write_sample(const std::filesystem::path& path) {
  write_model_file(path, sample());
}

TEST(ModelFile, GivesBackVectorsIdsAndMetadata) {
  const TempFolder folder;
  write_sample(folder.path() / kModelFileName);
  const TrainedModel model = TrainedModel::load(folder.path());
  EXPECT_EQ(model.users(), 3U);
  EXPECT_EQ(model.items(), 4U);
  EXPECT_EQ(model.user_vectors().dim, 5U);
  EXPECT_EQ(model.user_vectors().stride, 8U);
  EXPECT_EQ(model.user_vectors().row(2)[4], 24);
  EXPECT_EQ(model.item_vectors().row(3)[7], 0);
  EXPECT_EQ(model.user_id(2), "eve \"the\" third");
  EXPECT_EQ(model.item_id(2), "");
  EXPECT_EQ(model.item_name(1), "A title");
  EXPECT_EQ(model.item_name(0), "");
  EXPECT_EQ(model.find_item("ünïcode"), 1U);
  EXPECT_EQ(model.find_user("mallory"), std::nullopt);
  EXPECT_EQ(model.seed(), 18446744073709551615ULL);
  EXPECT_EQ(model.model_name(), "mf");
  EXPECT_EQ(model.config(), "seed = 1\n");
}

TEST(ModelFile, EveryFlippedByteOfTheTensorsAndEveryCutIsRefused) {
  const TempFolder folder;
  write_sample(folder.path() / "whole");
  const std::string whole = read_text_file(folder.path() / "whole");
  const auto load_changed = [&](const std::string& bytes) {
    write_file_atomically(folder.path() / "changed", bytes);
    return TrainedModel::load(folder.path() / "changed");
  };
  uint64_t header = 0;
  std::memcpy(&header, whole.data(), sizeof header);
  for (size_t i = 8 + header; i < whole.size(); i += 7) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 1);
    EXPECT_ERROR(load_changed(bytes), "do not match the hash");
  }
  for (size_t length = 0; length < whole.size(); length += 61)
    EXPECT_THROW(load_changed(whole.substr(0, length)), Error) << length;
}

// Three users, two items: weights with rows (0, 1) and (2, 0); the users have both, none and
// item 1.
ModelFile weights_sample() {
  static const std::vector<float> weights = {0, 1, 2, 0};
  static const std::vector<uint64_t> offsets = {0, 2, 2, 3};
  static const std::vector<uint32_t> items = {0, 1, 1};
  return {.contents = {.item_weights = weights, .histories = {offsets, items, 2}},
          .user_id = [](uint32_t u) { return kUserIds[u]; },
          .item_id = [](uint32_t i) { return kItemIds[i]; },
          .item_name = [](uint32_t) { return ""; },
          .model = "ease",
          .sampler = "",
          .seed = 1,
          .dataset_hash = "0123456789abcdef0123456789abcdef",
          .config = "seed = 1\n"};
}

TEST(ModelFile, GivesBackItemWeightsAndHistories) {
  const TempFolder folder;
  write_model_file(folder.path() / "m", weights_sample());
  const TrainedModel model = TrainedModel::load(folder.path() / "m");
  EXPECT_FALSE(model.has_vectors());
  EXPECT_EQ(model.users(), 3U);
  EXPECT_EQ(model.items(), 2U);
  EXPECT_EQ(model.columns(), 2U);
  EXPECT_EQ(model.item_weights().row(1)[0], 2);
  EXPECT_EQ(model.histories().row(0).size(), 2U);
  EXPECT_EQ(model.find_user("bob"), 1U);
  Table scores(1, 2);
  const std::vector<uint32_t> users = {0};
  model.scorer().source->score(users, scores);
  EXPECT_EQ(scores.row(0)[0], 2);
  EXPECT_EQ(scores.row(0)[1], 1);
  EXPECT_ERROR(model.user_vectors(), "has no vectors");
  EXPECT_ERROR(model.item_parameters(), "has no vectors");
}

TEST(ModelFile, HistoriesThatAreNoneAreRefused) {
  const TempFolder folder;
  const std::vector<std::pair<std::vector<uint64_t>, std::vector<uint32_t>>> wrong = {
      {{0, 2, 2, 3}, {0, 2, 1}},  // no item 2
      {{0, 2, 2, 3}, {1, 0, 1}},  // descending
      {{0, 2, 2, 3}, {1, 1, 1}},  // twice
      {{0, 3, 2, 3}, {0, 1, 1}},  // a row that ends before it begins
      {{0, 2, 2, 2}, {0, 1, 1}},  // an item of nobody
      {{1, 2, 2, 3}, {0, 1, 1}}};
  for (const auto& [offsets, items] : wrong) {
    ModelFile file = weights_sample();
    file.contents.histories = {offsets, items, 2};
    write_model_file(folder.path() / "m", file);
    EXPECT_ERROR(TrainedModel::load(folder.path() / "m"), "damaged: the histories");
  }
}

TEST(ModelFile, KeepsParametersThatAreNotTheVectors) {
  const TempFolder folder;
  write_sample(folder.path() / "plain");
  const TrainedModel plain = TrainedModel::load(folder.path() / "plain");
  EXPECT_FALSE(plain.has_parameters());
  EXPECT_EQ(plain.user_parameters().row(2)[4], 24);
  Table users(3, 5);
  Table items(4, 5);
  users.row(1)[3] = 7;
  ModelFile file = sample();
  file.contents.user_parameters = users.view();
  file.contents.item_parameters = items.view();
  write_model_file(folder.path() / "m", file);
  const TrainedModel model = TrainedModel::load(folder.path() / "m");
  EXPECT_TRUE(model.has_parameters());
  EXPECT_EQ(model.user_parameters().row(1)[3], 7);
  EXPECT_EQ(model.user_vectors().row(2)[4], 24);
  EXPECT_EQ(model.content_hash(), plain.content_hash());
  // Other tensors have a hash of their own; this one is found by its only value.
  std::string bytes = read_text_file(folder.path() / "m");
  const float value = 7;
  const std::string seven(reinterpret_cast<const char*>(&value), sizeof value);
  bytes[bytes.rfind(seven)] ^= 1;
  write_file_atomically(folder.path() / "m", bytes);
  EXPECT_ERROR(TrainedModel::load(folder.path() / "m"), "its parameters do not match the hash");
}

TEST(ModelFile, NumpyReadsItKnowingOnlyThePublishedLayout) {
  if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0)
    GTEST_SKIP() << "/usr/bin/python3 has no NumPy";
  const TempFolder folder;
  write_sample(folder.path() / "m.safetensors");
  std::ofstream script(folder.path() / "read.py");
  script << R"(
import json, struct, sys
import numpy as np
raw = open(sys.argv[1], "rb").read()
n = struct.unpack("<Q", raw[:8])[0]
header = json.loads(raw[8:8 + n])
kinds = {"F32": "<f4", "I64": "<i8", "U8": "u1"}
def tensor(name):
    entry = header[name]
    begin, end = entry["data_offsets"]
    return np.frombuffer(raw[8 + n + begin:8 + n + end], kinds[entry["dtype"]]).reshape(entry["shape"])
users, items = tensor("user_vectors"), tensor("item_vectors")
assert users.shape == (3, 5) and users[2, 4] == 24 and items[3, 0] == -30
blob, offsets = tensor("user_ids").tobytes(), tensor("user_ids_offsets")
ids = [blob[a:b].decode() for a, b in zip(offsets, offsets[1:])]
assert ids == ["alice", "bob", 'eve "the" third'], ids
assert header["__metadata__"]["model"] == "mf"
assert (8 + n) % 64 == 0
)";
  script.close();
  const std::string command = "/usr/bin/python3 " + (folder.path() / "read.py").string() + " " +
                              (folder.path() / "m.safetensors").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace divns
