// SPDX-License-Identifier: Apache-2.0
#include "samplers/srns.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/check.h"
#include "divns/options.h"
#include "divns/table.h"
#include "divns/tensors.h"
#include "kernels/vectors.h"
#include "samplers/candidates.h"

namespace divns {

double srns_deviation(std::span<const float> candidate, std::span<const float> positive) {
  if (candidate.empty()) return 0;
  double sum = 0;
  double squares = 0;
  for (size_t t = 0; t < candidate.size(); ++t) {
    const double p = 1 / (1 + std::exp(double{positive[t]} - double{candidate[t]}));
    sum += p;
    squares += p * p;
  }
  const double mean = sum / static_cast<double>(candidate.size());
  return std::sqrt(std::max(0.0, squares / static_cast<double>(candidate.size()) - mean * mean));
}

namespace {

constexpr size_t kSrnsRowsPerChunk = 64;

struct SrnsOptions {
  int memory = 20;
  int fresh = 20;
  double alpha = 1;
  int warmup = 50;
  double temperature = 1;
  int history = 5;

  void declare(Options& options) {
    options.add("srns.memory", memory, "number of items in the memory of a user (S1)")
        .range(1, 100000)
        .tune_values({"4", "8", "16", "20", "32"});
    options
        .add("srns.fresh", fresh, "number of random items that join the memory at an update (S2)")
        .range(0, 100000)
        .tune_values({"8", "20", "40", "80", "160"});
    options.add("srns.alpha", alpha, "weight of the standard deviation of a score over past epochs")
        .range(0)
        .tune_values({"0", "0.1", "1", "5", "10", "20"});
    options.add("srns.warmup", warmup, "number of epochs over which the weight rises from 0")
        .range(1)
        .tune_values({"1", "50", "100"});
    options
        .add("srns.temperature", temperature,
             "temperature of the softmax that draws the items that stay in the memory (tau)")
        .above(0)
        .tune_values({"0.5", "1", "2", "10"});
    options
        .add("srns.history", history,
             "number of past epochs whose vectors are kept for the standard deviation")
        .range(0, 100);
  }
};

class Srns final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    if (options_.memory < context.negatives)
      fail("srns.memory is {}, but a row has {} negatives; it must not be smaller.",
           options_.memory, context.negatives);
    context_.emplace(context);
    drawer_.emplace(context.train);
    fill_random_.emplace(context.seed, "srns.memory");
    fresh_random_.emplace(context.seed, "srns.fresh");
    keep_random_.emplace(context.seed, "srns.keep");
    memory_.assign(size_t{context.train.users()} * size(), 0);
    fill_memory();
    last_batch_.assign(context.train.users(), 0);
    scratch_.assign(static_cast<size_t>(context.executor.threads()), {});
  }

  bool reads_epoch_vectors() const override { return true; }

  // Keeps a copy of the vectors, over the oldest one once there are enough.
  void begin_epoch(uint32_t epoch, const EmbeddingView& view) override {
    weight_ = options_.alpha * std::min(1.0, static_cast<double>(epoch) / options_.warmup);
    const auto most = static_cast<size_t>(options_.history);
    if (most == 0) return;
    if (past_.size() < most) past_.push_back(empty_past());
    Past& newest = past_[epoch % most];
    std::copy_n(view.users.data, newest.users.size(), newest.users.data());
    std::copy_n(view.items.data, newest.items.size(), newest.items.data());
  }

