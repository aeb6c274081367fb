// SPDX-License-Identifier: Apache-2.0
#include "samplers/fairneg.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/check.h"
#include "divns/options.h"
#include "divns/tensors.h"
#include "kernels/vectors.h"
#include "samplers/candidates.h"

namespace divns {

void GroupProbabilities::update(std::span<const double> losses, double rate, double momentum) {
  double sum = 0;
  double count = 0;
  for (const double loss : losses)
    if (loss >= 0) {
      sum += loss;
      ++count;
    }
  for (size_t z = 0; z < losses.size(); ++z) {
    if (losses[z] < 0) continue;
    velocity[z] = momentum * velocity[z] + (1 - momentum) * (losses[z] - sum / count);
    probability[z] = std::clamp(probability[z] - rate * velocity[z], 0.0, 1.0);
  }
  double total = 0;
  for (const double p : probability) total += p;
  for (double& p : probability)
    p = total > 0 ? p / total : 1 / static_cast<double>(probability.size());
}

namespace {

constexpr size_t kFairRowsPerChunk = 128;
constexpr size_t kFairUsersPerChunk = 256;
// Draws from a group before its items are listed: the user may own most of them.
constexpr int kFairTries = 32;

struct FairNegOptions {
  double rate = 0.2;
  double momentum = 0.9;
  double hard = 0.1;
  double temperature = 0.4;
  int candidates = 200;

  void declare(Options& options) {
    options.add("fairneg.rate", rate, "step size of the group probabilities")
        .range(0)
        .tune_values({"0.01", "0.05", "0.2", "0.5"});
    options
        .add("fairneg.momentum", momentum, "share of the last step in a step of the probabilities")
        .range(0, 0.999999)
        .tune_values({"0", "0.5", "0.9"});
    options.add("fairneg.hard", hard, "probability of a draw by score instead of a draw by groups")
        .range(0, 1)
        .tune_values({"0", "0.1", "0.3", "0.5", "0.9"});
    options.add("fairneg.temperature", temperature, "temperature of the draws by score (tau)")
        .above(0)
        .tune_values({"0.1", "0.4", "1"});
    options
        .add("fairneg.candidates", candidates,
             "number of uniform candidates of a draw by score (n)")
        .range(1, 100000)
        .tune_values({"50", "200"});
  }
};

class FairNeg final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    if (context.inputs == nullptr || context.inputs->item_groups.group_of.empty())
      fail(
          "the sampler 'fairneg' needs groups of items; name a file of lines item,group with "
          "original ids with --item-groups FILE.");
    groups_ = &context.inputs->item_groups;
    context_.emplace(context);
    drawer_.emplace(context.train);
    random_.emplace(context.seed, "fairneg");
    pick_random_.emplace(context.seed, "fairneg.pick");
    members_.assign(groups_->names.size(), {});
    for (uint32_t i = 0; i < context.train.item_count; ++i)
      members_[groups_->group_of[i]].push_back(i);
    for (const std::vector<uint32_t>& group : members_)
      state_.probability.push_back(static_cast<double>(group.size()) / context.train.item_count);
    state_.velocity.assign(members_.size(), 0);
    scores_.assign(static_cast<size_t>(context.executor.threads()), std::vector<float>(each()));
  }

  bool reads_epoch_vectors() const override { return true; }

  void begin_epoch(uint32_t /*epoch*/, const EmbeddingView& view) override {
    losses_ = group_losses(view);
    state_.update(losses_, options_.rate, options_.momentum);
  }

