// SPDX-License-Identifier: Apache-2.0
// Runs whose authors published every figure they printed, made again with our trainer. What chance
// decided in them follows from their seed (chance.py); all the rest is ours: propagation, choice of
// negatives, gradients, Adam, ranking, metrics. The data is not ours to ship: DIVNS_DATA_DIR names
// its folder. All points of all runs take some minutes, so but for RNS the later ones are left out
// unless DIVNS_ALL_PUBLISHED is set.
#include "published/published_runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "eval/evaluate.h"
#include "support/adjacency.h"
#include "support/interactions.h"
#include "support/temp_folder.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::kPublishedRuns;
using testing::OwnedInteractions;
using testing::PublishedPoint;
using testing::PublishedRun;
using testing::read_adjacency;
using testing::TempFolder;

template <class T>
std::vector<T> read_all(const std::string& path) {
  std::vector<T> values(std::filesystem::file_size(path) / sizeof(T));
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

// The files of chance.py as a run that a trainer can be given.
class Chance {
 public:
  Chance(const TempFolder& folder, const Interactions& train, int candidates)
      : train_(train),
        used_(train.pairs() / 2048 * 2048),
        candidates_each_(static_cast<size_t>(candidates)),
        users_(read_all<float>(folder.file("users.f32"))),
        items_(read_all<float>(folder.file("items.f32"))),
        pairs_(read_all<uint32_t>(folder.file("pairs.u32"))),
        candidates_(read_all<uint32_t>(folder.file("candidates.u32"))),
        shares_(read_all<float>(folder.file("shares.f32"))) {}

  GivenRun run() {
    return {[this](Table& users, Table& items) {
              std::copy(users_.begin(), users_.end(), users.data());
              std::copy(items_.begin(), items_.end(), items.data());
            },
            [this](uint32_t epoch) { return order(epoch); },
            {[this](const Batch& batch, size_t b, std::span<uint32_t> out) {
               copy_row(candidates_, batch, b, candidates_each_, out);
             },
             [this](const Batch& batch, size_t b, std::span<float> out) {
               copy_row(shares_, batch, b, out.size(), out);
             }}};
  }

 private:
  template <class T>
  void copy_row(const std::vector<T>& from, const Batch& batch, size_t b, size_t each,
                std::span<T> out) const {
    const size_t row = batch.epoch * used_ + batch.place(b);
    std::copy_n(from.begin() + static_cast<ptrdiff_t>(row * each), out.size(), out.begin());
  }

  std::span<const uint64_t> order(uint32_t epoch) {
    order_.clear();
    for (size_t i = epoch * train_.pairs(); i < (epoch + 1) * train_.pairs(); ++i) {
      const uint32_t user = pairs_[2 * i];
      const auto row = train_.row(user);
      const auto place = std::lower_bound(row.begin(), row.end(), pairs_[2 * i + 1]) - row.begin();
      order_.push_back(train_.offsets[user] + static_cast<uint64_t>(place));
    }
    return order_;
  }

  Interactions train_;
  size_t used_;
  size_t candidates_each_;
  std::vector<float> users_;
  std::vector<float> items_;
  std::vector<uint32_t> pairs_;
  std::vector<uint32_t> candidates_;
  std::vector<float> shares_;
  std::vector<uint64_t> order_;
};

// Their layers are drawn as user, item, positive, negative: weights, then biases.
void set_gates(Sampler& sampler, const std::vector<float>& gates) {
  const std::vector<std::string> order = {"user_gate", "item_gate", "positive_gate",
                                          "negative_gate"};
  const size_t each = gates.size() / order.size();
  for (const SamplerParameters& parameters : sampler.parameters())
    for (size_t g = 0; g < order.size(); ++g) {
      const size_t bias = each - 64;
      if (parameters.name == order[g] + ".weight")
        std::copy_n(&gates[g * each], bias, parameters.values.begin());
      if (parameters.name == order[g] + ".bias")
        std::copy_n(&gates[g * each + bias], 64, parameters.values.begin());
    }
}

class PublishedRuns : public ::testing::TestWithParam<PublishedRun> {};

TEST_P(PublishedRuns, AreMadeAgain) {
  const char* root = std::getenv("DIVNS_DATA_DIR");  // NOLINT(concurrency-mt-unsafe)
  if (root == nullptr) GTEST_SKIP() << "DIVNS_DATA_DIR is not set";
  if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0)
    GTEST_SKIP() << "/usr/bin/python3 has no NumPy";
  const PublishedRun& published = GetParam();
  const std::string data = std::string(root) + "/" + published.split;
  const OwnedInteractions train(read_adjacency(data + "/train.txt", published.users),
                                published.items);
  const OwnedInteractions test(read_adjacency(data + "/test.txt", published.users),
                               published.items);
  const TempFolder folder;
  std::vector<PublishedPoint> points = published.points;
  // NOLINTNEXTLINE(concurrency-mt-unsafe)
  const bool all = published.candidates == 1 || std::getenv("DIVNS_ALL_PUBLISHED") != nullptr;
  if (!all) std::erase_if(points, [](const PublishedPoint& point) { return point.epoch > 5; });
  const uint32_t epochs = points.back().epoch + 1;
  const std::string command = fmt::format(
      "/usr/bin/python3 {} {}/train.txt {}/test.txt {} {} {} {} {}", DIVNS_CHANCE, data, data,
      published.seed, published.candidates, epochs, published.begin, folder.path().string());
  ASSERT_EQ(std::system(command.c_str()), 0) << command;

  Chance chance(folder, train.view(), published.candidates);
  const GivenRun given = chance.run();
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  for (const std::string& option : published.options)
    options.set_assignment(option, OptionSource::kSet);
  setup.resolve(options);
  const Executor executor;
  auto owned_sampler = setup.take_sampler();
  Sampler& sampler = *owned_sampler;
  Trainer trainer(setup.config(), setup.take_model(), std::move(owned_sampler), train.view(), {},
                  executor, &given);
  if (!sampler.parameters().empty()) set_gates(sampler, read_all<float>(folder.file("gates.f32")));

  for (const PublishedPoint& point : points) {
    EpochReport report;
    while (trainer.epochs_done() <= point.epoch) report = trainer.run_epoch();
    const auto [users, items] = trainer.current_vectors();
    const Evaluation result = evaluate(
        {.users = users, .items = items, .train = train.view(), .relevant = test.view()}, executor);
    const bool exact = static_cast<int>(point.epoch) <= published.exact_to;
    const double recall = result.mean(Metric::kRecall, 20);
    const double ndcg = result.mean(Metric::kNdcg, 20);
    SCOPED_TRACE(fmt::format("epoch {}: loss {}, recall {}, ndcg {}", point.epoch, report.loss,
                             recall, ndcg));
    EXPECT_NEAR(report.loss / point.loss, 1, exact ? 2e-6 : 2e-4);
    EXPECT_NEAR(recall, point.recall, exact ? 1.5e-8 : 0.015 * point.recall);
    EXPECT_NEAR(ndcg, point.ndcg, exact ? 1.5e-8 : 0.015 * point.ndcg);
  }
}

INSTANTIATE_TEST_SUITE_P(Authors, PublishedRuns, ::testing::ValuesIn(kPublishedRuns),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace divns
