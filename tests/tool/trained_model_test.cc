// SPDX-License-Identifier: Apache-2.0
// The verbs that use a trained model, on the users and items of the worked examples.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "data/dataset_writer.h"
#include "eval/per_user_file.h"
#include "io/model_file.h"
#include "io/npy.h"
#include "support/interactions.h"
#include "support/temp_folder.h"
#include "support/tool.h"
#include "support/worked_example.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::run_tool;
using testing::ToolResult;

// Returns the hash.
std::string prepare(const std::string& folder, const PreparedContents& contents) {
  StagedFolder staging(folder);
  const WrittenDataset written = write_prepared(staging, contents, Executor(1));
  staging.commit();
  return written.hash;
}

SlabStore store(const Interactions& part) {
  Rows rows;
  rows.offsets.assign(part.offsets.begin(), part.offsets.end());
  rows.items.assign(part.items.begin(), part.items.end());
  SlabStore store;
  store.add(std::move(rows));
  return store;
}

class TrainedModelVerbs : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::string> users = {"ann", "bob", "eve"};
    const std::vector<std::string> items = {"i0", "i1", "i2", "i3", "i4", "i5"};
    const std::vector<std::string> names = {"Zero", "One, \"1\"", "Two", "Three", "Four", ""};
    const OwnedInteractions train({{0, 1}, {2}, {3, 5}}, 6);
    const OwnedInteractions valid({{2}, {}, {}}, 6);
    const OwnedInteractions test({{3, 4}, {1}, {0, 2}}, 6);
    const SlabStore parts[] = {store(train.view()), store(valid.view()), store(test.view())};
    const IdList user_ids(users);
    const IdList item_ids(items);
    const std::string hash = prepare(data(), {parts, user_ids, item_ids, IdList(names), "{}"});

    std::filesystem::create_directories(run());
    write_model_file(
        std::filesystem::path(run()) / kModelFileName,
        {{.user_vectors = testing::kExampleUserTable, .item_vectors = testing::kExampleItemTable},
         [&](uint32_t i) { return std::string_view(users[i]); },
         [&](uint32_t i) { return std::string_view(items[i]); },
         [&](uint32_t i) { return std::string_view(names[i]); },
         "mf",
         "rns",
         1,
         hash,
         ""});
    folder_.write("run/run.json", json_line(Json{{"data", data()}}));
  }
  std::string data() const { return folder_.file("data"); }
  std::string run() const { return folder_.file("run"); }

  testing::TempFolder folder_;
};

TEST_F(TrainedModelVerbs, Evaluate) {
  const ToolResult result = run_tool("evaluate " + run() + " --topk 2,5 --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const Json printed = parse_json(result.out);
  EXPECT_EQ(printed["part"], "test");
  EXPECT_EQ(printed["users"], 3);
  EXPECT_NEAR(printed["metrics"]["recall@2"].get<double>(), .8333333, 5e-8);
  EXPECT_NEAR(printed["metrics"]["ndcg@2"].get<double>(), .7956176, 5e-8);
  const PerUserFile kept =
      read_per_user_file(std::filesystem::path(run()) / "per_user_test.safetensors");
  EXPECT_EQ(kept.metrics.users, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(kept.dataset_hash, printed["dataset_hash"]);
  EXPECT_TRUE(std::filesystem::exists(folder_.file("run/metrics_test.json")));

  const ToolResult table = run_tool("evaluate " + run() + " --part valid --topk 1");
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_NE(table.out.find("recall"), std::string::npos);
}

TEST_F(TrainedModelVerbs, EvaluateMasksValidationItemsOnDemand) {
  // Without item 2, which is ann's in the valid part, her list of the test part is one shorter.
  const ToolResult result = run_tool("evaluate " + run() + " --topk 5 --mask train+valid --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const ToolResult refused = run_tool("evaluate " + run() + " --part valid --mask train+valid");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--part test"), std::string::npos);
}

TEST_F(TrainedModelVerbs, EvaluateRefusesAnotherDataset) {
  const OwnedInteractions none({{0}, {}, {}}, 6);
  const SlabStore parts[] = {store(none.view()), store(none.view()), store(none.view())};
  const IdList users(std::vector<std::string>{"0", "1", "2"});
  const IdList items(std::vector<std::string>{"0", "1", "2", "3", "4", "5"});
  prepare(folder_.file("other"), {parts, users, items, {}, "{}"});
  const ToolResult result = run_tool("evaluate " + run() + " --data " + folder_.file("other"));
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("another dataset"), std::string::npos) << result.err;
}

