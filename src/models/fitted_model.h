// SPDX-License-Identifier: Apache-2.0
// A recommender that is fitted to all pairs at once, without a sampler and without batches. It
// serves as a baseline for trained models.
//
//   const auto model = find_fitted_model("ials")->make();
//   model->declare(options);                           // then values are set
//   model->fit({data.train(), executor, seed});
//   const Scorer scorer = model->scorer();
//   evaluate({.users = scorer.users, .items = scorer.items, .train = data.train(),
//             .relevant = data.valid(), .scores = scorer.source}, executor);
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "divns/interactions.h"
#include "divns/parallel.h"
#include "divns/scores.h"

namespace divns {

class Options;

struct FitContext {
  Interactions train;
  const Executor& executor;
  uint64_t seed = 1;
  // Quality on the validation part; higher is better. If given, a model that is fitted in epochs
  // keeps the best one. Other models ignore it.
  std::function<double(const Scorer&)> validate = {};
  // Called from time to time with the share of the work that is done.
  std::function<void(double share)> on_progress = {};
};

// Result of a fit.
struct FitReport {
  uint32_t epochs = 0;  // 0 for models without epochs
  bool validated = false;
  double best_metric = 0;   // with `validated`: validate() of the epoch that was kept
  uint32_t best_epoch = 0;  // counted from 0
};

class FittedModel {
 public:
  virtual ~FittedModel() = default;

  // Option names begin with the name of the model, as in "ials.alpha0".
  virtual void declare(Options& /*options*/) {}
  // Called once, when every option has its value. The training pairs must outlive the model. The
  // result has the same bits for any number of threads.
  virtual FitReport fit(const FitContext& context) = 0;
  // Valid after fit(), for the lifetime of the model.
  virtual Scorer scorer() const = 0;
  // Of a model that ranks by item-item weights (ItemWeightScores): B, row by row. Empty for a model
  // with vectors.
  virtual std::vector<float> item_weights() const { return {}; }
};

}  // namespace divns
