// SPDX-License-Identifier: Apache-2.0
#include "samplers/mcns.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/transposed.h"
#include "divns/options.h"
#include "kernels/vectors.h"
#include "samplers/candidates.h"
#include "samplers/item_graph.h"

namespace divns {

std::vector<uint32_t> depth_first_users(const Interactions& train) {
  const Transposed by_item(train);
  const Interactions users_of = by_item.view();
  std::vector<uint32_t> order;
  std::vector<uint8_t> seen(train.users(), 0);
  // The next neighbour to look at: of a user among the items, of an item among the users. Each item
  // is entered by its first user and left when its users are used up.
  std::vector<uint64_t> next_item(train.offsets.begin(), train.offsets.begin() + train.users());
  std::vector<uint64_t> next_user(users_of.offsets.begin(), users_of.offsets.end() - 1);
  std::vector<uint32_t> path;
  const auto enter = [&](uint32_t user) {
    seen[user] = 1;
    order.push_back(user);
    path.push_back(user);
  };
  for (uint32_t root = 0; root < train.users(); ++root) {
    if (seen[root] != 0) continue;
    enter(root);
    while (!path.empty()) {
      const uint32_t user = path.back();
      bool entered = false;
      while (!entered && next_item[user] < train.offsets[user + size_t{1}]) {
        const uint32_t item = train.items[next_item[user]];
        while (!entered && next_user[item] < users_of.offsets[item + size_t{1}]) {
          const uint32_t other = users_of.items[next_user[item]++];
          if (seen[other] != 0) continue;
          enter(other);
          entered = true;
        }
        if (!entered) ++next_item[user];
      }
      if (!entered) path.pop_back();
    }
  }
  return order;
}

namespace {

// Users of one chain. The chains of an epoch run in parallel.
constexpr size_t kUsersPerChain = 256;
// A chain of very many steps looks so often whether the training was cancelled.
constexpr int kStepsBetweenLooks = 4096;

struct McnsOptions {
  double alpha = 0.75;
  double uniform = 0.5;
  int neighbours = 100;
  int longest = 1000;
  int burn_in = 100;
  int steps = 1;

  void declare(Options& options) {
    options.add("mcns.alpha", alpha, "exponent of the estimated positive distribution")
        .range(0, 10)
        .tune_values({"0.25", "0.5", "0.75", "1"});
    options
        .add("mcns.uniform", uniform,
             "probability of a uniform proposal instead of one of the nearest items")
        .above(0)
        .range(0, 1)
        .tune_values({"0.25", "0.5", "0.75", "1"});
    options
        .add("mcns.neighbours", neighbours,
             "number of nearest items of an item that a chain may move to")
        .range(1, 100000)
        .tune_values({"20", "50", "100"});
    options
        .add("mcns.longest", longest,
             "users with more training pairs than this are not used to find the nearest items")
        .range(1);
    options.add("mcns.burn_in", burn_in, "number of steps before the first negative of a chain")
        .range(0);
    options.add("mcns.steps", steps, "number of steps per negative")
        .range(1)
        .tune_values({"1", "5"});
  }
};

class Mcns final : public Sampler {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    context_.emplace(context);
    drawer_.emplace(context.train);
    random_.emplace(context.seed, "mcns");
    nearest_ = nearest_items(context.train, static_cast<size_t>(options_.neighbours),
                             static_cast<size_t>(options_.longest), context.executor);
    order_ = depth_first_users(context.train);
    pool_.assign(context.train.pairs() * per_row(), 0);
  }

  bool reads_epoch_vectors() const override { return true; }

  void begin_epoch(uint32_t epoch, const EmbeddingView& view) override {
    context_->executor.for_chunks(order_.size(), kUsersPerChain, [&](size_t begin, size_t end) {
      run_chain(epoch, std::span(order_).subspan(begin, end - begin), view);
    });
  }

  void propose(const Batch& batch, RowsToRead& rows) override {
    for (const uint64_t pair : batch.pairs) {
      const auto items = pool_of(pair);
      rows.items.insert(rows.items.end(), items.begin(), items.end());
    }
  }

