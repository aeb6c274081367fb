// SPDX-License-Identifier: Apache-2.0
// Data that do not fit into memory: the prepared folder must be the same, byte for byte.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <map>
#include <regex>

#include "base/files.h"
#include "data/prepare_job.h"
#include "divns/dataset.h"
#include "divns/random.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
using testing::error_of;
using testing::TempFolder;

std::map<std::string, std::string> content_of(const fs::path& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : fs::directory_iterator(folder))
    content[entry.path().filename()] = read_text_file(entry.path());
  return content;
}

PairSources files(const std::vector<std::string>& inputs, bool own_split) {
  // With a split of one's own, the last two files are the other parts.
  return {.read = [inputs](PairReader& reader) { reader.read(inputs); },
          .train = own_split ? inputs.size() - 2 : inputs.size(),
          .valid = own_split,
          .test = own_split,
          .names = inputs};
}

// What is prepared with so many pairs in memory at a time; the folder's content or the error, and
// whether the disk was used.
struct Prepared {
  std::map<std::string, std::string> content;
  std::string error;
  uint64_t scratch_bytes = 0;
};
Prepared prepare(const PairSources& sources, const PrepareOptions& options,
                 const MemoryBudget& budget, int threads = 2) {
  const TempFolder folder;
  Prepared result;
  result.error = error_of([&] {
    result.scratch_bytes =
        prepare_from(sources, folder.file("out"), options, budget, Executor(threads)).scratch_bytes;
    result.content = content_of(folder.file("out"));
  });
  return result;
}

// A file of random pairs "user,item,rating,time".
std::string random_lines(uint64_t seed, uint32_t lines, uint32_t users, uint32_t items, int ids) {
  Draws draws = Random(seed, "lines").draws();
  const auto id = [&](uint32_t number) {
    const bool text = ids == 1 || (ids == 2 && number % 3 == 0);
    return text ? fmt::format("id {}", number) : fmt::format("{}", 7 * number);
  };
  std::string text = "user,item,rating,time\n";
  for (uint32_t line = 0; line < lines; ++line)
    text += fmt::format("{},{},{},{}\n", id(draws.below(users)), id(draws.below(items)),
                        1 + draws.below(5), 1000 + draws.below(40));
  return text;
}

RC_GTEST_PROP(MemoryLimit, NeverChangesWhatIsPrepared, ()) {
  const TempFolder folder;
  const auto number = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  std::vector<std::string> inputs;
  const auto users = static_cast<uint32_t>(number(1, 30));
  const auto items = static_cast<uint32_t>(number(1, 30));
  const int file_count = number(1, 7);
  for (int file = 0; file < file_count; ++file)
    inputs.push_back(folder.write(
        fmt::format("{}.csv", file),
        random_lines(static_cast<uint64_t>(number(0, 1000)), static_cast<uint32_t>(number(1, 60)),
                     users, items, number(0, 2))));
  PrepareOptions options;
  const bool own_split = file_count > 2 && number(0, 3) == 0;
  if (own_split) {
    options.valid_file = inputs[inputs.size() - 2];
    options.test_file = inputs.back();
  } else {
    options.split.method = static_cast<SplitMethod>(number(0, 4));
    options.k_core = number(0, 3);
    options.item_core = number(0, 2);
  }
  if (number(0, 1) == 1) options.min_rating = number(2, 4);
  if (number(0, 1) == 1) options.until = "1030";
  options.seed = static_cast<uint64_t>(number(1, 100));

  const PairSources sources = files(inputs, own_split);
  const Prepared expected = prepare(sources, options, {}, 1);
  RC_ASSERT(expected.scratch_bytes == 0);
  const auto pairs = static_cast<uint64_t>(number(1, 40));
  const Prepared found = prepare(sources, options, MemoryBudget::of_pairs(pairs), number(1, 3));
  RC_TAG(expected.content.empty() ? "refused" : found.scratch_bytes > 0 ? "on disk" : "in memory");
  // Users with more pairs than fit are refused by real budgets only; see below.
  RC_ASSERT(found.error == expected.error || found.error.find("one user") != std::string::npos);
  if (found.error == expected.error) RC_ASSERT(found.content == expected.content);
}

