// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "base/files.h"
#include "base/hash.h"
#include "divns/dataset.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "synth/dataset_folder.h"
#include "synth/small_truth.h"
#include "synth/synth.h"
#include "synth/truth.h"

namespace divns {
namespace {

using testing::error_of;
using testing::small_truth;

TEST(SynthTruthFile, ComesBackAsItWas) {
  const testing::TempFolder folder;
  const SynthTruth truth = small_truth();
  write_synth_truth(AtomicFile(folder.file("truth.bin")), truth);
  const SynthTruth back = read_synth_truth(folder.file("truth.bin"));
  EXPECT_EQ(back.latent_dim, truth.latent_dim);
  EXPECT_EQ(back.background, truth.background);
  EXPECT_EQ(back.liked_level, truth.liked_level);
  EXPECT_EQ(back.cluster_spreads, truth.cluster_spreads);
  EXPECT_EQ(back.cluster_gains, truth.cluster_gains);
  EXPECT_EQ(back.item_vectors, truth.item_vectors);
  EXPECT_EQ(back.item_clusters, truth.item_clusters);
  EXPECT_EQ(back.popularity, truth.popularity);
  EXPECT_EQ(back.taste_offsets, truth.taste_offsets);
  EXPECT_EQ(back.favourites, truth.favourites);
  EXPECT_EQ(back.taste_weights, truth.taste_weights);
}

class DamagedTruth : public ::testing::Test {
 protected:
  void SetUp() override {
    write_synth_truth(AtomicFile(folder_.file("truth.bin")), small_truth());
    bytes_ = read_text_file(folder_.file("truth.bin"));
  }
  // Writes bytes_, with a checksum that fits, and says how reading it ends.
  std::string verdict(bool reseal = true) {
    if (reseal) {
      const size_t end = bytes_.size() - sizeof(uint64_t);
      const uint64_t checksum = hash64(std::string_view(bytes_).substr(0, end));
      std::memcpy(bytes_.data() + end, &checksum, sizeof checksum);
    }
    folder_.write("truth.bin", bytes_);
    return error_of([&] { read_synth_truth(folder_.file("truth.bin")); });
  }
  template <class T>
  void put(size_t at, T value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }

  testing::TempFolder folder_;
  std::string bytes_;
};

TEST_F(DamagedTruth, IsRefusedWhereverAByteChanges) {
  const std::string whole = bytes_;
  for (size_t at = 0; at < whole.size(); ++at) {
    bytes_ = whole;
    bytes_[at] = static_cast<char>(bytes_[at] ^ 0x40);
    EXPECT_NE(verdict(false), "(no error)") << at;
  }
}

TEST_F(DamagedTruth, IsRefusedAtEveryLength) {
  const std::string whole = bytes_;
  for (size_t size = 0; size < whole.size(); ++size) {
    bytes_ = whole.substr(0, size);
    EXPECT_NE(verdict(size >= 8), "(no error)") << size;
  }
  bytes_ = whole + std::string(8, '\0');
  EXPECT_NE(verdict().find("do not fit its length"), std::string::npos);
}

TEST_F(DamagedTruth, IsRefusedForForgedSizes) {
  const std::string whole = bytes_;
  for (const size_t at : {16U, 24U, 32U, 40U})
    for (const uint64_t count : {uint64_t{0}, uint64_t{1} << 32, UINT64_MAX, UINT64_MAX / 8 + 2}) {
      bytes_ = whole;
      put(at, count);
      EXPECT_NE(verdict().find("do not fit its length"), std::string::npos) << at << ' ' << count;
    }
  bytes_ = whole;
  put(12, uint32_t{0});
  EXPECT_NE(verdict().find("do not fit its length"), std::string::npos);
}

TEST_F(DamagedTruth, IsRefusedForForgedValues) {
  const std::string whole = bytes_;
  const size_t last_favourite = whole.size() - 12;
  put(last_favourite, uint32_t{5});
  EXPECT_NE(verdict().find("cannot be"), std::string::npos);
  bytes_ = whole;
  put(last_favourite - 12, uint32_t{2});  // cluster of the last item
  EXPECT_NE(verdict().find("cannot be"), std::string::npos);
  bytes_ = whole;
  put(48, -1.0);  // background
  EXPECT_NE(verdict().find("cannot be"), std::string::npos);
  bytes_ = whole;
  put(8, uint32_t{2});
  EXPECT_NE(verdict().find("another version"), std::string::npos);
}

TEST(TruthOfADataset, ASwappedOneIsRefused) {
  const testing::TempFolder folder;
  for (const uint64_t seed : {1U, 2U}) {
    SynthOptions options;
    options.users = 30;
    options.items = 40;
    options.pairs = 400;
    options.clusters = 4;
    options.seed = seed;
    write_synth_dataset(generate_synth(options, Executor(1)), "{}",
                        folder.path() / std::to_string(seed), {}, false, Executor(1));
  }
  EXPECT_EQ(Dataset::open(folder.path() / "1").users(), 30U);
  std::filesystem::copy_file(folder.path() / "2" / "truth.bin", folder.path() / "1" / "truth.bin",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_ERROR(Dataset::open(folder.path() / "1"), "truth.bin has been changed");
}

}  // namespace
}  // namespace divns
