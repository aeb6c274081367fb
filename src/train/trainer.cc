// SPDX-License-Identifier: Apache-2.0
#include "train/trainer.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/log.h"
#include "io/safetensors.h"
#include "kernels/vectors.h"
#include "train/initialise.h"

namespace divns {
namespace {

constexpr size_t kUsers = 0;
constexpr size_t kItems = 1;
constexpr size_t kUnitRowsPerChunk = 256;

std::unique_ptr<Model> started(std::unique_ptr<Model> model, const Interactions& train,
                               const TrainConfig& config, bool single_hops,
                               const Executor& executor, const GivenRun* given) {
  model->start({train, executor, static_cast<uint32_t>(config.embedding_dim), single_hops});
  if (given != nullptr) {
    given->begin(model->user_parameters(), model->item_parameters());
    return model;
  }
  initialise(model->user_parameters(), config, "init.users", executor);
  initialise(model->item_parameters(), config, "init.items", executor);
  return model;
}

std::unique_ptr<Sampler> started(std::unique_ptr<Sampler> sampler, const Interactions& train,
                                 const TrainConfig& config, int hops, const Executor& executor,
                                 const GivenRun* given) {
  sampler->start({.train = train,
                  .executor = executor,
                  .seed = config.seed,
                  .dim = static_cast<uint32_t>(config.embedding_dim),
                  .hops = hops,
                  .negatives = config.negatives,
                  .batch_size = static_cast<size_t>(config.batch_size),
                  .given = given != nullptr ? &given->draws : nullptr});
  return sampler;
}

std::span<const float> flat(const Table& table) {
  return {table.data(), table.size()};
}
std::span<float> flat(Table& table) {
  return {table.data(), table.size()};
}

}  // namespace

Trainer::Trainer(const TrainConfig& config, std::unique_ptr<Model> model,
                 std::unique_ptr<Sampler> sampler, const Interactions& train, Validate validate,
                 const Executor& executor, const GivenRun* given)
    : config_(config),
      executor_(executor),
      given_(given),
      model_(
          started(std::move(model), train, config, sampler->reads_single_hops(), executor, given)),
      sampler_(started(std::move(sampler), train, config, model_->hops(), executor, given)),
      validate_(std::move(validate)),
      pairs_(train, config, executor),
      optimizer_(config.optimizer, {&model_->user_parameters(), &model_->item_parameters()},
                 executor),
      sampler_optimizer_(config.optimizer.adam, sampler_->parameters()),
      gradients_(config.loss, train.users(), train.item_count,
                 static_cast<uint32_t>(config.embedding_dim), model_->hops(), executor),
      statistics_(train, static_cast<uint32_t>(config.diagnostics_users),
                  static_cast<uint32_t>(config.embedding_dim)),
      stopping_(static_cast<uint32_t>(config.patience_epochs)),
      users_read_(train.users()),
      items_read_(train.item_count) {
  extra_.vectors = Table(0, static_cast<uint32_t>(config.embedding_dim));
  if (config.loss.unit_items)
    unit_items_ = Table(train.item_count, static_cast<uint32_t>(config.embedding_dim));
  if (DirectBatches::fit(config, *model_, pairs_, *sampler_, optimizer_))
    direct_.emplace(config.loss, *model_, pairs_, optimizer_, statistics_, executor);
  if (pairs_.batches() == 0)
    fail("there is nothing to train on: {} training pairs for batches of {}{}.", pairs_.rows(),
         config.batch_size, config.drop_last ? " with drop_last" : "");
  if (pairs_.users_owning_everything() > 0)
    log_warning(fmt::format("{} users own every item; their {} pairs are left out of training",
                            pairs_.users_owning_everything(), pairs_.pairs_left_out()));
}

bool Trainer::finished() const {
  return epochs_done_ >= static_cast<uint32_t>(config_.epochs) || stopping_.should_stop();
}

EmbeddingView Trainer::scoring_view() const {
  EmbeddingView view = model_->view();
  if (config_.loss.unit_items) view.items = unit_items_.view();
  return view;
}

// Which rows the batch and its sampler read, each named once.
void Trainer::gather_rows(const Batch& batch) {
  item_keys_.assign(batch.positives.begin(), batch.positives.end());
  if (!rows_to_read_.all_items)
    item_keys_.insert(item_keys_.end(), rows_to_read_.items.begin(), rows_to_read_.items.end());
  executor_.run(2, [&](int, size_t side) {
    if (side == 0)
      users_read_.group(batch.users);
    else
      items_read_.group(item_keys_);
  });
}

void Trainer::refresh_unit_items() {
  if (!config_.loss.unit_items) return;
  const VectorTable raw = model_->view().items;
  const size_t count = rows_to_read_.all_items ? raw.rows : items_read_.rows().size();
  executor_.for_chunks(count, kUnitRowsPerChunk, [&](size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j) {
      const auto item = rows_to_read_.all_items ? static_cast<uint32_t>(j) : items_read_.rows()[j];
      const float norm = std::sqrt(dot(raw.row(item), raw.row(item), raw.stride));
      float* out = unit_items_.row(item);
      std::fill_n(out, raw.stride, 0.0F);
      if (norm > 0) axpy(1 / norm, raw.row(item), out, raw.stride);
    }
  });
}

