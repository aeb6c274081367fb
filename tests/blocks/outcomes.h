// SPDX-License-Identifier: Apache-2.0
// Small trainings over blocks, on ranks that are threads, and what comes out of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "blocks/ranked_trainer.h"
#include "blocks/thread_ranks.h"
#include "divns/options.h"
#include "divns/tensors.h"
#include "support/interactions.h"
#include "support/temp_folder.h"

namespace divns::testing {

using Assignments = std::vector<std::string>;

struct Resolved {
  TrainingSetup setup;
  Options options;

  explicit Resolved(const Assignments& assignments) {
    setup.declare(options);
    for (const char* fixed :
         {"epochs=4", "batch_size=16", "embedding_dim=6", "eval_every=1", "learning_rate=0.05"})
      options.set_assignment(fixed, OptionSource::kSet);
    for (const std::string& assignment : assignments)
      options.set_assignment(assignment, OptionSource::kSet);
    setup.resolve(options);
  }
};

inline const OwnedInteractions& pairs() {
  static const OwnedInteractions owned = random_interactions(90, 50, 8, 1);
  return owned;
}

// A stand-in for a metric: the sum of the scores of item 3, which peaks in the second epoch.
inline std::vector<float> scores_of_item(const UserRange& users, const VectorTable& vectors,
                                         const VectorTable& items) {
  std::vector<float> values;
  for (uint32_t row = 0; row < users.size(); ++row) {
    float sum = 0;
    for (uint32_t k = 0; k < items.dim; ++k) sum += vectors.row(row)[k] * items.row(3)[k];
    values.push_back(sum);
  }
  return values;
}

inline std::vector<float> numbers_of(const EpochTrainer::Vectors& vectors) {
  std::vector<float> all;
  for (const VectorTable& table : {vectors.users, vectors.items})
    for (uint32_t i = 0; i < table.rows; ++i)
      all.insert(all.end(), table.row(i), table.row(i) + table.dim);
  return all;
}

struct Where {
  int ranks = 1;
  bool on_disk = false;
  bool validates = true;
  int threads = 2;
};

struct Outcome {
  std::vector<float> vectors;
  std::vector<double> losses;
  std::vector<double> metrics;
  bool operator==(const Outcome&) const = default;
};

// Runs epochs up to `until`; continues from `file` if it exists, and writes it at the end.
template <class BlockedTrainer>
Outcome train_on_ranks(const Assignments& assignments, const Where& where, uint32_t until = 4,
                       const std::filesystem::path& file = {}) {
  Outcome outcome;
  const TempFolder scratch;
  ThreadRanks(where.ranks).run([&](Communicator& ranks) {
    const Resolved resolved(assignments);
    const Executor executor(where.threads);
    BlockedTrainer trainer({resolved.setup.config(), [&] { return resolved.setup.make_parts(); },
                            pairs().view(), where.validates ? scores_of_item : ValidateUsers(),
                            executor, ranks,
                            where.on_disk ? scratch.path() : std::filesystem::path()});
    if (ranks.rank() != 0) return trainer.follow();
    if (!file.empty() && std::filesystem::exists(file)) trainer.load(TensorReader(file));
    while (trainer.epochs_done() < until) {
      const EpochReport report = trainer.run_epoch({});
      outcome.losses.push_back(report.loss);
      if (report.metric) outcome.metrics.push_back(*report.metric);
    }
    if (!file.empty()) {
      TensorWriter out;
      trainer.save(out);
      out.write(file);
    }
    outcome.vectors = numbers_of(trainer.finish());
    trainer.end();
  });
  return outcome;
}

}  // namespace divns::testing
