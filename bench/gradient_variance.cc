// SPDX-License-Identifier: Apache-2.0
// Error of the gradient of a sampled softmax by the users' vectors, for a trained model: shared
// negatives chosen uniformly, by popularity and by a k-DPP, at equal M. The exact gradient sums
// over all items.
//
//   gradient_variance DATASET RUN [draws] [temperature]
//
// For M and each way of choosing: the mean square of (estimate - exact), divided by that of the
// exact gradient, over the rows and the draws; and the part of it that is bias, i.e. remains in the
// mean over the draws. Rows are 512 training pairs. The run must have been trained with
// similarity = cosine.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "divns/dataset.h"
#include "divns/error.h"
#include "divns/model.h"
#include "divns/options.h"
#include "divns/random.h"
#include "divns/registry.h"
#include "train/score_block.h"

namespace divns {
namespace {

constexpr size_t kRows = 512;

struct Way {
  const char* label;
  const char* sampler;
  std::vector<std::pair<std::string, std::string>> settings;
};

const std::vector<Way>& ways() {
  static const std::vector<Way> all = {
      {"uniform", "shared", {}},
      {"popularity^0.75, corrected",
       "shared",
       {{"shared.law", "popularity"}, {"shared.exponent", "0.75"}}},
      {"popularity, corrected", "shared", {{"shared.law", "popularity"}, {"shared.exponent", "1"}}},
      {"k-DPP of 2048, corrected", "dpp_shared", {}},
      {"k-DPP of 2048, equal weights", "dpp_shared", {{"dpp_shared.correction", "0"}}}};
  return all;
}

struct Errors {
  double total = 0;
  double bias = 0;
};

class Measurement {
 public:
  Measurement(const Dataset& data, const TrainedModel& model, double temperature)
      : train_(data.train()),
        view_{model.user_vectors(), model.item_vectors(), {}, {}, {}},
        loss_(find_loss("softmax").make()),
        block_(make_block(temperature)) {
    Draws draws = Random(1, "gradient variance").draws();
    for (size_t b = 0; b < kRows; ++b) {
      const uint64_t pair = draws.below64(train_.pairs());
      const auto next = std::upper_bound(train_.offsets.begin(), train_.offsets.end(), pair);
      users_.push_back(static_cast<uint32_t>(next - train_.offsets.begin() - 1));
      positives_.push_back(train_.items[pair]);
      pairs_.push_back(pair);
    }
    SharedNegatives all;
    all.items.resize(train_.item_count);
    std::iota(all.items.begin(), all.items.end(), 0U);
    block_.compute(batch(0), all, {}, view_.users, view_.items);
    exact_ = gradient();
  }

  Errors of(const Way& way, int size, uint32_t draws) {
    const auto sampler = find_sampler(way.sampler).make();
    Options options;
    sampler->declare(options);
    options.set(fmt::format("{}.size", way.sampler), std::to_string(size), OptionSource::kSet);
    for (const auto& [name, value] : way.settings) options.set(name, value, OptionSource::kSet);
    sampler->start({.train = train_, .executor = executor_, .dim = view_.items.dim});
    std::vector<double> mean(exact_.size(), 0);
    Errors errors;
    for (uint32_t draw = 0; draw < draws; ++draw) {
      RowsToRead rows;
      Negatives negatives;
      sampler->propose(batch(draw), rows);
      sampler->choose(batch(draw), view_, negatives);
      block_.compute(batch(draw), negatives.shared, {}, view_.users, view_.items);
      const std::vector<double> estimate = gradient();
      for (size_t i = 0; i < mean.size(); ++i) {
        mean[i] += estimate[i] / draws;
        errors.total += (estimate[i] - exact_[i]) * (estimate[i] - exact_[i]) / draws;
      }
    }
    double square = 0;
    for (size_t i = 0; i < mean.size(); ++i) {
      errors.bias += (mean[i] - exact_[i]) * (mean[i] - exact_[i]);
      square += exact_[i] * exact_[i];
    }
    errors.total /= square;
    errors.bias /= square;
    return errors;
  }

 private:
  ScoreBlock make_block(double temperature) {
    Options options;
    loss_->declare(options);
    options.set("softmax.temperature", fmt::format("{}", temperature), OptionSource::kSet);
    loss_->start({.train = train_, .cosine = true, .shared_negatives = true});
    return {*loss_, train_, view_.items.dim, executor_};
  }
  Batch batch(uint32_t epoch) const {
    return {.epoch = epoch, .users = users_, .positives = positives_, .pairs = pairs_};
  }
  // By the users' vectors, through the negatives.
  std::vector<double> gradient() const {
    const Table& table = block_.user_gradients();
    return {table.data(), table.data() + kRows * table.stride()};
  }

  const Executor executor_;
  Interactions train_;
  EmbeddingView view_;
  std::unique_ptr<Loss> loss_;
  ScoreBlock block_;
  std::vector<uint32_t> users_;
  std::vector<uint32_t> positives_;
  std::vector<uint64_t> pairs_;
  std::vector<double> exact_;
};

void run(const char* data_folder, const char* run_folder, uint32_t draws, double temperature) {
  const Dataset data = Dataset::open(data_folder);
  const TrainedModel model = TrainedModel::load(run_folder);
  Measurement measurement(data, model, temperature);
  fmt::print("| M | negatives | relative mean square error | of it bias |\n|---|---|---|---|\n");
  for (const int size : {8, 16, 32, 56})
    for (const Way& way : ways()) {
      const Errors errors = measurement.of(way, size, draws);
      fmt::print("| {} | {} | {:.4f} | {:.4f} |\n", size, way.label, errors.total, errors.bias);
    }
}

}  // namespace
}  // namespace divns

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "gradient_variance DATASET RUN [draws] [temperature]\n");
    return 2;
  }
  try {
    divns::run(argv[1], argv[2], argc > 3 ? static_cast<uint32_t>(std::atoi(argv[3])) : 300,
               argc > 4 ? std::atof(argv[4]) : 0.1);
  } catch (const divns::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
  return 0;
}
