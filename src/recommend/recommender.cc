// SPDX-License-Identifier: Apache-2.0
#include <mutex>
#include <numeric>
#include <optional>

#include "base/check.h"
#include "recommend/fold_in.h"
#include "recommend/ranked_rows.h"

namespace divns {
struct Recommender::Contents {
  // Made by the first thread that needs it: not every program asks for similar items, and they need
  // a second copy of the vectors.
  class LazyNearestRows {
   public:
    const NearestRows& get(const VectorTable& table, Similarity measure) {
      std::call_once(made_, [&] { rows_.emplace(table, measure, Executor(1)); });
      return *rows_;
    }

   private:
    std::once_flag made_;
    std::optional<NearestRows> rows_;
  };

  Contents(const VectorTable& table, const FoldInOptions& fold, const Executor& executor)
      : items(table), packed(table, executor), fold_in(table, fold, executor) {}

  VectorTable items;
  PackedItems packed;
  FoldIn fold_in;
  LazyNearestRows by_cosine;
  LazyNearestRows by_dot;
  Executor alone = Executor(1);
};

Recommender::Recommender(const VectorTable& items, const FoldInOptions& fold_in, int threads)
    : contents_(std::make_unique<Contents>(items, fold_in, Executor(threads))) {}

Recommender::~Recommender() = default;
Recommender::Recommender(Recommender&&) noexcept = default;
Recommender& Recommender::operator=(Recommender&&) noexcept = default;

TopItems Recommender::recommend(const VectorTable& users, const Interactions& excluded,
                                uint32_t k) const {
  if (k == 0) fail("A list needs at least 1 place; k is 0.");
  if (users.dim != contents_->items.dim || excluded.users() != users.rows ||
      excluded.item_count != contents_->items.rows)
    fail("The users' vectors and the excluded items do not belong to these item vectors.");
  std::vector<uint32_t> rows(users.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  return rank_into_arrays(contents_->packed,
                          {.users = users, .rows = rows, .masks = std::span(&excluded, 1), .k = k},
                          contents_->alone);
}

TopItems Recommender::similar(std::span<const uint32_t> items, uint32_t k,
                              Similarity measure) const {
  Contents::LazyNearestRows& rows =
      measure == Similarity::kCosine ? contents_->by_cosine : contents_->by_dot;
  return rows.get(contents_->items, measure).nearest(items, k, contents_->alone);
}

std::vector<float> Recommender::fold_in(const Interactions& histories) const {
  return contents_->fold_in.vectors(histories, contents_->alone);
}

}  // namespace divns
