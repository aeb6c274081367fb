// SPDX-License-Identifier: Apache-2.0
// Datasets through the public headers: files, pairs in memory, own splits.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "divns/divns.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

// Six users with five items each; ratings 1 to 5, times ascending within a user.
struct Pairs {
  std::vector<int64_t> users;
  std::vector<int64_t> items;
  std::vector<double> ratings;
  std::vector<int64_t> times;
  std::vector<std::string> user_names;
  std::vector<std::string> item_names;
  std::string tsv;

  Pairs() {
    for (int64_t user = 0; user < 6; ++user)
      for (int64_t n = 0; n < 5; ++n) {
        users.push_back(user + 10);
        items.push_back((user + 2 * n) % 9);
        ratings.push_back(static_cast<double>(n + 1));
        times.push_back(100 * user + n);
        user_names.push_back(std::to_string(users.back()));
        item_names.push_back(std::to_string(items.back()));
        tsv += user_names.back() + "\t" + item_names.back() + "\t" + std::to_string(n + 1) + "\t" +
               std::to_string(times.back()) + "\n";
      }
  }
  PairColumns columns() const { return {std::span(users), std::span(items), ratings, times}; }
};

TEST(DatasetApi, PairsInMemoryGiveTheDatasetOfTheFile) {
  const testing::TempFolder folder;
  const Pairs pairs;
  PrepareOptions options;
  options.min_rating = 2;
  options.split.method = SplitMethod::kTemporalPerUser;
  PrepareOptions of_file = options;
  of_file.layout.rating_column = "3";
  of_file.layout.time_column = "4";
  const Dataset file = Dataset::prepare({folder.write("pairs.tsv", pairs.tsv)}, of_file);
  const Dataset numbers = Dataset::from_pairs(pairs.columns(), options);
  const PairColumns by_name{std::span<const std::string>(pairs.user_names),
                            std::span<const std::string>(pairs.item_names), pairs.ratings,
                            pairs.times};
  const Dataset names = Dataset::from_pairs(by_name, options);
  EXPECT_EQ(numbers.hash(), file.hash());
  EXPECT_EQ(names.hash(), file.hash());
  EXPECT_EQ(numbers.train().pairs() + numbers.valid().pairs() +
                numbers.open_test().interactions().pairs(),
            24U);
  EXPECT_EQ(numbers.user_id(0), "10");
}

TEST(DatasetApi, IdsBeyondPlainNumbersAreKept) {
  const std::vector<int64_t> users = {-5, std::numeric_limits<int64_t>::max(), 7};
  const std::vector<std::string_view> items = {"b", "a", "c"};
  const Dataset data =
      Dataset::from_parts({std::span(users), std::span<const std::string_view>(items)}, {}, {});
  EXPECT_EQ(data.users(), 3U);
  EXPECT_TRUE(data.find_user("-5").has_value());
  EXPECT_TRUE(data.find_user("9223372036854775807").has_value());
  EXPECT_EQ(data.item_id(0), "a");
}

TEST(DatasetApi, OwnSplitsStayAsTheyAre) {
  const Pairs pairs;
  const auto part = [&](size_t first, size_t count) {
    return PairColumns{std::span(pairs.users).subspan(first, count),
                       std::span(pairs.items).subspan(first, count)};
  };
  const Dataset data = Dataset::from_parts(part(0, 20), part(20, 4), part(24, 6));
  EXPECT_EQ(data.train().pairs(), 20U);
  EXPECT_EQ(data.valid().pairs(), 4U);
  EXPECT_EQ(data.open_test().interactions().pairs(), 6U);
  EXPECT_EQ(Dataset::from_parts(part(0, 30), {}, {}).train().pairs(), 30U);
}

TEST(DatasetApi, WrongColumnsGetASentence) {
  const Pairs pairs;
  PairColumns columns = pairs.columns();
  columns.items = std::span(pairs.items).first(3);
  EXPECT_ERROR(Dataset::from_pairs(columns), "`items` has 3 entries");
  columns = pairs.columns();
  const std::vector<double> ratings(pairs.users.size(), std::numeric_limits<double>::quiet_NaN());
  columns.ratings = ratings;
  EXPECT_ERROR(Dataset::from_pairs(columns), "finite");
  columns = pairs.columns();
  columns.times = {};
  PrepareOptions temporal;
  temporal.set("split", "temporal");
  EXPECT_ERROR(Dataset::from_pairs(columns, temporal), "give the column `times`");
  PrepareOptions of_file;
  of_file.set("test_file", "test.tsv");
  EXPECT_ERROR(Dataset::from_pairs(pairs.columns(), of_file), "test_file describes a file");
  EXPECT_ERROR(of_file.set("k_cor", "5"), "k_core");
  const std::vector<std::string> empty(pairs.users.size());
  EXPECT_ERROR(Dataset::from_pairs({std::span<const std::string>(empty), std::span(pairs.items)}),
               "is empty");
}

TEST(DatasetApi, ATemporaryDatasetLeavesNothingBehind) {
  std::filesystem::path folder;
  {
    const Dataset data = Dataset::from_pairs(Pairs().columns());
    folder = data.folder();
    EXPECT_TRUE(std::filesystem::exists(folder));
    EXPECT_EQ(data.statistics().pairs, 30U);
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_FALSE(std::filesystem::exists(folder.parent_path()));
}

}  // namespace
}  // namespace divns