TEST_F(TrainedModelVerbs, RecommendToOneUser) {
  const ToolResult result = run_tool("recommend " + run() + " --user ann --k 3 --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const Json printed = parse_json(result.out);
  ASSERT_EQ(printed.size(), 1U);
  EXPECT_EQ(printed[0]["user"], "ann");
  ASSERT_EQ(printed[0]["list"].size(), 3U);
  EXPECT_EQ(printed[0]["list"][0]["item"], "i4");
  EXPECT_EQ(printed[0]["list"][0]["name"], "Four");
  EXPECT_EQ(printed[0]["list"][1]["item"], "i3");
  EXPECT_EQ(printed[0]["list"][2]["item"], "i2");
}

TEST_F(TrainedModelVerbs, RecommendToAllAsCsv) {
  const std::string out = folder_.file("top.csv");
  const ToolResult result =
      run_tool("recommend " + run() + " --all --k 1 --keep-seen --quiet --out " + out);
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(read_text_file(out),
            "user,rank,item,score,name\nann,1,i4,1,Four\nbob,1,i2,1,Two\n"
            "eve,1,i5,0.68,\n");
  const std::string one = folder_.file("one.csv");
  ASSERT_EQ(run_tool("recommend " + run() + " --user bob --k 1 --quiet --out " + one).code, 0);
  EXPECT_NE(read_text_file(one).find("bob,1,i1,0.6"), std::string::npos);
  EXPECT_NE(read_text_file(one).find("\"One, \"\"1\"\"\""), std::string::npos);
}

TEST_F(TrainedModelVerbs, RecommendAsJsonLinesAndNumpy) {
  const std::string lines = folder_.file("top.jsonl");
  ASSERT_EQ(run_tool("recommend " + run() + " --all --k 2 --quiet --out " + lines).code, 0);
  EXPECT_EQ(parse_json(read_text_file(lines).substr(0, read_text_file(lines).find('\n')))["user"],
            "ann");
  const std::string npy = folder_.file("top.npy");
  ASSERT_EQ(run_tool("recommend " + run() + " --all --k 6 --quiet --out " + npy).code, 0);
  EXPECT_EQ(read_text_file(folder_.file("top.rows.txt")), "ann\nbob\neve\n");
  EXPECT_EQ(read_text_file(folder_.file("top.ids.txt")), "i0\ni1\ni2\ni3\ni4\ni5\n");
  const NpyArray<float> scores = read_npy<float>(folder_.file("top.scores.npy"));
  EXPECT_EQ(scores.rows, 3U);
  EXPECT_EQ(scores.columns, 6U);
}

TEST_F(TrainedModelVerbs, RecommendWithAllowAndDenyLists) {
  const std::string allow = folder_.write("allow.txt", "i3\ni5\r\ni2\n\n");
  const std::string deny = folder_.write("deny.txt", "i3\n");
  const ToolResult result = run_tool("recommend " + run() + " --user ann --items " + allow +
                                     " --exclude " + deny + " --json");
  ASSERT_EQ(result.code, 0) << result.err;
  const Json list = parse_json(result.out)[0]["list"];
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]["item"], "i2");
  EXPECT_EQ(list[1]["item"], "i5");
}

TEST_F(TrainedModelVerbs, RecommendToNewUsers) {
  for (const std::string method : {"ridge", "gradient"}) {
    const ToolResult result =
        run_tool("recommend " + run() + " --history i0,i4 --k 1 --json --fold-in " + method);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(parse_json(result.out)[0]["list"][0]["item"], "i3") << method;
  }
  const std::string file = folder_.write("histories.txt", "i0,i4\ni2\n");
  const ToolResult result = run_tool("recommend " + run() + " --history-file " + file + " --json");
  ASSERT_EQ(result.code, 0) << result.err;
  ASSERT_EQ(parse_json(result.out).size(), 2U);
  EXPECT_EQ(parse_json(result.out)[1]["list"][0]["item"], "i1");
}

