// SPDX-License-Identifier: Apache-2.0
#include "train/batch_pass.h"

#include "divns/registry.h"

namespace divns {
namespace {

std::unique_ptr<Sampler> started_sampler(TrainerParts& parts, const Interactions& train,
                                         const TrainConfig& config, int hops,
                                         const SideInputs& inputs, const Executor& executor) {
  parts.sampler->start({.train = train,
                        .executor = executor,
                        .seed = config.seed,
                        .dim = static_cast<uint32_t>(config.embedding_dim),
                        .hops = hops,
                        .negatives = config.negatives,
                        .batch_size = static_cast<size_t>(config.batch_size),
                        .inputs = &inputs,
                        .replay = parts.replay});
  return std::move(parts.sampler);
}

std::unique_ptr<Loss> started_loss(TrainerParts& parts, const Interactions& train,
                                   const TrainConfig& config) {
  std::unique_ptr<Loss> loss = std::move(parts.loss);
  if (!loss) loss = find_loss(config.loss).make();
  loss->start(config.loss_context(train, *parts.sampler));
  return loss;
}

}  // namespace

BatchPass::BatchPass(const TrainConfig& config, TrainerParts& parts, const Interactions& train,
                     int hops, const Executor& executor)
    : config_(config),
      loss_(started_loss(parts, train, config)),
      inputs_(std::move(parts.inputs)),
      sampler_(started_sampler(parts, train, config, hops, inputs_, executor)),
      pairs_(train, config, executor, parts.replay),
      gradients_(config.objective, *loss_, train.users(), train.item_count,
                 static_cast<uint32_t>(config.embedding_dim), hops, executor),
      statistics_(train, static_cast<uint32_t>(config.diagnostics_users),
                  static_cast<uint32_t>(config.embedding_dim)),
      rows_(config.objective, train.users(), train.item_count,
            static_cast<uint32_t>(config.embedding_dim), executor) {
  extra_.vectors = Table(0, static_cast<uint32_t>(config.embedding_dim));
  if (sampler_->shares_negatives())
    shared_.emplace(config.objective, *loss_, train, static_cast<uint32_t>(config.embedding_dim),
                    hops, executor);
}

EmbeddingView BatchPass::scoring_view_of_all(const EmbeddingView& view) {
  rows_.gather_all();
  rows_.refresh(view);
  return rows_.scoring_view(view);
}

void BatchPass::begin_epoch(uint32_t epoch, const EmbeddingView& view) {
  pairs_.arrange(epoch);
  sampler_->begin_epoch(
      epoch, sampler_->reads_epoch_vectors() ? scoring_view_of_all(view) : EmbeddingView());
}

void BatchPass::propose(size_t index, uint64_t step, EpochReport& report) {
  Stopwatch watch;
  batch_ = pairs_.batch(index);
  batch_.step = step;
  rows_.wanted().clear();
  sampler_->propose(batch_, rows_.wanted());
  rows_.gather(batch_);
  report.seconds.sampling += watch.lap();
}

void BatchPass::score(const EmbeddingView& view, EpochReport& report) {
  Stopwatch watch;
  rows_.refresh(view);
  report.seconds.propagation += watch.lap();
  const EmbeddingView scored = rows_.scoring_view(view);
  sampler_->choose(batch_, scored, negatives_);
  report.seconds.sampling += watch.lap();
  if (shared_) return score_shared(view, report, watch);

  extra_.clear();
  if (config_.objective.broadcasts()) require_two_parts(negatives_);
  gradients_.score(batch_, negatives_, view, scored);
  report.seconds.gradient += watch.lap();
  statistics_.add(batch_, negatives_, view, gradients_.scored());
  report.seconds.evaluation += watch.lap();
  if (negatives_.free_vectors)
    sampler_->backward(batch_, scored, gradients_.free_vector_gradients(batch_, negatives_),
                       extra_);
  double auxiliary = 0;
  if (sampler_->has_auxiliary_loss())
    auxiliary = sampler_->auxiliary_loss(batch_, scored, negatives_, extra_);
  gradients_.accumulate(batch_, negatives_, view, extra_, {&rows_.users(), &rows_.items()});
  report.seconds.gradient += watch.lap();
  report.loss += gradients_.loss() + auxiliary;
  report.hardness += gradients_.scored().totals().hardness;
}

void BatchPass::score_shared(const EmbeddingView& view, EpochReport& report, Stopwatch& watch) {
  shared_->compute(batch_, negatives_, view, rows_.scoring_view(view), rows_.users(),
                   rows_.items());
  report.loss += shared_->loss();
  report.hardness += shared_->hardness();
  report.seconds.gradient += watch.lap();
  statistics_.add(batch_, negatives_.shared, view);
  report.seconds.evaluation += watch.lap();
}

}  // namespace divns
