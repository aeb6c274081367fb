// SPDX-License-Identifier: Apache-2.0
#include "train/trainer.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/log.h"
#include "divns/tensors.h"
#include "train/divergence.h"
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

std::span<const float> flat(const Table& table) {
  return {table.data(), table.size()};
}
std::span<float> flat(Table& table) {
  return {table.data(), table.size()};
}

}  // namespace

Trainer::Trainer(const TrainConfig& config, TrainerParts parts, const Interactions& train,
                 Validate validate, const Executor& executor)
    : config_(config),
      executor_(executor),
      model_(started(std::move(parts.model), train, config, parts.sampler->reads_single_hops(),
                     parts, executor)),
      pass_(config, parts, train, model_->hops(), executor),
      validate_(std::move(validate)),
      optimizer_(config.scheduled_optimizer(pass_.pairs().batches()),
                 {&model_->user_parameters(), &model_->item_parameters()}, executor, parts.state),
      sampler_optimizer_(config.optimizer, pass_.sampler().parameters()),
      recorded_users_(recorded_users(train, static_cast<size_t>(config.record_users))),
      stopping_(static_cast<uint32_t>(config.patience_epochs)) {
  const EpochPairs& pairs = pass_.pairs();
  if (DirectBatches::fit(config, *model_, pairs, pass_.sampler(), optimizer_))
    direct_.emplace(config.objective, pass_.loss(), *model_, pairs, optimizer_, pass_.statistics(),
                    executor);
  if (pairs.batches() == 0)
    fail("there is nothing to train on: {} training pairs for batches of {}{}.", pairs.rows(),
         config.batch_size, config.drop_last ? " with drop_last" : "");
  if (parts.state != nullptr) {
    epochs_done_ = parts.state->epochs;
    std::ranges::copy(parts.state->remembered, pass_.sampler().remembered_items().begin());
  } else if (pairs.users_owning_everything() > 0) {
    log_warning(
        fmt::format("{} users have a pair with every item; their {} pairs are left out of training",
                    pairs.users_owning_everything(), pairs.pairs_left_out()));
  }
}

std::vector<UserSnapshot> Trainer::snapshots() const {
  if (epochs_done_ == 0) return {};
  return take_snapshots(pass_.sampler(), epochs_done_ - 1, recorded_users_);
}

bool Trainer::finished() const {
  return epochs_done_ >= static_cast<uint32_t>(config_.epochs) || stopping_.should_stop();
}

void Trainer::refresh_all() {
  optimizer_.catch_up_all();
  model_->forward({}, {});
}

void Trainer::run_batch(size_t index, EpochReport& report) {
  pass_.propose(index, optimizer_.steps(), report);
  Stopwatch watch;
  const RowsRead& rows = pass_.rows();
  if (rows.are_all()) {
    optimizer_.catch_up_all();
  } else {
    optimizer_.catch_up(kUsers, rows.users().rows());
    optimizer_.catch_up(kItems, rows.items().rows());
  }
  report.seconds.optimiser += watch.lap();
  model_->forward(rows.selected_users(), rows.selected_items());
  report.seconds.propagation += watch.lap();
  pass_.score(model_->view(), report);

  watch.lap();
  ParameterGradients users;
  ParameterGradients items;
  model_->backward(pass_.users(), pass_.items(), users, items);
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
  if (const auto parameters = pass_.sampler().parameters(); !parameters.empty())
    sampler_optimizer_.step(parameters);
  report.seconds.optimiser += watch.lap();
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
  report.batches = pass_.pairs().batches();
  Stopwatch watch;
  if (pass_.sampler().reads_epoch_vectors()) refresh_all();
  pass_.begin_epoch(report.epoch, model_->view());
  optimizer_.begin_epoch(report.batches);
  if (direct_) direct_->begin_epoch(pass_.sampler());
  report.seconds.sampling += watch.lap();
  for (size_t i = 0; i < report.batches; ++i) {
    if (direct_)
      run_direct_batch(i, report);
    else
      run_batch(i, report);
    if (!std::isfinite(report.loss))
      fail_diverged(fmt::format("the loss of step {} of epoch {} is", i + 1, report.epoch),
                    config_);
    if (between_batches)
      between_batches(static_cast<double>(i + 1) / static_cast<double>(report.batches));
  }
  report.hardness /= static_cast<double>(report.batches);
  report.sampler = pass_.sampler().diagnostics();
  report.negatives = pass_.statistics().end_epoch();
  // At the end of every epoch, needed or not, so that saving and validating do not change the bits.
  watch.lap();
  optimizer_.catch_up_all();
  require_finite_parameters(*model_, config_, report.epoch);
  report.seconds.optimiser += watch.lap();
  ++epochs_done_;
  validate(report);
  report.seconds.evaluation += watch.lap();
  return report;
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
  const EmbeddingView view = pass_.scoring_view_of_all(model_->view());
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
  const std::span<const uint32_t> remembered = pass_.sampler().remembered_items();
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
  sampler_optimizer_.save(out, pass_.sampler().parameters());
  out.set_prefix("sampler.");
  pass_.sampler().save(out);
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
  sampler_optimizer_.load(in.with_prefix("sampler_optimizer."), pass_.sampler().parameters());
  pass_.sampler().load(in.with_prefix("sampler."));
}

}  // namespace divns