TEST_F(TrainedModelVerbs, RecommendSaysWhatIsWrong) {
  const ToolResult unknown = run_tool("recommend " + run() + " --user carl");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("knows no user 'carl'"), std::string::npos);
  const ToolResult nobody = run_tool("recommend " + run());
  EXPECT_EQ(nobody.code, 2);
  EXPECT_NE(nobody.err.find("exactly one of them"), std::string::npos);
  const ToolResult format =
      run_tool("recommend " + run() + " --all --out " + folder_.file("x.xml"));
  EXPECT_EQ(format.code, 2);
  EXPECT_NE(format.err.find(".csv, .jsonl or .npy"), std::string::npos);
  const ToolResult bad = run_tool("recommend " + data() + " --all");
  EXPECT_EQ(bad.code, 2);
}

TEST_F(TrainedModelVerbs, AModelFileAloneNeedsADatasetToLeaveOutWhatIsSeen) {
  const std::string model = run() + "/" + std::string(kModelFileName);
  const ToolResult refused = run_tool("recommend " + model + " --user ann");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--data"), std::string::npos);
  EXPECT_EQ(run_tool("recommend " + model + " --user ann --data " + data()).code, 0);
  EXPECT_EQ(run_tool("recommend " + model + " --user ann --keep-seen").code, 0);
}

TEST_F(TrainedModelVerbs, Similar) {
  const ToolResult items = run_tool("similar " + run() + " --item i0 --k 2 --json");
  ASSERT_EQ(items.code, 0) << items.err;
  const Json list = parse_json(items.out)[0]["list"];
  EXPECT_EQ(list[0]["item"], "i4");
  EXPECT_NEAR(list[0]["score"].get<double>(), .9079594, 1e-6);
  const ToolResult users = run_tool("similar " + run() + " --user ann --measure dot");
  EXPECT_EQ(users.code, 0) << users.err;
  EXPECT_NE(users.out.find("bob"), std::string::npos);
  EXPECT_EQ(run_tool("similar " + run()).code, 2);
}

TEST_F(TrainedModelVerbs, Export) {
  const std::string out = folder_.file("vectors");
  ASSERT_EQ(run_tool("export " + run() + " --format npy --quiet --out " + out).code, 0);
  const NpyArray<float> items = read_npy<float>(folder_.file("vectors/item_vectors.npy"));
  EXPECT_EQ(items.rows, 6U);
  ASSERT_EQ(items.columns, 2U);
  EXPECT_EQ(items.row(4)[0], 1.2F);
  EXPECT_EQ(read_text_file(folder_.file("vectors/user_ids.txt")), "ann\nbob\neve\n");

  ASSERT_EQ(run_tool("export " + run() + " --format text --quiet --out " + out + ".text").code, 0);
  EXPECT_EQ(read_text_file(folder_.file("vectors.text/users.tsv")),
            "ann\t1\t0.5\nbob\t-0.5\t1\neve\t0.2\t-0.8\n");

  ASSERT_EQ(
      run_tool("export " + run() + " --format safetensors --quiet --out " + out + ".model").code,
      0);
  EXPECT_EQ(read_text_file(folder_.file("vectors.model/model.safetensors")),
            read_text_file(folder_.file("run/model.safetensors")));
}

TEST_F(TrainedModelVerbs, ExportWithTheColumnThatMakesLengthsEqual) {
  const std::string out = folder_.file("wider");
  ASSERT_EQ(run_tool("export " + run() + " --augment --quiet --out " + out).code, 0);
  const NpyArray<float> items = read_npy<float>(folder_.file("wider/item_vectors.npy"));
  ASSERT_EQ(items.columns, 3U);
  for (size_t i = 0; i < 6; ++i) {
    double square = 0;
    for (const float value : items.row(i)) square += static_cast<double>(value) * value;
    EXPECT_NEAR(square, 1.6, 1e-6);
  }
  EXPECT_EQ(read_npy<float>(folder_.file("wider/user_vectors.npy")).row(1)[2], 0);
}

}  // namespace
}  // namespace divns