void Trainer::refresh_all() {
  optimizer_.catch_up_all();
  model_->forward({}, {}, prepared_);
  rows_to_read_.all_items = true;
  refresh_unit_items();
}

void Trainer::run_batch(Batch batch, EpochReport& report) {
  Stopwatch watch;
  batch.step = optimizer_.steps();
  rows_to_read_.clear();
  sampler_->propose(batch, rows_to_read_);
  gather_rows(batch);
  report.seconds.sampling += watch.lap();

  if (rows_to_read_.all_items || rows_to_read_.all_users) {
    optimizer_.catch_up_all();
  } else {
    optimizer_.catch_up(kUsers, users_read_.rows());
    optimizer_.catch_up(kItems, items_read_.rows());
  }
  report.seconds.optimiser += watch.lap();
  model_->forward({rows_to_read_.all_users, users_read_.rows()},
                  {rows_to_read_.all_items, items_read_.rows()}, prepared_);
  refresh_unit_items();
  report.seconds.propagation += watch.lap();

  sampler_->choose(batch, scoring_view(), negatives_);
  report.seconds.sampling += watch.lap();

  const EmbeddingView raw = model_->view();
  extra_.clear();
  gradients_.score(batch, negatives_, raw);
  report.seconds.gradient += watch.lap();
  statistics_.add(batch, negatives_, raw, gradients_.scored());
  report.seconds.evaluation += watch.lap();
  if (negatives_.free_vectors)
    sampler_->backward(batch, scoring_view(),
                       gradients_.free_vector_gradients(batch, negatives_, raw), extra_);
  double auxiliary = 0;
  if (sampler_->has_auxiliary_loss())
    auxiliary = sampler_->auxiliary_loss(batch, scoring_view(), negatives_, extra_);
  gradients_.accumulate(batch, negatives_, raw, extra_, {&users_read_, &items_read_});
  report.seconds.gradient += watch.lap();

  ParameterGradients users;
  ParameterGradients items;
  model_->backward(gradients_.users(), gradients_.items(), users, items);
  report.seconds.propagation += watch.lap();

  optimizer_.begin_step();
  if (users.all) {
    // As run_both_sides has left the gradients: those of the items with the first threads.
    optimizer_.step_all(
        {{kItems, items.values}, {kUsers, users.values}},
        [&](size_t table, size_t begin, size_t end) {
          model_->prepare(table == kUsers ? model_->user_parameters() : model_->item_parameters(),
                          begin, end);
        });
    prepared_ = true;
  } else {
    optimizer_.step_rows(kUsers, users.rows, *users.values);
    optimizer_.step_rows(kItems, items.rows, *items.values);
  }
  if (const auto parameters = sampler_->parameters(); !parameters.empty())
    sampler_optimizer_.step(parameters);
  report.seconds.optimiser += watch.lap();
  report.loss += gradients_.loss() + auxiliary;
  report.hardness += gradients_.scored().hardness();
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
  report.batches = pairs_.batches();
  Stopwatch watch;
  if (given_ != nullptr)
    pairs_.arrange_as(report.epoch, given_->order(report.epoch));
  else
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
    if (between_batches)
      between_batches(static_cast<double>(i + 1) / static_cast<double>(report.batches));
  }
  if (!std::isfinite(report.loss))
    fail(
        "the loss of epoch {} is not a finite number: training has diverged. A smaller "
        "learning_rate than {} may help.",
        report.epoch, config_.optimizer.adam.learning_rate);
  report.hardness /= static_cast<double>(report.batches);
  report.sampler = sampler_->diagnostics();
  report.negatives = statistics_.end_epoch();
  // At the end of every epoch, asked for or not, so that saving and validating change no bits.
  watch.lap();
  optimizer_.catch_up_all();
  report.seconds.optimiser += watch.lap();
  ++epochs_done_;
  validate(report);
  report.seconds.evaluation += watch.lap();
  return report;
}

void Trainer::validate(EpochReport& report) {
  const auto every = static_cast<uint32_t>(config_.eval_every);
  const bool last = epochs_done_ == static_cast<uint32_t>(config_.epochs);
  const bool due = report.epoch % every == 0 && (report.epoch > 0 || config_.eval_first);
  if (validate_ && (due || last)) {
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
    // Copied into place: views of the parameters stay valid.
    std::copy_n(best_users_.data(), best_users_.size(), model_->user_parameters().data());
    std::copy_n(best_items_.data(), best_items_.size(), model_->item_parameters().data());
    prepared_ = false;
  }
  return current_vectors();
}

void Trainer::save(TensorWriter& out) const {
  out.set_prefix("trainer.");
  const Model& model = *model_;
  out.add("users", flat(model.user_parameters()));
  out.add("items", flat(model.item_parameters()));
  if (stopping_.seen()) {
    out.add("best_users", flat(best_users_));
    out.add("best_items", flat(best_items_));
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
  prepared_ = false;
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