  void propose(const Batch& batch, RowsToRead& rows) override {
    const size_t each_row = negatives() * each();
    drawn_.resize(batch.size() * each_row);
    lengths_.resize(batch.size() * negatives());
    context_->executor.for_chunks(batch.size(), kFairRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        Draws draws = random_->draws(batch.epoch, batch.place(b));
        for (size_t n = b * negatives(); n < (b + 1) * negatives(); ++n) {
          const auto list = std::span(drawn_).subspan(n * each(), each());
          const bool hard = options_.hard > 0 && draws.uniform() < options_.hard;
          lengths_[n] = hard ? static_cast<uint32_t>(each()) : 1;
          if (hard)
            drawer_->draw_with_replacement(draws, batch.users[b], list);
          else
            list[0] = draw_by_group(draws, batch.users[b]);
        }
      }
    });
    for (size_t n = 0; n < lengths_.size(); ++n)
      rows.items.insert(rows.items.end(), &drawn_[n * each()], &drawn_[n * each()] + lengths_[n]);
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& result) override {
    result.reset(batch.size(), negatives(), 1);
    context_->executor.for_chunks_with_worker(
        batch.size(), kFairRowsPerChunk, [&](int worker, size_t begin, size_t end) {
          std::vector<float>& scores = scores_[static_cast<size_t>(worker)];
          for (size_t n = begin * negatives(); n < end * negatives(); ++n) {
            const size_t b = n / negatives();
            const uint32_t* list = &drawn_[n * each()];
            size_t at = 0;
            if (lengths_[n] > 1) {
              gather_scores(view.users.row(batch.users[b]), view.items, list, each(),
                            scores.data());
              Draws draws = pick_random_->draws(batch.epoch, batch.place(b),
                                                static_cast<uint32_t>(n % negatives()));
              at = draw_by_score(draws, scores);
            }
            result.terms[n].item = list[at];
          }
        });
  }

  void save(TensorWriter& out) const override {
    out.add("probability", state_.probability);
    out.add("velocity", state_.velocity);
  }
  void load(const TensorReader& in) override {
    in.read("probability", std::span(state_.probability));
    in.read("velocity", std::span(state_.velocity));
  }

  std::vector<std::pair<std::string, double>> diagnostics() const override {
    std::vector<std::pair<std::string, double>> out;
    const auto [least, most] =
        std::minmax_element(state_.probability.begin(), state_.probability.end());
    out.emplace_back("least_group_probability", *least);
    out.emplace_back("most_group_probability", *most);
    double best = std::numeric_limits<double>::infinity();
    double worst = 0;
    for (const double loss : losses_)
      if (loss >= 0) {
        best = std::min(best, loss);
        worst = std::max(worst, loss);
      }
    out.emplace_back("least_group_loss", best);
    out.emplace_back("most_group_loss", worst);
    return out;
  }

 private:
  size_t negatives() const { return static_cast<size_t>(context_->negatives); }
  size_t each() const { return static_cast<size_t>(options_.candidates); }

  // -1 for groups without training pairs.
  std::vector<double> group_losses(const EmbeddingView& view) const {
    struct Sums {
      std::vector<double> loss;
      std::vector<double> pairs;
    };
    const Interactions& train = context_->train;
    const size_t count = members_.size();
    const Sums none{std::vector<double>(count), std::vector<double>(count)};
    const auto sums = context_->executor.map_reduce(
        train.users(), kFairUsersPerChunk, none,
        [&](size_t begin, size_t end) {
          Sums part = none;
          for (auto user = static_cast<uint32_t>(begin); user < end; ++user)
            for (const uint32_t item : train.row(user)) {
              const double s =
                  double{dot(view.users.row(user), view.items.row(item), view.items.stride)};
              part.loss[groups_->group_of[item]] +=
                  std::max(-s, 0.0) + std::log1p(std::exp(-std::abs(s)));
              ++part.pairs[groups_->group_of[item]];
            }
          return part;
        },
        [&](Sums all, const Sums& part) {
          for (size_t z = 0; z < count; ++z) {
            all.loss[z] += part.loss[z];
            all.pairs[z] += part.pairs[z];
          }
          return all;
        });
    std::vector<double> losses(count, -1);
    for (size_t z = 0; z < count; ++z)
      if (sums.pairs[z] > 0) losses[z] = sums.loss[z] / sums.pairs[z];
    return losses;
  }

  // A group by p, then one of its items that the user has no training pair with; a uniform draw if
  // there is none.
  uint32_t draw_by_group(Draws& draws, uint32_t user) const {
    double left = draws.uniform();
    size_t z = 0;
    while (z + 1 < members_.size() && (left -= state_.probability[z]) >= 0) ++z;
    const std::vector<uint32_t>& group = members_[z];
    for (int i = 0; i < kFairTries && !group.empty(); ++i)
      if (const uint32_t item = group[draws.below(static_cast<uint32_t>(group.size()))];
          !drawer_->owns(user, item))
        return item;
    std::vector<uint32_t> allowed;
    for (const uint32_t item : group)
      if (!drawer_->owns(user, item)) allowed.push_back(item);
    if (allowed.empty()) return drawer_->draw(draws, user);
    return allowed[draws.below(static_cast<uint32_t>(allowed.size()))];
  }

  size_t draw_by_score(Draws& draws, const std::vector<float>& scores) const {
    const double top = double{*std::max_element(scores.begin(), scores.end())};
    double total = 0;
    for (const float score : scores)
      total += std::exp((double{score} - top) / options_.temperature);
    double left = draws.uniform() * total;
    for (size_t j = 0; j + 1 < scores.size(); ++j)
      if ((left -= std::exp((double{scores[j]} - top) / options_.temperature)) < 0) return j;
    return scores.size() - 1;
  }

  FairNegOptions options_;
  const ItemGroups* groups_ = nullptr;
  std::optional<SamplerContext> context_;
  std::optional<CandidateDrawer> drawer_;
  std::optional<Random> random_;
  std::optional<Random> pick_random_;
  std::vector<std::vector<uint32_t>> members_;  // items of each group
  GroupProbabilities state_;
  std::vector<double> losses_;
  std::vector<uint32_t> drawn_;             // B x K x n; a draw by groups uses the first place
  std::vector<uint32_t> lengths_;           // of each list: n or 1
  std::vector<std::vector<float>> scores_;  // by worker
};

}  // namespace

std::unique_ptr<Sampler> make_fairneg() {
  return std::make_unique<FairNeg>();
}

}  // namespace divns
