// SPDX-License-Identifier: Apache-2.0
// Repeats trainings whose authors published the figures that their programs printed, with our
// trainer. Their random choices follow from their seed (chance.py); everything else is ours:
// propagation, choice of negatives, gradients, Adam, ranking, metrics.
//
// runs.json lists the runs. A run has these fields:
//   name         of the test
//   split        folder with train.txt and test.txt below DIVNS_DATA_DIR; we do not ship the data
//   sampler, seed, settings   of the training; settings are options by name
//   drawn_first  what PyTorch drew before the parameters, as chance.py calls it
//   exact_to     last epoch up to which every printed digit is met, or -1. In a later epoch some
//                row had two candidates whose scores differ by less than float32 can tell, their
//                program took the other one, and the runs differ a little from then on
//   points       [epoch, sum of the losses of its batches, recall@20, ndcg@20 on the test part]
// DIVNS_PUBLISHED_RUNS names another list. All points of all runs take some minutes. Unless
// DIVNS_ALL_PUBLISHED is set, points after epoch 5 are left out, except for RNS.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "divns/evaluate.h"
#include "divns/options.h"
#include "samplers/replay.h"
#include "support/adjacency.h"
#include "support/interactions.h"
#include "support/temp_folder.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::read_adjacency;
using testing::TempFolder;

struct PublishedPoint {
  uint32_t epoch;
  double loss;
  double recall;
  double ndcg;
};

struct PublishedRun {
  std::string name;
  std::string split;
  std::string sampler;
  int seed;
  std::map<std::string, std::string> settings;
  std::string drawn_first;
  int exact_to;
  std::vector<PublishedPoint> points;

  int candidates() const {
    const auto found = settings.find(sampler + ".candidates");
    return found == settings.end() ? 1 : std::stoi(found->second);
  }
};

// NOLINTBEGIN(concurrency-mt-unsafe): before any thread exists
std::vector<PublishedRun> published_runs() {
  const char* other = std::getenv("DIVNS_PUBLISHED_RUNS");
  const nlohmann::json list =
      nlohmann::json::parse(std::ifstream(other != nullptr ? other : DIVNS_PUBLISHED_RUNS));
  const bool all = std::getenv("DIVNS_ALL_PUBLISHED") != nullptr;
  std::vector<PublishedRun> runs;
  for (const auto& each : list) {
    PublishedRun& run = runs.emplace_back(PublishedRun{each.at("name"),
                                                       each.at("split"),
                                                       each.at("sampler"),
                                                       each.at("seed"),
                                                       each.at("settings"),
                                                       each.at("drawn_first"),
                                                       each.at("exact_to"),
                                                       {}});
    for (const auto& point : each.at("points"))
      if (all || run.sampler == "rns" || point.at(0) <= 5)
        run.points.push_back({point.at(0), point.at(1), point.at(2), point.at(3)});
  }
  return runs;
}
// NOLINTEND(concurrency-mt-unsafe)

uint32_t items_in(const std::vector<std::vector<uint32_t>>& rows) {
  uint32_t count = 0;
  for (const auto& row : rows)
    if (!row.empty()) count = std::max(count, row.back() + 1);
  return count;
}

template <class T>
std::vector<T> read_all(const std::string& path) {
  std::vector<T> values(std::filesystem::file_size(path) / sizeof(T));
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

// The files of chance.py.
class Chance final : public Replay {
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

  void initial_parameters(Table& users, Table& items) const override {
    std::copy(users_.begin(), users_.end(), users.data());
    std::copy(items_.begin(), items_.end(), items.data());
  }
  void order(uint32_t epoch, std::span<uint64_t> pairs) const override {
    for (size_t p = 0; p < pairs.size(); ++p) {
      const size_t at = 2 * (epoch * train_.pairs() + p);
      const auto row = train_.row(pairs_[at]);
      const auto place = std::lower_bound(row.begin(), row.end(), pairs_[at + 1]) - row.begin();
      pairs[p] = train_.offsets[pairs_[at]] + static_cast<uint64_t>(place);
    }
  }
  void candidates(const Batch& batch, size_t b, std::span<uint32_t> out) const override {
    copy_row(candidates_, batch, b, candidates_each_, out);
  }
  void shares(const Batch& batch, size_t b, std::span<float> out) const override {
    copy_row(shares_, batch, b, out.size(), out);
  }

 private:
  template <class T>
  void copy_row(const std::vector<T>& from, const Batch& batch, size_t b, size_t each,
                std::span<T> out) const {
    const size_t row = batch.epoch * used_ + batch.place(b);
    std::copy_n(from.begin() + static_cast<ptrdiff_t>(row * each), out.size(), out.begin());
  }

  Interactions train_;
  size_t used_;
  size_t candidates_each_;
  std::vector<float> users_;
  std::vector<float> items_;
  std::vector<uint32_t> pairs_;
  std::vector<uint32_t> candidates_;
  std::vector<float> shares_;
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
  auto train_rows = read_adjacency(data + "/train.txt");
  auto test_rows = read_adjacency(data + "/test.txt");
  const uint32_t item_count = std::max(items_in(train_rows), items_in(test_rows));
  const size_t user_count = std::max(train_rows.size(), test_rows.size());
  train_rows.resize(user_count);
  test_rows.resize(user_count);
  const OwnedInteractions train(train_rows, item_count);
  const OwnedInteractions test(test_rows, item_count);
  const TempFolder folder;
  const uint32_t epochs = published.points.back().epoch + 1;
  const std::string command =
      fmt::format("/usr/bin/python3 {} {}/train.txt {}/test.txt {} {} {} {} {}", DIVNS_CHANCE, data,
                  data, published.seed, published.candidates(), epochs, published.drawn_first,
                  folder.path().string());
  ASSERT_EQ(std::system(command.c_str()), 0) << command;

  const Chance chance(folder, train.view(), published.candidates());
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  options.set("sampler", published.sampler, OptionSource::kSet);
  for (const auto& [name, value] : published.settings) options.set(name, value, OptionSource::kSet);
  setup.resolve(options);
  const Executor executor;
  TrainerParts parts = setup.take_parts();
  parts.replay = &chance;
  Sampler& sampler = *parts.sampler;
  Trainer trainer(setup.config(), std::move(parts), train.view(), {}, executor);
  if (!sampler.parameters().empty()) set_gates(sampler, read_all<float>(folder.file("gates.f32")));

  for (const PublishedPoint& point : published.points) {
    EpochReport report;
    while (trainer.epochs_done() <= point.epoch) report = trainer.run_epoch();
    const auto [users, items] = trainer.current_vectors();
    const Evaluation result = evaluate(
        {.users = users, .items = items, .train = train.view(), .relevant = test.view()}, executor);
    const bool exact = static_cast<int>(point.epoch) <= published.exact_to;
    const double recall = result.mean("recall@20");
    const double ndcg = result.mean("ndcg@20");
    SCOPED_TRACE(fmt::format("epoch {}: loss {}, recall {}, ndcg {}", point.epoch, report.loss,
                             recall, ndcg));
    EXPECT_NEAR(report.loss / point.loss, 1, exact ? 2e-6 : 2e-4);
    EXPECT_NEAR(recall, point.recall, exact ? 1.5e-8 : 0.015 * point.recall);
    EXPECT_NEAR(ndcg, point.ndcg, exact ? 1.5e-8 : 0.015 * point.ndcg);
  }
}

INSTANTIATE_TEST_SUITE_P(Authors, PublishedRuns, ::testing::ValuesIn(published_runs()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace divns
