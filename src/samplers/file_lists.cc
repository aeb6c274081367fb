// SPDX-License-Identifier: Apache-2.0
#include "samplers/file_lists.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/log.h"
#include "data/item_lists.h"
#include "divns/options.h"
#include "kernels/vectors.h"
#include "samplers/candidates.h"

namespace divns {
namespace {

constexpr size_t kFileRowsPerChunk = 256;

enum class FileMode { kNegatives, kNever };

// Training items and listed items of each user together: what must not be drawn.
class ExcludedItems {
 public:
  ExcludedItems(const Interactions& train, const ItemLists& lists) : item_count_(train.item_count) {
    for (uint32_t user = 0; user < train.users(); ++user) {
      const auto owned = train.row(user);
      const auto listed = lists.row(user);
      std::set_union(owned.begin(), owned.end(), listed.begin(), listed.end(),
                     std::back_inserter(items_));
      offsets_.push_back(items_.size());
    }
  }
  Interactions view() const { return {offsets_, items_, item_count_}; }

 private:
  std::vector<uint64_t> offsets_ = {0};
  std::vector<uint32_t> items_;
  uint32_t item_count_;
};

class FileLists final : public Sampler {
 public:
  void declare(Options& options) override {
    options.add("file.path", path_, "file of lines user,item[,weight] with original ids");
    options.add_choice("file.mode", mode_,
                       {{"negatives", FileMode::kNegatives}, {"never", FileMode::kNever}},
                       "use of the listed items: drawn as negatives of the user in proportion to "
                       "their weights, or never drawn");
    options
        .add("file.share", share_,
             "probability of a draw from the user's list instead of a uniform draw, for mode = "
             "negatives")
        .range(0, 1)
        .tune_values({"0.25", "0.5", "0.75", "1"});
    options
        .add("file.candidates", candidates_,
             "number of draws per negative (n), of which the highest-scoring is taken")
        .range(1, 100000)
        .tune_log(1, 128);
  }

  std::vector<std::string> input_files() const override {
    if (path_.empty()) return {};
    return {path_};
  }

  void start(const SamplerContext& context) override {
    if (path_.empty())
      fail(
          "the sampler 'file' needs a file of lines user,item[,weight] with original ids; name it "
          "with --set file.path=FILE.");
    context_.emplace(context);
    random_.emplace(context.seed, "file");
    const Interactions& train = context.train;
    ItemLists lists = read_item_lists(path_, train.users(), train.item_count,
                                      context.inputs != nullptr ? *context.inputs : SideInputs());
    if (lists.unknown > 0)
      log_warning(
          fmt::format("{} of {} lines of {} name a user or an item that the data do not "
                      "have; they are ignored",
                      lists.unknown, lists.lines, path_));
    if (mode_ == FileMode::kNever) {
      excluded_.emplace(train, lists);
      require_items(train);
      drawer_.emplace(excluded_->view());
    } else {
      keep_lists(lists, train);
      drawer_.emplace(train);
    }
    scores_.assign(static_cast<size_t>(context.executor.threads()), std::vector<float>(each()));
  }

  bool draws_ahead() const override { return candidates_ == 1; }

  void propose(const Batch& batch, RowsToRead& rows) override {
    const size_t per_row = negatives() * each();
    drawn_.resize(batch.size() * per_row);
    context_->executor.for_chunks(batch.size(), kFileRowsPerChunk, [&](size_t begin, size_t end) {
      for (size_t b = begin; b < end; ++b) {
        drawer_->prefetch(batch.users[b]);
        Draws draws = random_->draws(batch.epoch, batch.place(b));
        for (size_t i = b * per_row; i < (b + 1) * per_row; ++i)
          drawn_[i] = draw(draws, batch.users[b]);
      }
    });
    rows.items.insert(rows.items.end(), drawn_.begin(), drawn_.end());
  }

  void choose(const Batch& batch, const EmbeddingView& view, Negatives& result) override {
    result.reset(batch.size(), negatives(), 1);
    context_->executor.for_chunks_with_worker(
        batch.size(), kFileRowsPerChunk, [&](int worker, size_t begin, size_t end) {
          float* scores = scores_[static_cast<size_t>(worker)].data();
          for (size_t n = begin * negatives(); n < end * negatives(); ++n) {
            const uint32_t* list = &drawn_[n * each()];
            size_t best = 0;
            if (each() > 1) {
              gather_scores(view.users.row(batch.users[n / negatives()]), view.items, list, each(),
                            scores);
              best = static_cast<size_t>(std::max_element(scores, scores + each()) - scores);
            }
            result.terms[n].item = list[best];
          }
        });
  }

 private:
  size_t negatives() const { return static_cast<size_t>(context_->negatives); }
  size_t each() const { return static_cast<size_t>(candidates_); }

  void require_items(const Interactions& train) const {
    const Interactions excluded = excluded_->view();
    for (uint32_t user = 0; user < train.users(); ++user)
      if (train.row(user).size() < train.item_count &&
          excluded.row(user).size() == train.item_count)
        fail(
            "{} marks every item that user number {} has no training pair with, so there is no "
            "negative left; leave at least one item unmarked.",
            path_, user);
  }

  // The lists without training items, as running sums of weights.
  void keep_lists(const ItemLists& lists, const Interactions& train) {
    const OwnedItems owned(train);
    offsets_.assign(1, 0);
    for (uint32_t user = 0; user < train.users(); ++user) {
      double sum = 0;
      for (uint64_t e = lists.offsets[user]; e < lists.offsets[user + 1]; ++e) {
        if (owned.owns(user, lists.items[e])) continue;
        items_.push_back(lists.items[e]);
        sums_.push_back(sum += double{lists.weights[e]});
      }
      offsets_.push_back(items_.size());
    }
  }

  uint32_t draw(Draws& draws, uint32_t user) const {
    if (mode_ == FileMode::kNever || offsets_[user] == offsets_[user + 1] ||
        (share_ < 1 && draws.uniform() >= share_))
      return drawer_->draw(draws, user);
    const auto begin = sums_.begin() + static_cast<ptrdiff_t>(offsets_[user]);
    const auto last = sums_.begin() + static_cast<ptrdiff_t>(offsets_[user + 1]) - 1;
    const double at = draws.uniform() * *last;
    return items_[static_cast<size_t>(std::upper_bound(begin, last, at) - sums_.begin())];
  }

  std::string path_;
  FileMode mode_ = FileMode::kNegatives;
  double share_ = 1;
  int candidates_ = 1;
  std::optional<SamplerContext> context_;
  std::optional<Random> random_;
  std::optional<ExcludedItems> excluded_;
  std::optional<CandidateDrawer> drawer_;
  std::vector<uint64_t> offsets_;  // of each user's list
  std::vector<uint32_t> items_;
  std::vector<double> sums_;  // of the weights up to and including the item
  std::vector<uint32_t> drawn_;
  std::vector<std::vector<float>> scores_;  // by worker
};

}  // namespace

std::unique_ptr<Sampler> make_file_lists() {
  return std::make_unique<FileLists>();
}

}  // namespace divns
