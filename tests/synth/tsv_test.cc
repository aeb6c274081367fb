// SPDX-License-Identifier: Apache-2.0
#include "synth/tsv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/files.h"
#include "support/temp_folder.h"
#include "synth/small_truth.h"

namespace divns {
namespace {

SynthData small_data() {
  return {
      {0, 3, 4}, {0, 1, 4}, {1'600'000'030, 1'600'000'010, 1'600'000'020}, testing::small_truth()};
}

TEST(SynthTsv, WritesALinePerPair) {
  const testing::TempFolder folder;
  SynthData data = small_data();
  data.items.push_back(3);
  data.times.push_back(1'600'000'000);
  write_synth_tsv(folder.file("a.tsv"), data);
  EXPECT_EQ(read_text_file(folder.file("a.tsv")), "0\t0\n0\t1\n0\t4\n1\t3\n");
  // Affinities 1, exp(-1/2) = 0.61, 1 and 0.
  write_synth_tsv(folder.file("b.tsv"), data, {.ratings = true});
  EXPECT_EQ(read_text_file(folder.file("b.tsv")), "0\t0\t5\n0\t1\t4\n0\t4\t5\n1\t3\t1\n");
  write_synth_tsv(folder.file("c.tsv"), data, {.times = true});
  EXPECT_EQ(read_text_file(folder.file("c.tsv")),
            "0\t0\t1\t1600000030\n0\t1\t1\t1600000010\n0\t4\t1\t1600000020\n1\t3\t1\t1600000000\n");
}

TEST(SynthTsv, ShufflesLinesWithoutLosingAny) {
  const testing::TempFolder folder;
  SynthOptions options;
  options.users = 3'000;  // two megabytes: more than one buffer
  const SynthData data = generate_synth(options, Executor(1));
  const auto lines_of = [&](const SynthTsvOptions& how, uint64_t seed = 1) {
    write_synth_tsv(folder.file("a.tsv"), data, how, seed);
    std::istringstream text(read_text_file(folder.file("a.tsv")));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  };
  auto plain = lines_of({.ratings = true, .times = true});
  auto shuffled = lines_of({.ratings = true, .times = true, .shuffled = true});
  EXPECT_EQ(plain.size(), options.pairs);
  EXPECT_NE(plain, shuffled);
  EXPECT_NE(shuffled, lines_of({.ratings = true, .times = true, .shuffled = true}, 2));
  std::sort(plain.begin(), plain.end());
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(plain, shuffled);
}

}  // namespace
}  // namespace divns
