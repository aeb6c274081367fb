// SPDX-License-Identifier: Apache-2.0
// A sampler of one's own, in one file, trained beside RNS and DNS on synthetic data. The walk
// through it is docs/add-a-sampler.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "base/options.h"
#include "data/synth.h"
#include "samplers/candidate_lists.h"
#include "samplers/registry.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace {

using namespace divns;

// Of n candidates one by lot, with P(j) proportional to exp(s(u, j) / temperature): between uniform
// sampling (hot) and DNS (cold).
class SoftDns final : public Sampler {
 public:
  void declare(Options& options) override {
    source_.declare(options, "soft_dns");
    options.add("soft_dns.temperature", temperature_, "small is hard, large is uniform")
        .above(0)
        .tune_log(0.01, 10);
  }

  void start(const SamplerContext& context) override {
    lists_.emplace(context, source_, "soft_dns");
    random_.emplace(context.seed, "soft_dns.lot");
  }

  void propose(const Batch& batch, RowsToRead& rows) override { lists_->draw(batch, rows); }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    const size_t per_row = lists_->per_row();
    negatives.reset(batch.size(), per_row, 1);
    lists_->for_each_scored(
        batch, view,
        [&](int, size_t number, std::span<const uint32_t> list, std::span<const float> scores) {
          Draws draws = random_->draws(batch.epoch, batch.place(number / per_row),
                                       static_cast<uint32_t>(number % per_row));
          negatives.terms[number].item = list[lot(draws, scores)];
        });
  }

 private:
  // The largest of s / temperature + Gumbel noise has the law of a softmax.
  size_t lot(Draws& draws, std::span<const float> scores) const {
    size_t best = 0;
    double highest = -std::numeric_limits<double>::infinity();
    for (size_t j = 0; j < scores.size(); ++j) {
      const double noise = -std::log(-std::log1p(-draws.uniform()));
      const double value = double{scores[j]} / temperature_ + noise;
      if (value > highest) {
        highest = value;
        best = j;
      }
    }
    return best;
  }

  CandidateOptions source_;
  double temperature_ = 0.2;
  std::optional<CandidateLists> lists_;
  std::optional<Random> random_;
};

std::unique_ptr<Sampler> make_soft_dns() {
  return std::make_unique<SoftDns>();
}

void train(const std::string& sampler, const SynthData& data, const Executor& executor) {
  TrainingSetup setup;
  Options options;
  setup.declare(options);
  options.set("sampler", sampler, OptionSource::kSet);
  options.set("embedding_dim", "32", OptionSource::kSet);
  options.set("epochs", "8", OptionSource::kSet);
  setup.resolve(options);
  Trainer trainer(setup.config(), setup.take_model(), setup.take_sampler(), data.interactions(), {},
                  executor);
  trainer.set_known_likes(
      {{}, [&](uint32_t user, uint32_t item) { return data.truth.likes(user, item); }});
  EpochReport last;
  while (!trainer.finished()) last = trainer.run_epoch();
  fmt::print("{:<9} loss {:.4f}  hardness {:+.3f}", sampler,
             last.loss / static_cast<double>(last.batches), last.hardness);
  for (const auto& [name, value] : last.negatives->named()) fmt::print("  {} {:.3f}", name, value);
  fmt::print("\n");
}

}  // namespace

int main() {
  divns::add_sampler({"soft_dns", "one of n candidates by the softmax of their scores",
                      "an example", true, make_soft_dns});
  const divns::Executor executor;
  const divns::SynthData data = divns::generate_synth(divns::synth_preset("demo"), executor);
  for (const char* sampler : {"rns", "soft_dns", "dns"}) train(sampler, data, executor);
}
