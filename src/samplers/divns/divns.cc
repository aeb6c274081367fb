// SPDX-License-Identifier: Apache-2.0
#include "samplers/divns/divns.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "divns/snapshot.h"
#include "divns/tensors.h"
#include "samplers/divns/candidate_ranking.h"
#include "samplers/divns/diverse_choice.h"
#include "samplers/divns/ground_set.h"
#include "samplers/divns/pair_memory.h"
#include "samplers/divns/partners.h"
#include "samplers/divns/ragged_rows.h"
#include "samplers/divns/settings.h"

namespace divns {
namespace {

constexpr size_t kDivnsUsersPerChunk = 16;
constexpr size_t kDivnsRowsPerChunk = 64;
// Users are processed in blocks of about this many pairs, which bounds the memory between the
// modules.
constexpr uint64_t kPairsPerUserBlock = uint64_t{1} << 18;
// Number of lists of one user that are scored together.
constexpr size_t kListsAtOnce = 32;

class DivNs final : public Sampler, public SnapshotSource {
 public:
  void declare(Options& options) override { options_.declare(options); }

  void start(const SamplerContext& context) override {
    options_.check();
    context_.emplace(context);
    train_ = context.train;
    lists_ = static_cast<size_t>(context.negatives);
    ratio_ = options_.has_module_two() ? static_cast<size_t>(options_.cache_ratio) : 0;
    ranking_.emplace(train_, options_.candidates, ratio_ + 1);
    candidate_draws_.emplace(context.seed, "divns.candidates");
    partner_draws_.emplace(context.seed, "divns.partners");
    tie_draws_.emplace(context.seed, "divns.ties");
    for (int i = 0; i < context.executor.threads(); ++i) workers_.emplace_back(train_.item_count);
    if (!options_.has_module_two()) return;
    choice_.emplace(options_, context);
    memory_.start(train_, lists_, ratio_);
    if (options_.opposite_to == OppositeTo::kPositions) start_positions();
    cut_blocks();
  }

  bool reads_epoch_vectors() const override { return options_.has_module_two(); }

  void begin_epoch(uint32_t epoch, const EmbeddingView& view) override {
    has_partners_ = options_.has_module_two() && epoch > 0;
    ground_items_ = mixed_ = 0;
    if (options_.pairing == DivnsPairing::kOrdered) used_.assign(train_.users(), 0);
    if (!options_.has_module_two()) return;
    const bool per_batch = options_.chooses_per_batch();
    const bool from_cache_time = options_.cached_vectors && epoch > 0;
    for (size_t b = 0; b + 1 < blocks_.size(); ++b) {
      const Block block{blocks_[b], blocks_[b + 1]};
      if (per_batch) {
        if (has_partners_) gather_ground(epoch, block);
      } else {
        choose_hard(epoch, block, view);
      }
      if (has_partners_)
        choose_partners(epoch, block, from_cache_time ? cached_items_.view() : view.items);
    }
    if (per_batch) memory_.forget_choices();
    if (options_.cached_vectors) keep_vectors(view.items);
  }

  void propose(const Batch& batch, RowsToRead& rows) override {
    const size_t count = batch.size() * lists_;
    batch_hard_.resize(count);
    batch_partners_.assign(count, kNoItem);
    const size_t n = options_.chooses_per_batch() ? ranking_->candidates() : 1;
    rows.items.resize(count * n);
    const bool ordered = options_.pairing == DivnsPairing::kOrdered;
    if (ordered && has_partners_) next_partners(batch);
    context_->executor.for_chunks(batch.size(), kDivnsRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        for (size_t k = 0; has_partners_ && !ordered && k < lists_; ++k)
          batch_partners_[b * lists_ + k] = memory_.partners[batch.pairs[b] * lists_ + k];
        const auto mine = std::span(rows.items).subspan(b * lists_ * n, lists_ * n);
        if (options_.chooses_per_batch()) {
          Draws draws = candidate_draws_->draws(batch.epoch, batch.place(b));
          for (size_t k = 0; k < lists_; ++k)
            ranking_->draw(draws, batch.users[b], mine.subspan(k * n, n));
        } else {
          std::copy_n(memory_.hard.begin() + static_cast<ptrdiff_t>(batch.pairs[b] * lists_),
                      lists_, mine.begin());
        }
      }
    });
    drawn_.assign(rows.items.begin(), rows.items.end());
    for (const uint32_t item : batch_partners_)
      if (item != kNoItem) rows.items.push_back(item);
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) override {
    if (options_.chooses_per_batch())
      choose_hard(batch, view);
    else
      batch_hard_.swap(drawn_);
    if (options_.diverse == DiverseRule::kHard) batch_partners_ = batch_hard_;
    if (!has_partners_ && options_.diverse != DiverseRule::kHard) {
      negatives.reset(batch.size(), lists_, 1);
      for (size_t i = 0; i < batch_hard_.size(); ++i) negatives.terms[i].item = batch_hard_[i];
      // The first epoch of a sampler with partners has plain negatives in any case.
      negatives.broadcasts = !options_.has_module_two();
    } else if (options_.combine == DivnsCombine::kPair) {
      set_pairs({batch_hard_, batch_partners_, lists_}, negatives);
    } else {
      set_mixtures({batch_hard_, batch_partners_, lists_}, options_.lambda, negatives);
    }
  }

