// SPDX-License-Identifier: Apache-2.0
#include "io/model_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

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

void write_sample(const std::filesystem::path& path) {
  Table users(3, 5);
  Table items(4, 5);
  for (uint32_t i = 0; i < 3; ++i)
    for (uint32_t k = 0; k < 5; ++k) users.row(i)[k] = static_cast<float>(10 * i + k);
  for (uint32_t i = 0; i < 4; ++i)
    for (uint32_t k = 0; k < 5; ++k) items.row(i)[k] = -static_cast<float>(10 * i + k);
  write_model_file(path, {.user_vectors = users.view(),
                          .item_vectors = items.view(),
                          .user_id = [](uint32_t u) { return kUserIds[u]; },
                          .item_id = [](uint32_t i) { return kItemIds[i]; },
                          .item_name = [](uint32_t i) { return i == 1 ? "A title" : ""; },
                          .model = "mf",
                          .sampler = "rns",
                          .seed = 18446744073709551615ULL,
                          .dataset_hash = "0123456789abcdef0123456789abcdef",
                          .config = "seed = 1\n"});
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
