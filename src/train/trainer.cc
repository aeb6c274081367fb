// SPDX-License-Identifier: Apache-2.0
#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/check.h"
#include "base/log.h"
#include "divns/registry.h"
#include "divns/tensors.h"
#include "train/initialise.h"
#include "train/snapshots.h"

namespace divns {
namespace {

constexpr size_t kUsers = 0;
constexpr size_t kItems = 1;

std::unique_ptr<Model> started(std::unique_ptr<Model> model, const Interactions& train,
                               const TrainConfig& config, bool single_hops,
                               const TrainerParts& parts, const Executor& executor) {
  TrainingState* const state = parts.state;
  if (state != nullptr)
    model->adopt(std::move(state->users.parameters), std::move(state->items.parameters));
  model->start({train, executor, static_cast<uint32_t>(config.embedding_dim), single_hops});
  if (state == nullptr) initialise(*model, train, config, parts.replay, parts.initial, executor);
  return model;
}

std::unique_ptr<Sampler> started(std::unique_ptr<Sampler> sampler, const Interactions& train,
                                 const TrainConfig& config, int hops, const Replay* replay,
                                 const SideInputs& inputs, const Executor& executor) {
  sampler->start({.train = train,
                  .executor = executor,
                  .seed = config.seed,
                  .dim = static_cast<uint32_t>(config.embedding_dim),
                  .hops = hops,
                  .negatives = config.negatives,
                  .batch_size = static_cast<size_t>(config.batch_size),
                  .inputs = &inputs,
                  .replay = replay});
  return sampler;
}

std::unique_ptr<Loss> started(std::unique_ptr<Loss> loss, const Interactions& train,
                              const TrainConfig& config, const Sampler& sampler) {
  if (!loss) loss = find_loss(config.loss).make();
  loss->start(config.loss_context(train, sampler));
  return loss;
}

std::span<const float> flat(const Table& table) {
  return {table.data(), table.size()};
}
std::span<float> flat(Table& table) {
  return {table.data(), table.size()};
}

// Without an early exit, so that the compiler vectorises the loop.
bool all_finite(std::span<const float> values) {
  bool finite = true;
  for (const float value : values) finite &= std::abs(value) <= std::numeric_limits<float>::max();
  return finite;
}

// The option that most likely made training diverge, with its value. With SGD, l2 alone scales a
// parameter by about 1 - learning_rate * l2 per step.
std::string likely_cause(const TrainConfig& config) {
  const double rate = config.optimizer.learning_rate;
  const double l2 = config.objective.l2;
  if (config.init == Initialisation::kNormal && config.init_std > 10)
    return fmt::format("init_std is {}", config.init_std);
  if (l2 > 1 && rate * l2 > 1) return fmt::format("l2 is {}", l2);
  return fmt::format("learning_rate is {}", rate);
}

[[noreturn]] void fail_diverged(std::string_view what, const TrainConfig& config) {
  fail("{} not finite: training has diverged. The likely cause: {}; try a smaller value.", what,
       likely_cause(config));
}

}  // namespace

Trainer::Trainer(const TrainConfig& config, TrainerParts parts, const Interactions& train,
                 Validate validate, const Executor& executor)
    : config_(config),
      executor_(executor),
      model_(started(std::move(parts.model), train, config, parts.sampler->reads_single_hops(),
                     parts, executor)),
      loss_(started(std::move(parts.loss), train, config, *parts.sampler)),
      inputs_(std::move(parts.inputs)),
      sampler_(started(std::move(parts.sampler), train, config, model_->hops(), parts.replay,
                       inputs_, executor)),
      validate_(std::move(validate)),
      pairs_(train, config, executor, parts.replay),
      optimizer_(config.scheduled_optimizer(pairs_.batches()),
                 {&model_->user_parameters(), &model_->item_parameters()}, executor, parts.state),
      sampler_optimizer_(config.optimizer, sampler_->parameters()),
      gradients_(config.objective, *loss_, train.users(), train.item_count,
                 static_cast<uint32_t>(config.embedding_dim), model_->hops(), executor),
      statistics_(train, static_cast<uint32_t>(config.diagnostics_users),
                  static_cast<uint32_t>(config.embedding_dim)),
      recorded_users_(recorded_users(train, static_cast<size_t>(config.record_users))),
      stopping_(static_cast<uint32_t>(config.patience_epochs)),
      rows_(config.objective, train.users(), train.item_count,
            static_cast<uint32_t>(config.embedding_dim), executor) {
  extra_.vectors = Table(0, static_cast<uint32_t>(config.embedding_dim));
  if (sampler_->shares_negatives())
    shared_.emplace(config.objective, *loss_, train, static_cast<uint32_t>(config.embedding_dim),
                    model_->hops(), executor);
  if (DirectBatches::fit(config, *model_, pairs_, *sampler_, optimizer_))
    direct_.emplace(config.objective, *loss_, *model_, pairs_, optimizer_, statistics_, executor);
  if (pairs_.batches() == 0)
    fail("there is nothing to train on: {} training pairs for batches of {}{}.", pairs_.rows(),
         config.batch_size, config.drop_last ? " with drop_last" : "");
  if (parts.state != nullptr) {
    epochs_done_ = parts.state->epochs;
    std::ranges::copy(parts.state->remembered, sampler_->remembered_items().begin());
  } else if (pairs_.users_owning_everything() > 0) {
    log_warning(
        fmt::format("{} users have a pair with every item; their {} pairs are left out of training",
                    pairs_.users_owning_everything(), pairs_.pairs_left_out()));
  }
}

std::vector<UserSnapshot> Trainer::snapshots() const {
  if (epochs_done_ == 0) return {};
  return take_snapshots(*sampler_, epochs_done_ - 1, recorded_users_);
}

bool Trainer::finished() const {
  return epochs_done_ >= static_cast<uint32_t>(config_.epochs) || stopping_.should_stop();
}

EmbeddingView Trainer::scoring_view() const {
  return rows_.scoring_view(model_->view());
}

void Trainer::refresh_all() {
  optimizer_.catch_up_all();
  model_->forward({}, {});
  rows_.gather_all();
  rows_.refresh(model_->view());
}

void Trainer::run_batch(Batch batch, EpochReport& report) {
  Stopwatch watch;
  batch.step = optimizer_.steps();
  rows_.wanted().clear();
  sampler_->propose(batch, rows_.wanted());
  rows_.gather(batch);
  report.seconds.sampling += watch.lap();

  if (rows_.are_all()) {
    optimizer_.catch_up_all();
  } else {
    optimizer_.catch_up(kUsers, rows_.users().rows());
    optimizer_.catch_up(kItems, rows_.items().rows());
  }
  report.seconds.optimiser += watch.lap();
  model_->forward(rows_.selected_users(), rows_.selected_items());
  rows_.refresh(model_->view());
  report.seconds.propagation += watch.lap();

  sampler_->choose(batch, scoring_view(), negatives_);
  report.seconds.sampling += watch.lap();
  score_batch(batch, report, watch);

  ParameterGradients users;
  ParameterGradients items;
  model_->backward(shared_ ? shared_->users() : gradients_.users(),
                   shared_ ? shared_->items() : gradients_.items(), users, items);
  report.seconds.propagation += watch.lap();

  optimizer_.begin_step();
  if (users.all) {
    // In the order of run_both_sides at level 0: the threads that computed the gradients of the
    // items step the items.
    optimizer_.step_all({{kItems, items.values, items.copy}, {kUsers, users.values, users.copy}});
  } else {
    optimizer_.step_rows(kUsers, users.rows, *users.values);
    optimizer_.step_rows(kItems, items.rows, *items.values);
  }
  if (const auto parameters = sampler_->parameters(); !parameters.empty())
    sampler_optimizer_.step(parameters);
  report.seconds.optimiser += watch.lap();
}

// The loss of the batch, and its gradients by the vectors of the model.
void Trainer::score_batch(const Batch& batch, EpochReport& report, Stopwatch& watch) {
  if (shared_) {
    shared_->compute(batch, negatives_, model_->view(), scoring_view(), rows_.users(),
                     rows_.items());
    report.loss += shared_->loss();
    report.hardness += shared_->hardness();
    report.seconds.gradient += watch.lap();
    statistics_.add(batch, negatives_.shared, model_->view());
    report.seconds.evaluation += watch.lap();
    return;
  }
  const EmbeddingView raw = model_->view();
  extra_.clear();
  if (config_.objective.broadcasts()) require_two_parts(negatives_);
  gradients_.score(batch, negatives_, raw, scoring_view());
  report.seconds.gradient += watch.lap();
  statistics_.add(batch, negatives_, raw, gradients_.scored());
  report.seconds.evaluation += watch.lap();
  if (negatives_.free_vectors)
    sampler_->backward(batch, scoring_view(), gradients_.free_vector_gradients(batch, negatives_),
                       extra_);
  double auxiliary = 0;
  if (sampler_->has_auxiliary_loss())
    auxiliary = sampler_->auxiliary_loss(batch, scoring_view(), negatives_, extra_);
  gradients_.accumulate(batch, negatives_, raw, extra_, {&rows_.users(), &rows_.items()});
  report.seconds.gradient += watch.lap();
  report.loss += gradients_.loss() + auxiliary;
  report.hardness += gradients_.scored().totals().hardness;
}

void Trainer::run_direct_batch(size_t index, EpochReport& report) {
  Stopwatch watch;
  direct_->score(index);
  report.seconds.gradient += watch.lap();
  direct_->step(index);
  report.seconds.optimiser += watch.lap();
  report.loss += direct_->loss();
  report.hardness += direct_->hardness();
}

EpochReport Trainer::run_epoch(const std::function<void(double)>& between_batches) {
  EpochReport report;
  report.epoch = epochs_done_;
  report.metric_name = config_.valid_metric;
  report.batches = pairs_.batches();
  Stopwatch watch;
  pairs_.arrange(report.epoch);
  if (sampler_->reads_epoch_vectors()) {
    refresh_all();
    sampler_->begin_epoch(report.epoch, scoring_view());
  } else {
    sampler_->begin_epoch(report.epoch, {});
  }
  optimizer_.begin_epoch(report.batches);
  if (direct_) direct_->begin_epoch(*sampler_);
  report.seconds.sampling += watch.lap();
  for (size_t i = 0; i < report.batches; ++i) {
    if (direct_)
      run_direct_batch(i, report);
    else
      run_batch(pairs_.batch(i), report);
    if (!std::isfinite(report.loss))
      fail_diverged(fmt::format("the loss of step {} of epoch {} is", i + 1, report.epoch),
                    config_);
    if (between_batches)
      between_batches(static_cast<double>(i + 1) / static_cast<double>(report.batches));
  }
  report.hardness /= static_cast<double>(report.batches);
  report.sampler = sampler_->diagnostics();
  report.negatives = statistics_.end_epoch();
  // At the end of every epoch, needed or not, so that saving and validating do not change the bits.
  watch.lap();
  optimizer_.catch_up_all();
  require_finite_parameters(report.epoch);
  report.seconds.optimiser += watch.lap();
  ++epochs_done_;
  validate(report);
  report.seconds.evaluation += watch.lap();
  return report;
}

// The loss of a step is known before its update, so the last update may have diverged unnoticed.
void Trainer::require_finite_parameters(uint32_t epoch) const {
  const Model& model = *model_;
  if (!all_finite(flat(model.user_parameters())) || !all_finite(flat(model.item_parameters())))
    fail_diverged(fmt::format("the parameters after epoch {} are", epoch), config_);
}

void Trainer::validate(EpochReport& report) {
  if (validate_ && config_.validates_after(report.epoch)) {
    const Vectors vectors = current_vectors();
    report.metric = validate_(vectors.users, vectors.items);
    report.improved = stopping_.observe(report.epoch, *report.metric);
    if (report.improved) {
      best_users_ = model_->user_parameters();
      best_items_ = model_->item_parameters();
    }
  }
  report.best_metric = stopping_.best();
  report.best_epoch = stopping_.best_epoch();
}

Trainer::Vectors Trainer::current_vectors() {
  refresh_all();
  const EmbeddingView view = scoring_view();
  return {view.users, view.items};
}

Trainer::Vectors Trainer::finish() {
  optimizer_.catch_up_all();
  if (stopping_.seen()) {
    // Copied, not moved: views of the parameters stay valid.
    std::copy_n(best_users_.data(), best_users_.size(), model_->user_parameters().data());
    std::copy_n(best_items_.data(), best_items_.size(), model_->item_parameters().data());
    model_->parameters_written();
  }
  return current_vectors();
}

Trainer::Vectors Trainer::parameters() {
  const Model& model = *model_;
  return {model.user_parameters().view(), model.item_parameters().view()};
}

TrainingState Trainer::release(uint64_t until) {
  optimizer_.idle(until - optimizer_.steps());
  TrainingState state{.steps = optimizer_.steps(), .epochs = epochs_done_, .remembered = {}};
  optimizer_.release(kUsers, state.users);
  optimizer_.release(kItems, state.items);
  const std::span<const uint32_t> remembered = sampler_->remembered_items();
  state.remembered.assign(remembered.begin(), remembered.end());
  return state;
}

void Trainer::save(TensorWriter& out) {
  out.set_prefix("trainer.");
  const Model& model = *model_;
  out.add("users", flat(model.user_parameters()));
  out.add("items", flat(model.item_parameters()));
  if (stopping_.seen()) {
    out.add("best_users", flat(std::as_const(best_users_)));
    out.add("best_items", flat(std::as_const(best_items_)));
  }
  const uint32_t counts[] = {epochs_done_, stopping_.seen() ? 1U : 0U, stopping_.best_epoch(),
                             stopping_.last_epoch()};
  const double best = stopping_.best();
  out.add_copy("counts", std::span<const uint32_t>(counts));
  out.add_copy("best", std::span<const double>(&best, 1));
  out.set_prefix("optimizer.");
  optimizer_.save(out);
  out.set_prefix("sampler_optimizer.");
  sampler_optimizer_.save(out, sampler_->parameters());
  out.set_prefix("sampler.");
  sampler_->save(out);
  out.set_prefix("");
}

void Trainer::load(const TensorReader& in) {
  const TensorReader own = in.with_prefix("trainer.");
  own.read("users", flat(model_->user_parameters()));
  own.read("items", flat(model_->item_parameters()));
  model_->parameters_written();
  uint32_t counts[4];
  double best = 0;
  own.read("counts", std::span<uint32_t>(counts));
  own.read("best", std::span(&best, 1));
  epochs_done_ = counts[0];
  stopping_.restore(counts[1] != 0, best, counts[2], counts[3]);
  if (stopping_.seen()) {
    best_users_ = Table(model_->user_parameters().rows(), model_->user_parameters().dim());
    best_items_ = Table(model_->item_parameters().rows(), model_->item_parameters().dim());
    own.read("best_users", flat(best_users_));
    own.read("best_items", flat(best_items_));
  }
  optimizer_.load(in.with_prefix("optimizer."));
  sampler_optimizer_.load(in.with_prefix("sampler_optimizer."), sampler_->parameters());
  sampler_->load(in.with_prefix("sampler."));
}

}  // namespace divns