  // What outlives the epoch beside the cache does not fit: hard negatives with timing = batch, the
  // vectors of all items, positions.
  bool fits_blocks() const override {
    return !options_.has_module_two() ||
           (options_.timing == DivnsTiming::kEpoch && !options_.cached_vectors &&
            options_.opposite_to != OppositeTo::kPositions);
  }
  std::span<uint32_t> remembered_items() override { return memory_.cache; }

  // With timing = epoch only the cache outlives the epoch; with timing = batch the hard negatives
  // too.
  void save(TensorWriter& out) const override {
    if (!options_.has_module_two()) return;
    memory_.save(out, options_.chooses_per_batch());
    if (options_.cached_vectors)
      out.add("vectors", std::span<const float>(cached_items_.data(), cached_items_.size()));
  }

  void load(const TensorReader& in) override {
    if (!options_.has_module_two()) return;
    memory_.load(in, options_.chooses_per_batch());
    if (options_.cached_vectors) {
      cached_items_ = Table(train_.item_count, context_->dim);
      in.read("vectors", std::span(cached_items_.data(), cached_items_.size()));
    }
  }

  std::vector<std::pair<std::string, double>> diagnostics() const override {
    if (!has_partners_) return {};
    const auto hard = static_cast<double>(memory_.hard.size());
    return {{"ground_per_hard", static_cast<double>(ground_items_) / hard},
            {"mixed_share", static_cast<double>(mixed_) / hard}};
  }

  // Candidates are drawn again: draws are a function of epoch, user and list. With timing = batch
  // they depend on the order of the pairs, so they are left out.
  UserSnapshot snapshot(uint32_t epoch, uint32_t user, size_t positives) const override {
    const size_t shown = std::min(positives, train_.row(user).size());
    const auto row = train_.row(user).first(shown);
    UserSnapshot result{user, {{"positives", {row.begin(), row.end()}}}};
    if (!options_.chooses_per_batch()) {
      std::vector<uint32_t> drawn;
      std::vector<uint32_t> list(ranking_->candidates());
      for (size_t p = 0; p < shown && is_trained(user); ++p) {
        Draws draws = candidate_draws_->draws(epoch, user, static_cast<uint32_t>(p * lists_));
        ranking_->draw(draws, user, list);
        drawn.insert(drawn.end(), list.begin(), list.end());
      }
      result.items.emplace_back("candidates", std::move(drawn));
    }
    memory_.show(user, shown, has_partners_, result);
    return result;
  }

 private:
  struct Worker {
    explicit Worker(uint32_t items) : ground(items) {}
    std::vector<uint32_t> lists;
    std::vector<uint32_t> ranked;  // kept() per list
    std::vector<uint32_t> spare;
    CandidateRanking::Scratch scores;
    GroundSet ground;
  };
  struct Block {
    uint32_t begin;
    uint32_t end;

    size_t users() const { return end - begin; }
  };

  void start_positions() {
    if (!options_.chooses_per_batch() || ranking_->candidates() > train_.item_count)
      fail(
          "divns.opposite_to = positions needs divns.timing = batch and at most as many "
          "candidates as there are items ({}).",
          train_.item_count);
    memory_.keep_positions();
  }

  void cut_blocks() {
    blocks_.assign(1, 0);
    for (uint32_t user = 0; user < train_.users(); ++user)
      if (train_.offsets[user + 1] - train_.offsets[blocks_.back()] >= kPairsPerUserBlock)
        blocks_.push_back(user + 1);
    if (blocks_.back() < train_.users()) blocks_.push_back(train_.users());
  }

  bool is_trained(uint32_t user) const { return ranking_->drawer().available(user) > 0; }

