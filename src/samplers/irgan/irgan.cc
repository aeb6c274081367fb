// SPDX-License-Identifier: Apache-2.0
#include "samplers/irgan/irgan.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "divns/options.h"
#include "kernels/vectors.h"
#include "samplers/candidate_lists.h"
#include "samplers/irgan/generator.h"
#include "samplers/pooled_vector.h"

namespace divns {
namespace {

constexpr size_t kIrganRowsPerChunk = 128;

struct IrganOptions {
  CandidateOptions source = {.candidates = 64};
  int dim = 5;
  double learning_rate = 1e-3;
  double temperature = 1;
  double epsilon = 0.1;  // AdvIR only

  void declare(Options& options, const std::string& sampler, bool displaces) {
    source.declare(options, sampler);
    options.add(sampler + ".dim", dim, "embedding dimension of the generator")
        .range(1, 4096)
        .tune_values({"5", "16", "64"});
    options
        .add(sampler + ".generator_learning_rate", learning_rate, "learning rate of the generator")
        .above(0)
        .tune_values({"0.0001", "0.001", "0.01"});
    options
        .add(sampler + ".temperature", temperature,
             "temperature of the generator's distribution (tau)")
        .above(0)
        .tune_values({"0.1", "0.2", "0.5", "1"});
    if (displaces)
      options
          .add(sampler + ".epsilon", epsilon,
               "length of the adversarial displacement of a negative's vector")
          .range(0)
          .tune_values({"0.05", "0.1", "0.5", "1"});
  }
};

class Irgan final : public Sampler {
 public:
  Irgan(std::string name, bool displaces) : name_(std::move(name)), displaces_(displaces) {}

  void declare(Options& options) override { options_.declare(options, name_, displaces_); }

  void start(const SamplerContext& context) override {
    context_.emplace(context);
    lists_.emplace(context, options_.source, name_);
    random_.emplace(context.seed, name_ + ".pick");
    generator_.emplace(context.train.users(), context.train.item_count,
                       static_cast<uint32_t>(options_.dim), options_.temperature, context.seed);
  }

  bool reads_single_hops() const override { return displaces_; }

  void begin_epoch(uint32_t /*epoch*/, const EmbeddingView& /*view*/) override {
    reward_sum_ = 0;
    rewards_ = 0;
  }

  void propose(const Batch& batch, RowsToRead& rows) override { lists_->draw(batch, rows); }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    draw(batch, view);
    negatives.reset(batch.size(), lists_->per_row(), displaces_ ? 0 : 1);
    if (displaces_)
      displace(batch, view, negatives);
    else
      for (size_t n = 0; n < chosen_.size(); ++n) negatives.terms[n].item = chosen_[n];
    double mean = 0;
    for (const Generator::Lesson& lesson : lessons_) mean += lesson.advantage;
    reward_sum_ += mean;
    rewards_ += lessons_.size();
    mean /= static_cast<double>(lessons_.size());
    for (Generator::Lesson& lesson : lessons_) lesson.advantage -= mean;
    generator_->learn(lessons_, context_->executor);
  }

  void backward(const Batch& /*batch*/, const EmbeddingView& /*view*/,
                const Table& vector_gradients, ExtraGradients& extra) override {
    const size_t first = add_entries(extra, chosen_.size());
    for (size_t n = 0; n < chosen_.size(); ++n)
      set_entry(extra, first + n, GradientTarget::Side::kItem, chosen_[n], vector_gradients.row(n));
  }

  std::vector<SamplerParameters> parameters() override {
    std::vector<SamplerParameters> out;
    generator_->list_parameters(options_.learning_rate, out);
    return out;
  }

  std::vector<std::pair<std::string, double>> diagnostics() const override {
    if (rewards_ == 0) return {};
    return {{"generator_reward", reward_sum_ / static_cast<double>(rewards_)}};
  }

 private:
  // Fills chosen_ and lessons_, with the reward in place of the advantage.
  void draw(const Batch& batch, const EmbeddingView& view) {
    const size_t per_row = lists_->per_row();
    const auto each = static_cast<size_t>(options_.source.candidates);
    chosen_.resize(batch.size() * per_row);
    lessons_.resize(chosen_.size());
    probabilities_.resize(chosen_.size() * each);
    context_->executor.for_chunks(batch.size(), kIrganRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t n = begin * per_row; n < end * per_row; ++n) {
        const size_t b = n / per_row;
        const uint32_t user = batch.users[b];
        const auto list = lists_->list(n);
        const auto p = std::span(probabilities_).subspan(n * each, list.size());
        generator_->probabilities(user, list, p);
        Draws draws =
            random_->draws(batch.epoch, batch.place(b), static_cast<uint32_t>(n % per_row));
        float left = draws.uniform_float();
        size_t at = 0;
        while (at + 1 < list.size() && (left -= p[at]) >= 0) ++at;
        chosen_[n] = list[at];
        const size_t stride = view.items.stride;
        const float* row = view.users.row(user);
        const double x = double{dot(row, view.items.row(list[at]), stride)} -
                         double{dot(row, view.items.row(batch.positives[b]), stride)};
        const double reward = std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
        lessons_[n] = {user, list, p, at, reward};
      }
    });
  }

  void displace(const Batch& batch, const EmbeddingView& view, Negatives& negatives) const {
    negatives.free_vectors = true;
    if (negatives.vectors.dim() != context_->dim) negatives.vectors = Table(0, context_->dim);
    negatives.vectors.resize_rows(static_cast<uint32_t>(chosen_.size()));
    const size_t stride = view.users.stride;
    context_->executor.for_chunks(batch.size(), kIrganRowsPerChunk, [&](size_t begin, size_t end) {
      Table user(1, context_->dim);
      for (size_t b = begin; b < end; ++b) {
        pooled_vector(view, view.user_hops, batch.users[b], user.data());
        const float norm = std::sqrt(dot(user.data(), user.data(), stride));
        const float step = norm > 0 ? static_cast<float>(options_.epsilon) / norm : 0;
        for (size_t k = 0; k < lists_->per_row(); ++k) {
          const size_t n = b * lists_->per_row() + k;
          pooled_vector(view, view.item_hops, chosen_[n], negatives.vectors.row(n));
          axpy(step, user.data(), negatives.vectors.row(n), stride);
        }
      }
    });
  }

  std::string name_;
  bool displaces_;
  IrganOptions options_;
  std::optional<SamplerContext> context_;
  std::optional<CandidateLists> lists_;
  std::optional<Random> random_;
  std::optional<Generator> generator_;
  std::vector<uint32_t> chosen_;
  std::vector<float> probabilities_;  // of the candidates of each negative
  std::vector<Generator::Lesson> lessons_;
  double reward_sum_ = 0;
  size_t rewards_ = 0;
};

}  // namespace

std::unique_ptr<Sampler> make_irgan() {
  return std::make_unique<Irgan>("irgan", false);
}

std::unique_ptr<Sampler> make_advir() {
  return std::make_unique<Irgan>("advir", true);
}

}  // namespace divns