  void choose(const Batch& batch, const EmbeddingView& /*view*/, Negatives& negatives) override {
    negatives.reset(batch.size(), per_row(), 1);
    for (size_t b = 0; b < batch.size(); ++b)
      for (size_t k = 0; k < per_row(); ++k)
        negatives.terms[b * per_row() + k].item = pool_of(batch.pairs[b])[k];
  }

 private:
  struct State {
    uint32_t item = 0;
    double log_target = 0;
  };

  size_t per_row() const { return static_cast<size_t>(context_->negatives); }
  std::span<const uint32_t> pool_of(uint64_t pair) const {
    return std::span(pool_).subspan(pair * per_row(), per_row());
  }

  // The chain ends with the epoch, so a training that is resumed needs none of its states.
  void run_chain(uint32_t epoch, std::span<const uint32_t> users, const EmbeddingView& view) {
    std::optional<uint32_t> last;
    for (const uint32_t user : users) {
      const uint64_t first = context_->train.offsets[user];
      const uint64_t end = context_->train.offsets[user + size_t{1}];
      if (first == end || drawer_->available(user) == 0) continue;
      Draws draws = random_->draws(epoch, user);
      const bool fresh = !last;
      State state;
      state.item = last && !drawer_->owns(user, *last) ? *last : drawer_->draw(draws, user);
      state.log_target = log_target(view, user, state.item);
      if (fresh) walk(options_.burn_in, draws, user, view, state);
      for (size_t n = first * per_row(); n < end * per_row(); ++n) {
        walk(options_.steps, draws, user, view, state);
        pool_[n] = state.item;
      }
      last = state.item;
    }
  }

  // log sigmoid(s)^alpha = -alpha log(1 + exp(-s))
  double log_target(const EmbeddingView& view, uint32_t user, uint32_t item) const {
    const double s = double{dot(view.users.row(user), view.items.row(item), view.items.stride)};
    return options_.alpha * (s < 0 ? s - std::log1p(std::exp(s)) : -std::log1p(std::exp(-s)));
  }

  void walk(int steps, Draws& draws, uint32_t user, const EmbeddingView& view, State& state) const {
    for (int i = 0; i < steps; ++i) {
      if (i % kStepsBetweenLooks == 0) context_->executor.stop_if_cancelled();
      step(draws, user, view, state);
    }
  }

  void step(Draws& draws, uint32_t user, const EmbeddingView& view, State& state) const {
    const uint32_t proposal = propose_from(draws, state.item);
    const double chance = draws.uniform();
    if (proposal == state.item || drawer_->owns(user, proposal)) return;
    const double log_proposal = log_target(view, user, proposal);
    const double ratio = std::exp(log_proposal - state.log_target) *
                         proposal_density(proposal, state.item) /
                         proposal_density(state.item, proposal);
    if (chance < ratio) state = {proposal, log_proposal};
  }

  uint32_t propose_from(Draws& draws, uint32_t from) const {
    const auto near = nearest_.row(from);
    if (near.empty() || draws.uniform() < options_.uniform)
      return draws.below(context_->train.item_count);
    return near[draws.below(static_cast<uint32_t>(near.size()))];
  }

  // q(to | from)
  double proposal_density(uint32_t from, uint32_t to) const {
    const auto near = nearest_.row(from);
    const double any = 1.0 / context_->train.item_count;
    if (near.empty()) return any;
    const bool is_near = std::binary_search(near.begin(), near.end(), to);
    return options_.uniform * any +
           (is_near ? (1 - options_.uniform) / static_cast<double>(near.size()) : 0);
  }

  McnsOptions options_;
  std::optional<SamplerContext> context_;
  std::optional<CandidateDrawer> drawer_;
  std::optional<Random> random_;
  ItemNeighbours nearest_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> pool_;  // training pairs x K: the negatives of the epoch
};

}  // namespace

std::unique_ptr<Sampler> make_mcns() {
  return std::make_unique<Mcns>();
}

}  // namespace divns