  template <class Body>
  void for_users(const Block& block, Body&& body) {
    context_->executor.for_chunks_with_worker(
        block.users(), kDivnsUsersPerChunk, [&](int worker, size_t begin, size_t end) {
          for (size_t s = begin; s < end; ++s)
            if (is_trained(block.begin + static_cast<uint32_t>(s)))
              body(workers_[static_cast<size_t>(worker)], s,
                   block.begin + static_cast<uint32_t>(s));
        });
  }

  void start_ground(const Block& block) {
    const auto bounds = train_.offsets.subspan(block.begin, block.users() + 1);
    ground_.start(bounds, lists_ * ratio_);
    against_.start(bounds, lists_);
  }

  // Module one for a block of users. The ground sets are formed in the same pass, before the old
  // cache is overwritten.
  void choose_hard(uint32_t epoch, const Block& block, const EmbeddingView& view) {
    if (has_partners_) start_ground(block);
    for_users(block, [&](Worker& worker, size_t s, uint32_t user) {
      rank_user(epoch, user, view, worker);
      const std::span<uint32_t> hard = memory_.of_user(memory_.hard, user);
      const size_t kept = ranking_->kept();
      for (size_t l = 0; l < hard.size(); ++l) hard[l] = worker.ranked[l * kept];
      if (has_partners_) add_ground(epoch, user, s, worker);
      const std::span<uint32_t> cache = memory_.cache_of(user);
      for (size_t l = 0; l < hard.size(); ++l)
        std::copy_n(worker.ranked.data() + l * kept + 1, ratio_, cache.data() + l * ratio_);
    });
  }

  void gather_ground(uint32_t epoch, const Block& block) {
    start_ground(block);
    for_users(block,
              [&](Worker& worker, size_t s, uint32_t user) { add_ground(epoch, user, s, worker); });
  }

  // Ranks the candidates of all positives of a user into worker.ranked.
  void rank_user(uint32_t epoch, uint32_t user, const EmbeddingView& view, Worker& worker) const {
    const size_t n = ranking_->candidates();
    const size_t kept = ranking_->kept();
    const size_t total = train_.row(user).size() * lists_;
    worker.ranked.resize(total * kept);
    for (size_t first = 0; first < total; first += kListsAtOnce) {
      const size_t count = std::min(kListsAtOnce, total - first);
      worker.lists.resize(count * n);
      for (size_t l = 0; l < count; ++l) {
        Draws draws = candidate_draws_->draws(epoch, user, static_cast<uint32_t>(first + l));
        ranking_->draw(draws, user, std::span(worker.lists).subspan(l * n, n));
      }
      ranking_->rank(view.users.row(user), view.items, worker.lists,
                     std::span(worker.ranked).subspan(first * kept, count * kept), worker.scores);
    }
  }

  void add_ground(uint32_t epoch, uint32_t user, size_t s, Worker& worker) {
    const std::span<uint32_t> hard = memory_.of_user(memory_.hard, user);
    const std::span<uint32_t> ground = ground_.room(s);
    const size_t count = worker.ground.build(
        memory_.cache_of(user), options_.keep_hard ? std::span<uint32_t>() : hard, ground);
    ground_.set_count(s, count);
    if (options_.random_ties) {
      Draws draws = tie_draws_->draws(epoch, user);
      shuffle(draws, ground.first(count));
    }
    const std::span<const uint32_t> other =
        memory_.positions.empty() ? hard : memory_.of_user(memory_.positions, user);
    const std::span<uint32_t> against = against_.room(s);
    if (options_.distinct_hard) {
      sort_distinct(other, worker.spare);
      against_.set_count(s, worker.spare.size());
      std::copy(worker.spare.begin(), worker.spare.end(), against.begin());
    } else {
      const auto end = std::remove_copy(other.begin(), other.end(), against.begin(), kNoItem);
      against_.set_count(s, static_cast<size_t>(end - against.begin()));
    }
  }

  // Modules two and three.
  void choose_partners(uint32_t epoch, const Block& block, const VectorTable& items) {
    ground_.finish();
    against_.finish();
    sizes_.resize(block.users());
    for (size_t s = 0; s < sizes_.size(); ++s)
      sizes_[s] =
          static_cast<uint32_t>(train_.row(block.begin + static_cast<uint32_t>(s)).size() * lists_);
    counts_.assign(block.users(), 0);
    const uint64_t first = train_.offsets[block.begin] * lists_;
    const uint64_t last = train_.offsets[block.end] * lists_;
    const auto partners = std::span(memory_.partners).subspan(first, last - first);
    choice_->choose(items,
                    {.candidate_offsets = ground_.offsets(),
                     .candidates = ground_.ids(),
                     .against_offsets = against_.offsets(),
                     .against = against_.ids(),
                     .sizes = sizes_},
                    epoch, block.begin, partners, counts_);
    for_users(block, [&](Worker& worker, size_t s, uint32_t user) {
      Draws draws = partner_draws_->draws(epoch, user);
      pair_up(draws, user, ranking_->drawer(), options_, memory_.of_user(memory_.partners, user),
              counts_[s], worker.spare);
    });
    ground_items_ += ground_.offsets().back();
    mixed_ += static_cast<uint64_t>(std::count_if(partners.begin(), partners.end(),
                                                  [](uint32_t item) { return item != kNoItem; }));
  }