  void propose(const Batch& batch, RowsToRead& rows) override {
    // The memory of a user is renewed once per batch, by the first row of the user.
    ++batches_;
    renewing_.clear();
    for (size_t b = 0; b < batch.size(); ++b) {
      uint64_t& last = last_batch_[batch.users[b]];
      if (last != batches_) renewing_.push_back(static_cast<uint32_t>(b));
      last = batches_;
    }
    const auto fresh = static_cast<size_t>(options_.fresh);
    fresh_.resize(renewing_.size() * fresh);
    context_->executor.for_chunks(
        renewing_.size(), kSrnsRowsPerChunk, [&](size_t begin, size_t end) {
          for (size_t r = begin; r < end; ++r) {
            const uint32_t b = renewing_[r];
            Draws draws = fresh_random_->draws(batch.epoch, batch.place(b));
            drawer_->draw_with_replacement(draws, batch.users[b],
                                           std::span(fresh_).subspan(r * fresh, fresh));
          }
        });
    rows.items.insert(rows.items.end(), fresh_.begin(), fresh_.end());
    for (const uint32_t b : renewing_) {
      const auto items = memory_of(batch.users[b]);
      rows.items.insert(rows.items.end(), items.begin(), items.end());
    }
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    negatives.reset(batch.size(), static_cast<size_t>(context_->negatives), 1);
    const Executor& executor = context_->executor;
    executor.for_chunks_with_worker(
        batch.size(), kSrnsRowsPerChunk, [&](int worker, size_t begin, size_t end) {
          for (size_t b = begin; b < end; ++b)
            choose_row(batch, b, view, scratch_[static_cast<size_t>(worker)], negatives);
        });
    executor.for_chunks_with_worker(
        renewing_.size(), kSrnsRowsPerChunk, [&](int worker, size_t begin, size_t end) {
          for (size_t r = begin; r < end; ++r)
            renew(batch, r, view, scratch_[static_cast<size_t>(worker)]);
        });
  }

  void save(TensorWriter& out) const override {
    out.add("memory", memory_);
    for (size_t t = 0; t < past_.size(); ++t) {
      out.add(past_name(t, "users"), flat(past_[t].users));
      out.add(past_name(t, "items"), flat(past_[t].items));
    }
  }

  void load(const TensorReader& in) override {
    in.read("memory", std::span(memory_));
    for (const uint32_t item : memory_)
      if (item >= context_->train.item_count)
        fail("{} has a memory with item {}, but there are only {} items; it belongs to other data.",
             in.file_name(), item, context_->train.item_count);
    past_.clear();
    while (past_.size() < static_cast<size_t>(options_.history) &&
           in.has(past_name(past_.size(), "users"))) {
      Past& next = past_.emplace_back(empty_past());
      in.read(past_name(past_.size() - 1, "users"),
              std::span(next.users.data(), next.users.size()));
      in.read(past_name(past_.size() - 1, "items"),
              std::span(next.items.data(), next.items.size()));
    }
  }

 private:
  struct Past {
    Table users;
    Table items;
  };
  struct Scratch {
    std::vector<float> scores;
    std::vector<std::vector<float>> past_scores;  // by epoch
    std::vector<float> candidate;                 // scores of one candidate, by epoch
    std::vector<float> positive;
    std::vector<double> values;
    std::vector<uint32_t> order;
    std::vector<uint32_t> united;
  };

  size_t size() const { return static_cast<size_t>(options_.memory); }
  std::span<uint32_t> memory_of(uint32_t user) {
    return std::span(memory_).subspan(user * size(), size());
  }
  Past empty_past() const {
    return {Table(context_->train.users(), context_->dim),
            Table(context_->train.item_count, context_->dim)};
  }
  static std::span<const float> flat(const Table& table) { return {table.data(), table.size()}; }
  static std::string past_name(size_t epoch, const char* side) {
    return fmt::format("past_{}.{}", epoch, side);
  }

  // A user with fewer than S1 items in I_u- has some of them several times.
  void fill_memory() {
    context_->executor.for_chunks(
        context_->train.users(), kSrnsRowsPerChunk, [&](size_t begin, size_t end) {
          for (auto user = static_cast<uint32_t>(begin); user < end; ++user) {
            if (drawer_->available(user) == 0) continue;
            Draws draws = fill_random_->draws(user);
            const auto items = memory_of(user);
            const size_t drawn = drawer_->draw_without_replacement(draws, user, items);
            for (size_t k = drawn; k < items.size(); ++k) items[k] = items[k - drawn];
          }
        });
  }