// Blocks of text as they are in large files, and pairs in memory.
TEST(MemoryLimit, ManyBlocksOfOneFileBecomeManyRuns) {
  const TempFolder folder;
  for (const int ids : {0, 1, 2}) {
    const std::string input = folder.write("in.csv", random_lines(1, 300000, 3000, 2000, ids));
    PrepareOptions options;
    options.k_core = 20;
    options.split.method = SplitMethod::kTemporal;
    const PairSources sources = files({input}, false);
    const Prepared expected = prepare(sources, options, {});
    const Prepared found = prepare(sources, options, MemoryBudget::of_pairs(60000));
    ASSERT_EQ(expected.error, "(no error)");
    EXPECT_GT(found.scratch_bytes, 300000U * 8);
    EXPECT_EQ(found.content, expected.content) << ids;
  }
}

TEST(MemoryLimit, PairsOfTheCallerGoToTheDiskToo) {
  std::vector<int64_t> users;
  std::vector<std::string> items;
  Draws draws = Random(1, "pairs").draws();
  for (int n = 0; n < 200000; ++n) {
    users.push_back(draws.below(5000));
    items.push_back(fmt::format("item {}", draws.below(3000)));
  }
  const PairColumns pairs{std::span<const int64_t>(users), std::span<const std::string>(items)};
  const PairSources sources{.read = [&](PairReader& reader) { reader.read(pairs); }, .names = {}};
  const Prepared expected = prepare(sources, {}, {});
  const Prepared found = prepare(sources, {}, MemoryBudget::of_pairs(30000));
  EXPECT_GT(found.scratch_bytes, 0U);
  EXPECT_EQ(found.content, expected.content);
}

// Nothing about the limit is in the recipe, and the folder of the scratch files stays empty.
TEST(MemoryLimit, LeavesNoTrace) {
  const TempFolder folder;
  const std::string input = folder.write("in.csv", random_lines(1, 1000, 100, 100, 0));
  PrepareOptions options;
  const auto with = [&](const std::string& limit) {
    options.memory_limit = limit;
    options.scratch = folder.file("scratch");
    fs::create_directory(options.scratch);
    const fs::path out = folder.file("out" + limit);
    prepare_dataset({input}, out, options, Executor(1));
    EXPECT_TRUE(fs::is_empty(options.scratch));
    return content_of(out);
  };
  EXPECT_EQ(with("200M"), with("1T"));
}

// As many distinct ids as lines: the ids alone exceed the limit, here and there in the input.
TEST(MemoryLimit, ARefusalNamesTheSmallestLimit) {
  const TempFolder folder;
  std::string text;
  for (int n = 0; n < 400000; ++n) text += fmt::format("user number {},{}\n", n, n % 1000);
  const std::string input = folder.write("in.csv", text);
  const auto with = [&](const std::string& limit) {
    PrepareOptions options;
    options.memory_limit = limit;
    options.overwrite = true;
    return error_of([&] { prepare_dataset({input}, folder.file("out"), options, Executor(1)); });
  };
  EXPECT_NE(with("1M").find("memory_limit is 1 MiB, but the program with threads = 1 needs"),
            std::string::npos)
      << with("1M");
  const std::string refused = with("110M");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(refused, found, std::regex("set memory_limit to ([0-9]+M)")))
      << refused;
  EXPECT_NE(refused.find("users and 1"), std::string::npos) << refused;
  EXPECT_EQ(with(found[1]), "(no error)");
}

// One user with more pairs than are sorted at a time.
TEST(MemoryLimit, AUserThatDoesNotFitIsRefused) {
  const TempFolder folder;
  const std::string input = folder.write("in.csv", random_lines(1, 100, 1, 50, 0));
  const std::string other = folder.write("other.csv", random_lines(2, 100, 1, 50, 0));
  const Prepared found = prepare(files({input, other}, false), {}, MemoryBudget::of_pairs(20));
  EXPECT_NE(found.error.find("pairs of one user needs"), std::string::npos) << found.error;
}

TEST(MemoryLimit, IsAnAmount) {
  PrepareOptions options;
  options.memory_limit = "many";
  EXPECT_NE(error_of([&] {
              prepare_dataset({"none"}, "out", options);
            }).find("'many' is not an amount of memory"),
            std::string::npos);
}

}  // namespace
}  // namespace divns