  // In the order in which the rows of a user come up in the epoch.
  void next_partners(const Batch& batch) {
    for (size_t b = 0; b < batch.size(); ++b) {
      const std::span<uint32_t> partners = memory_.of_user(memory_.partners, batch.users[b]);
      for (size_t k = 0; k < lists_; ++k)
        batch_partners_[b * lists_ + k] = partners[used_[batch.users[b]]++ % partners.size()];
    }
  }

  // Module one for a batch.
  void choose_hard(const Batch& batch, const EmbeddingView& view) {
    const size_t n = ranking_->candidates();
    const size_t kept = ranking_->kept();
    batch_ranked_.resize(batch.size() * lists_ * kept);
    context_->executor.for_chunks_with_worker(
        batch.size(), kDivnsRowsPerChunk, [&](int worker, size_t begin, size_t end) {
          for (size_t b = begin; b < end; ++b)
            ranking_->rank(view.users.row(batch.users[b]), view.items,
                           std::span(drawn_).subspan(b * lists_ * n, lists_ * n),
                           std::span(batch_ranked_).subspan(b * lists_ * kept, lists_ * kept),
                           workers_[static_cast<size_t>(worker)].scores);
        });
    for (size_t l = 0; l < batch_hard_.size(); ++l) batch_hard_[l] = batch_ranked_[l * kept];
    if (!options_.has_module_two()) return;
    // In the order of the rows: if a pair occurs twice in a batch, the later row wins.
    for (size_t l = 0; l < batch_hard_.size(); ++l) {
      const uint64_t place = batch.pairs[l / lists_] * lists_ + l % lists_;
      memory_.hard[place] = batch_hard_[l];
      if (!memory_.positions.empty()) memory_.positions[place] = position(l * n, batch_hard_[l]);
      std::copy_n(batch_ranked_.data() + l * kept + 1, ratio_,
                  memory_.cache.data() + place * ratio_);
    }
  }

  void keep_vectors(const VectorTable& items) {
    if (cached_items_.rows() == 0) cached_items_ = Table(items.rows, items.dim);
    for (uint32_t i = 0; i < items.rows; ++i)
      std::copy_n(items.row(i), items.dim, cached_items_.row(i));
  }

  // Of an item among the candidates of a batch, of which the item's list begins at `first`.
  uint32_t position(size_t first, uint32_t item) const {
    const auto list = drawn_.begin() + static_cast<ptrdiff_t>(first);
    return static_cast<uint32_t>(std::find(list, drawn_.end(), item) - list);
  }

  DivnsOptions options_;
  std::optional<SamplerContext> context_;
  Interactions train_;
  size_t lists_ = 1;  // K lists of candidates per pair
  size_t ratio_ = 0;  // m; 0 without a cache
  std::optional<CandidateRanking> ranking_;
  std::optional<Random> candidate_draws_;
  std::optional<Random> partner_draws_;
  std::optional<Random> tie_draws_;
  std::optional<DiverseChoice> choice_;
  std::vector<Worker> workers_;
  std::vector<uint32_t> blocks_;  // first user of each block, then the number of users

  PairMemory memory_;
  std::vector<uint32_t> used_;  // partners of each user that were used in the epoch (ordered)
  Table cached_items_;
  bool has_partners_ = false;
  uint64_t ground_items_ = 0;
  uint64_t mixed_ = 0;

  // Of the current block.
  RaggedRows ground_;
  RaggedRows against_;
  std::vector<uint32_t> sizes_;
  std::vector<uint32_t> counts_;

  // Of the current batch, one entry per list.
  std::vector<uint32_t> drawn_;
  std::vector<uint32_t> batch_ranked_;
  std::vector<uint32_t> batch_hard_;
  std::vector<uint32_t> batch_partners_;
};

}  // namespace

std::unique_ptr<Sampler> make_divns() {
  return std::make_unique<DivNs>();
}

}  // namespace divns