  // The K items with the largest P + weight std, best first.
  void choose_row(const Batch& batch, size_t b, const EmbeddingView& view, Scratch& scratch,
                  Negatives& negatives) {
    const uint32_t user = batch.users[b];
    const uint32_t positive = batch.positives[b];
    const auto items = memory_of(user);
    scratch.scores.resize(size());
    gather_scores(view.users.row(user), view.items, items.data(), size(), scratch.scores.data());
    const float score = dot(view.users.row(user), view.items.row(positive), view.items.stride);
    const size_t epochs = weight_ > 0 ? past_.size() : 0;
    scratch.past_scores.resize(epochs);
    scratch.positive.resize(epochs);
    scratch.candidate.resize(epochs);
    for (size_t t = 0; t < epochs; ++t) {
      const VectorTable table = past_[t].items.view();
      const float* past_user = past_[t].users.row(user);
      scratch.past_scores[t].resize(size());
      gather_scores(past_user, table, items.data(), size(), scratch.past_scores[t].data());
      scratch.positive[t] = dot(past_user, table.row(positive), table.stride);
    }
    scratch.values.resize(size());
    for (size_t k = 0; k < size(); ++k) {
      for (size_t t = 0; t < epochs; ++t) scratch.candidate[t] = scratch.past_scores[t][k];
      const double p = 1 / (1 + std::exp(double{score} - double{scratch.scores[k]}));
      scratch.values[k] = p + weight_ * srns_deviation(scratch.candidate, scratch.positive);
    }
    scratch.order.resize(size());
    std::iota(scratch.order.begin(), scratch.order.end(), 0U);
    const auto count = static_cast<ptrdiff_t>(negatives.per_row);
    std::partial_sort(scratch.order.begin(), scratch.order.begin() + count, scratch.order.end(),
                      [&](uint32_t x, uint32_t y) {
                        return scratch.values[x] != scratch.values[y]
                                   ? scratch.values[x] > scratch.values[y]
                                   : x < y;
                      });
    for (size_t k = 0; k < negatives.per_row; ++k)
      negatives.terms[b * negatives.per_row + k].item = items[scratch.order[k]];
  }

  // S1 draws without replacement in proportion to exp(s / tau): the S1 largest of s / tau -
  // log(-log x) with x uniform.
  void renew(const Batch& batch, size_t r, const EmbeddingView& view, Scratch& scratch) {
    const uint32_t b = renewing_[r];
    const auto items = memory_of(batch.users[b]);
    scratch.united.assign(items.begin(), items.end());
    const auto fresh = static_cast<size_t>(options_.fresh);
    for (size_t k = r * fresh; k < (r + 1) * fresh; ++k)
      if (std::find(scratch.united.begin(), scratch.united.end(), fresh_[k]) ==
          scratch.united.end())
        scratch.united.push_back(fresh_[k]);
    const size_t count = scratch.united.size();
    scratch.scores.resize(count);
    gather_scores(view.users.row(batch.users[b]), view.items, scratch.united.data(), count,
                  scratch.scores.data());
    Draws draws = keep_random_->draws(batch.epoch, batch.place(b));
    scratch.values.resize(count);
    for (size_t k = 0; k < count; ++k)
      scratch.values[k] = double{scratch.scores[k]} / options_.temperature -
                          std::log(-std::log(1 - draws.uniform()));
    scratch.order.resize(count);
    std::iota(scratch.order.begin(), scratch.order.end(), 0U);
    std::nth_element(scratch.order.begin(), scratch.order.begin() + static_cast<ptrdiff_t>(size()),
                     scratch.order.end(), [&](uint32_t x, uint32_t y) {
                       return scratch.values[x] != scratch.values[y]
                                  ? scratch.values[x] > scratch.values[y]
                                  : x < y;
                     });
    std::sort(scratch.order.begin(), scratch.order.begin() + static_cast<ptrdiff_t>(size()));
    for (size_t k = 0; k < size(); ++k) items[k] = scratch.united[scratch.order[k]];
  }

  SrnsOptions options_;
  std::optional<SamplerContext> context_;
  std::optional<CandidateDrawer> drawer_;
  std::optional<Random> fill_random_;
  std::optional<Random> fresh_random_;
  std::optional<Random> keep_random_;
  std::vector<uint32_t> memory_;  // users x S1
  std::vector<Past> past_;        // vectors at the starts of the last epochs, in no order
  double weight_ = 0;
  uint64_t batches_ = 0;
  std::vector<uint64_t> last_batch_;  // by user: the last batch with the user, counted from 1
  std::vector<uint32_t> renewing_;    // rows of the batch that renew the memory of their user
  std::vector<uint32_t> fresh_;       // renewing rows x S2
  std::vector<Scratch> scratch_;
};

}  // namespace

std::unique_ptr<Sampler> make_srns() {
  return std::make_unique<Srns>();
}

}  // namespace divns
