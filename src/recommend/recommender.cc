// SPDX-License-Identifier: Apache-2.0
#include <mutex>
#include <optional>

#include "base/check.h"
#include "recommend/fold_in.h"
#include "recommend/item_neighbours.h"
#include "recommend/profiles.h"
#include "recommend/ranked_rows.h"

namespace divns {

// What a Recommender does in the way of its model.
class Recommender::Kind {
 public:
  Kind() = default;
  virtual ~Kind() = default;
  Kind(const Kind&) = delete;
  Kind& operator=(const Kind&) = delete;

  virtual uint32_t items() const = 0;
  virtual UserProfiles profile(uint32_t user) const = 0;
  virtual UserProfiles fold_in(const Interactions& histories) const = 0;
  virtual TopItems recommend(const UserProfiles& users, const Interactions& excluded,
                             uint32_t k) const = 0;
  virtual TopItems similar(std::span<const uint32_t> items, uint32_t k,
                           Similarity measure) const = 0;

 protected:
  static RankingRequest request_of(const ProfileScorer& profiles, const Interactions& excluded,
                                   uint32_t k) {
    return {.users = profiles.scorer().users,
            .rows = profiles.rows(),
            .masks = std::span(&excluded, 1),
            .k = k};
  }

  Executor alone_ = Executor(1);
};

namespace {

// Made by the first thread that needs it: not every program asks for similar items, and they need a
// second copy of the vectors.
class LazyNearestRows {
 public:
  const NearestRows& get(const VectorTable& table, Similarity measure) const {
    std::call_once(made_, [&] { rows_.emplace(table, measure, Executor(1)); });
    return *rows_;
  }

 private:
  mutable std::once_flag made_;
  mutable std::optional<NearestRows> rows_;
};

class ByVectors final : public Recommender::Kind {
 public:
  ByVectors(const TrainedModel& model, const FoldInOptions& fold_in, const Executor& executor)
      : users_(model.user_vectors()),
        items_(model.item_vectors()),
        packed_(items_, executor),
        fold_in_(items_, fold_in, executor) {}

  uint32_t items() const override { return items_.rows; }
  UserProfiles profile(uint32_t user) const override {
    const float* row = users_.row(user);
    return {.users = 1, .vectors = {row, row + users_.dim}};
  }
  UserProfiles fold_in(const Interactions& histories) const override {
    return {.users = histories.users(), .vectors = fold_in_.vectors(histories, alone_)};
  }
  TopItems recommend(const UserProfiles& users, const Interactions& excluded,
                     uint32_t k) const override {
    const ProfileScorer profiles(items_, {}, users);
    return rank_into_arrays(packed_, request_of(profiles, excluded, k), alone_);
  }
  TopItems similar(std::span<const uint32_t> items, uint32_t k, Similarity measure) const override {
    const LazyNearestRows& rows = measure == Similarity::kCosine ? by_cosine_ : by_dot_;
    return rows.get(items_, measure).nearest(items, k, alone_);
  }

 private:
  VectorTable users_;
  VectorTable items_;
  PackedItems packed_;
  FoldIn fold_in_;
  LazyNearestRows by_cosine_;
  LazyNearestRows by_dot_;
};

class ByItemWeights final : public Recommender::Kind {
 public:
  explicit ByItemWeights(const TrainedModel& model)
      : weights_(model.item_weights()), histories_(model.histories()) {}

  uint32_t items() const override { return weights_.rows; }
  UserProfiles profile(uint32_t user) const override {
    const std::span<const uint32_t> history = histories_.row(user);
    return {.users = 1,
            .vectors = {},
            .offsets = {0, history.size()},
            .items = {history.begin(), history.end()}};
  }
  UserProfiles fold_in(const Interactions& histories) const override {
    return profiles_of_histories(histories, weights_.rows);
  }
  TopItems recommend(const UserProfiles& users, const Interactions& excluded,
                     uint32_t k) const override {
    const ProfileScorer profiles({}, weights_, users);
    return rank_into_arrays(*profiles.scorer().source, request_of(profiles, excluded, k), alone_);
  }
  TopItems similar(std::span<const uint32_t> items, uint32_t k, Similarity measure) const override {
    return nearest_by_weights(weights_, items, k, measure, alone_);
  }

 private:
  VectorTable weights_;
  Interactions histories_;
};

std::unique_ptr<const Recommender::Kind> kind_of(const TrainedModel& model,
                                                 const FoldInOptions& fold_in, int threads) {
  if (!model.has_vectors()) return std::make_unique<ByItemWeights>(model);
  return std::make_unique<ByVectors>(model, fold_in, Executor(threads));
}

}  // namespace

Recommender::Recommender(const TrainedModel& model, const FoldInOptions& fold_in, int threads)
    : kind_(kind_of(model, fold_in, threads)) {}

Recommender::~Recommender() = default;
Recommender::Recommender(Recommender&&) noexcept = default;
Recommender& Recommender::operator=(Recommender&&) noexcept = default;

UserProfiles Recommender::profile(uint32_t user) const {
  return kind_->profile(user);
}

TopItems Recommender::recommend(const UserProfiles& users, const Interactions& excluded,
                                uint32_t k) const {
  check_places(k);
  if (excluded.users() != users.users || excluded.item_count != kind_->items())
    fail("The profiles and the excluded items do not belong to this model.");
  return kind_->recommend(users, excluded, k);
}

TopItems Recommender::similar(std::span<const uint32_t> items, uint32_t k,
                              Similarity measure) const {
  return kind_->similar(items, k, measure);
}

UserProfiles Recommender::fold_in(const Interactions& histories) const {
  return kind_->fold_in(histories);
}

}  // namespace divns
