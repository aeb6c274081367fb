// SPDX-License-Identifier: Apache-2.0
#include "train/sampler_optimizer.h"

#include <gtest/gtest.h>

#include "divns/tensors.h"
#include "support/tables.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

constexpr size_t kCount = 21;  // not a multiple of any vector width

// One block of parameters, and the same numbers as a table for the optimizer of the embeddings.
struct Block {
  explicit Block(double learning_rate) : rate(learning_rate) {
    const Table random = testing::random_table(2, kCount, 3);
    values.assign(random.row(0), random.row(0) + kCount);
    gradient.assign(random.row(1), random.row(1) + kCount);
  }
  std::vector<SamplerParameters> list() { return {{"block", values, gradient, rate}}; }
  double rate;
  std::vector<float> values;
  std::vector<float> gradient;
};

// Every optimizer moves the parameters of a sampler as it moves an embedding with this gradient.
TEST(SamplerOptimizer, FollowsTheOptimizerOfTheRun) {
  for (const OptimizerKind kind :
       {OptimizerKind::kAdam, OptimizerKind::kLazyAdam, OptimizerKind::kSgd})
    for (const double own_rate : {0.0, 0.02}) {
      const OptimizerOptions options{.kind = kind, .learning_rate = 0.005};
      Block block(own_rate);
      Table table(1, kCount);
      Table gradient(1, kCount);
      std::copy(block.values.begin(), block.values.end(), table.row(0));
      std::copy(block.gradient.begin(), block.gradient.end(), gradient.row(0));
      OptimizerOptions for_table = options;
      if (own_rate > 0) for_table.learning_rate = own_rate;
      const Executor executor(1);
      Optimizer embeddings(for_table, {&table}, executor);
      SamplerOptimizer optimizer(options, block.list());
      const std::vector<uint32_t> rows = {0};
      for (int t = 0; t < 5; ++t) {
        optimizer.step(block.list());
        embeddings.begin_step();
        embeddings.step_rows(0, rows, gradient);
      }
      for (size_t k = 0; k < kCount; ++k)
        EXPECT_NEAR(block.values[k], table.row(0)[k], 1e-6) << static_cast<int>(kind) << " " << k;
    }
}

TEST(SamplerOptimizer, ContinuesFromACheckpointWithTheSameBits) {
  for (const OptimizerKind kind : {OptimizerKind::kAdam, OptimizerKind::kSgd}) {
    const OptimizerOptions options{.kind = kind};
    Block straight(0);
    Block parted(0);
    SamplerOptimizer whole(options, straight.list());
    for (int t = 0; t < 6; ++t) whole.step(straight.list());
    const testing::TempFolder folder;
    {
      SamplerOptimizer first(options, parted.list());
      for (int t = 0; t < 3; ++t) first.step(parted.list());
      TensorWriter out;
      first.save(out, parted.list());
      out.write(folder.path() / "state");
    }
    Block loaded(0);
    SamplerOptimizer second(options, loaded.list());
    second.load(TensorReader(folder.path() / "state"), loaded.list());
    for (int t = 0; t < 3; ++t) second.step(loaded.list());
    EXPECT_EQ(loaded.values, straight.values);
  }
}

}  // namespace
}  // namespace divns
