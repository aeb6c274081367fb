// SPDX-License-Identifier: Apache-2.0
// A recommender that is fitted to all pairs at once, without sampled negatives: no sampler, no
// batches. It is a yardstick for those that are trained.
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

#include "base/parallel.h"
#include "divns/interactions.h"
#include "models/score_source.h"

namespace divns {

class Options;

struct FitContext {
  Interactions train;
  const Executor& executor;
  uint64_t seed = 1;
  // Quality on the validation part, the higher the better. Where it is given, a model that is
  // fitted in epochs keeps the best of them; the others do not ask.
  std::function<double(const Scorer&)> validate = {};
  // The share of the work that is done, now and then.
  std::function<void(double share)> on_progress = {};
};

// How a fit went.
struct FitReport {
  uint32_t epochs = 0;  // 0 where there are none
  bool validated = false;
  double best_metric = 0;   // with `validated`: what validate() said of the epoch that was kept
  uint32_t best_epoch = 0;  // counted from 0
};

class FittedModel {
 public:
  virtual ~FittedModel() = default;

  // Names begin with that of the model, as in "ials.alpha0".
  virtual void declare(Options& /*options*/) {}
  // Once, when every option has its value. The training pairs must outlive the model. The result
  // has the same bits for any number of threads.
  virtual FitReport fit(const FitContext& context) = 0;
  // After fit(), and as long as the model lives.
  virtual Scorer scorer() const = 0;
};

}  // namespace divns
