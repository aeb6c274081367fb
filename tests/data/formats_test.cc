// SPDX-License-Identifier: Apache-2.0
// A small file of every format that people have, read with --format auto and by name.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/reader.h"
#include "support/compress.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

struct Example {
  std::string format;
  std::string name;
  std::string text;
};

class Formats : public ::testing::TestWithParam<Example> {};

std::vector<std::string> read_pairs(const std::string& path, const std::string& format) {
  ReadRequest request;
  request.layout.format = format;
  const Executor executor(2);
  ScratchSpace disk(std::filesystem::temp_directory_path());
  PairReader reader(request, disk, executor);
  reader.read(std::span(&path, 1));
  const auto result = reader.finish({}, 1);
  std::vector<std::string> pairs;
  result.groups[0].for_each([&](const Slab& slab) {
    for (uint32_t row = 0; row < slab.rows.users(); ++row)
      for (uint64_t at = slab.rows.offsets[row]; at < slab.rows.offsets[row + 1]; ++at)
        pairs.push_back(fmt::format("{}-{}", result.user_ids[slab.first_user + row],
                                    result.item_ids[slab.rows.items[at]]));
  });
  return pairs;
}

TEST_P(Formats, AreRecognisedAndReadByName) {
  const testing::TempFolder folder;
  const auto& [format, name, text] = GetParam();
  const std::vector<std::string> expected = {"1-10", "1-11", "2-10"};
  const std::string plain = folder.write(name, text);
  EXPECT_EQ(read_pairs(plain, "auto"), expected);
  EXPECT_EQ(read_pairs(plain, format), expected);
  EXPECT_EQ(read_pairs(folder.write(name + ".gz", testing::gzip(text)), "auto"), expected);
  EXPECT_EQ(read_pairs(folder.write(name + ".zst", testing::zstd(text)), "auto"), expected);
}

INSTANTIATE_TEST_SUITE_P(
    All, Formats,
    ::testing::Values(
        Example{"csv", "mine.csv",
                "when,item,user\n2020-01-01,10,1\n2020-01-02,11,1\n2020-01-03,10,2\n"},
        Example{"tsv", "mine.tsv", "user\titem\n1\t10\n1\t11\n2\t10\n"},
        Example{"uirt", "pairs.txt", "1 10 3.5\n1 11 4\n2 10 1\n"},
        Example{"inter", "ml.inter",
                "user_id:token\titem_id:token\trating:float\ttimestamp:float\n1\t10\t5\t1."
                "0\n1\t11\t4\t2.0\n2\t10\t3\t3.0\n"},
        Example{"adjacency", "train.txt", "1 10 11\n2 10\n"},
        Example{"ml-100k", "u.data",
                "1\t10\t3\t881250949\n1\t11\t3\t891717742\n2\t10\t1\t878887116\n"},
        Example{"ml-1m", "ratings.dat",
                "1::10::5::978300760\n1::11::3::978302109\n2::10::3::978301968\n"},
        Example{"ml-csv", "ratings.csv",
                "userId,movieId,rating,timestamp\n1,10,4.0,964982703\n1,11,4.0,964981247\n2,10,4.0,"
                "964982224\n"},
        Example{"amazon-json", "reviews_Beauty_5.json",
                "{\"reviewerID\": \"1\", \"asin\": \"10\", \"reviewText\": \"good, "
                "\\\"really\\\"\", \"overall\": 5.0, "
                "\"unixReviewTime\": 1391040000}\n"
                "{\"reviewerID\": \"1\", \"asin\": \"11\", \"overall\": 3.0, \"unixReviewTime\": "
                "1397779200}\n"
                "{\"reviewerID\": \"2\", \"asin\": \"10\", \"overall\": 4.0, \"unixReviewTime\": "
                "1378425600}\n"},
        Example{"amazon-csv", "ratings_Beauty.csv",
                "1,10,5.0,1369699200\n1,11,3.0,1355443200\n2,10,5.0,1404691200\n"},
        Example{"ncf", "pinterest-20.train.rating", "1\t10\t1\t1\n1\t11\t1\t2\n2\t10\t1\t1\n"},
        Example{"yelp", "yelp_academic_dataset_review.json",
                "{\"review_id\":\"K\",\"user_id\":\"1\",\"business_id\":\"10\",\"stars\":3.0,"
                "\"useful\":0,\"text\":\"ok\","
                "\"date\":\"2018-07-07 22:09:11\"}\n"
                "{\"review_id\":\"L\",\"user_id\":\"1\",\"business_id\":\"11\",\"stars\":5.0,"
                "\"date\":\"2012-01-03 15:28:18\"}\n"
                "{\"review_id\":\"M\",\"user_id\":\"2\",\"business_id\":\"10\",\"stars\":3.0,"
                "\"date\":\"2014-02-05 20:30:30\"}\n"}),
    [](const auto& example) {
      std::string name = example.param.format;
      std::erase(name, '-');
      return name;
    });

}  // namespace
}  // namespace divns
