// SPDX-License-Identifier: Apache-2.0
// Using a trained model: the best items for users, similar items and users, and vectors for users
// who were not in the training data. The functions on arrays work in batches. All results have the
// same bits for any number of threads.
//
//   const auto model = divns::TrainedModel::load("run");
//   for (const auto& hit : divns::recommend(model, "alice", {.k = 5})) std::cout << hit.id << '\n';
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "divns/interactions.h"
#include "divns/model.h"
#include "divns/scores.h"
#include "divns/vectors.h"

namespace divns {

// One list of up to k entries per requested row, best first; equal scores go to the lower number.
struct TopItems {
  uint32_t k = 0;
  std::vector<uint32_t> items;    // rows x k, kNoItem at the end of a short list
  std::vector<float> scores;      // rows x k, 0 there
  std::vector<uint32_t> lengths;  // by row

  std::span<const uint32_t> items_of(size_t row) const {
    return std::span(items).subspan(row * k, lengths[row]);
  }
  std::span<const float> scores_of(size_t row) const {
    return std::span(scores).subspan(row * k, lengths[row]);
  }
};

struct RecommendOptions {
  uint32_t k = 10;
  std::optional<Interactions> seen = {};              // pairs to leave out, by row of the users
  std::optional<std::vector<uint32_t>> allowed = {};  // only these items, in any order
  std::vector<uint32_t> denied = {};                  // none of these
  int threads = 0;                                    // 0: one for each core
};

// The best items for some users of a model (TrainedModel::scorer) or of any other scorer.
TopItems recommend(const Scorer& scorer, std::span<const uint32_t> rows,
                   const RecommendOptions& options = {});
// Items by inner product with the user.
TopItems recommend(const VectorTable& users, std::span<const uint32_t> rows,
                   const VectorTable& items, const RecommendOptions& options = {});

// One entry of a ranked list, with the original id.
struct Hit {
  uint32_t row = 0;
  std::string_view id;     // valid as long as the model lives
  std::string_view title;  // may be empty
  float score = 0;
};

// The best items for one user, by original id. Throws Error for an unknown id. Give
// `seen = data.train()` to leave out the user's training items.
std::vector<Hit> recommend(const TrainedModel& model, std::string_view user,
                           const RecommendOptions& options = {});

enum class Similarity { kCosine, kDot };

// The other rows of the same table that are nearest to each of `rows`. A zero vector has cosine 0
// with everything.
TopItems similar(const VectorTable& table, std::span<const uint32_t> rows, uint32_t k,
                 Similarity measure = Similarity::kCosine, int threads = 0);

// The same for item-item weights B, items x items: kDot ranks the items j by B_ji, their weight in
// the score of item i (column i of B). kCosine ranks by B_ij B_ji as sign(B_ij) sqrt(B_ij B_ji),
// which for EASE is the correlation of the two items given all others.
TopItems similar_by_weights(const VectorTable& weights, std::span<const uint32_t> rows, uint32_t k,
                            Similarity measure = Similarity::kCosine, int threads = 0);

// The items that are nearest to items of a model, by its vectors or its item-item weights.
TopItems similar_items(const TrainedModel& model, std::span<const uint32_t> items, uint32_t k = 10,
                       Similarity measure = Similarity::kCosine, int threads = 0);

// The items that are nearest to one item, by original id.
std::vector<Hit> similar_items(const TrainedModel& model, std::string_view item, uint32_t k = 10,
                               Similarity measure = Similarity::kCosine);

struct FoldInOptions {
  enum class Method {
    // argmin_u sum_{i in H} (1 - u.v_i)^2 + unobserved sum_i (u.v_i)^2 + ridge s |u|^2, with s the
    // mean of |v_i|^2 over all items, so that the lists do not depend on the scale of the vectors
    kRidge,
    // BPR over the history against uniform negatives, from the mean of the history's vectors
    kGradient,
  };
  Method method = Method::kRidge;
  double ridge = 5;
  double unobserved = 0.003;
  int steps = 50;  // passes over the history
  double learning_rate = 0.05;
  double l2 = 0.01;
  uint64_t seed = 1;  // of the negatives
  int threads = 0;
};

// Vectors, histories.users() x items.dim, for users known by their items alone; item vectors stay
// as they are. A user without items gets the zero vector.
std::vector<float> fold_in(const VectorTable& items, const Interactions& histories,
                           const FoldInOptions& options = {});

// Users as a model ranks for them. A model with vectors has a vector per user; one that ranks by
// item-item weights has the items of each user.
struct UserProfiles {
  uint32_t users = 0;
  std::vector<float> vectors = {};      // users x columns
  std::vector<uint64_t> offsets = {0};  // users + 1; of `items`
  std::vector<uint32_t> items = {};     // ascending per user

  void append(const UserProfiles& others);
};

// Profiles of users known by their items alone. Only a model with vectors looks at the options.
UserProfiles fold_in(const TrainedModel& model, const Interactions& histories,
                     const FoldInOptions& options = {});
// The best items for each of these users, in their order; `seen` has a row for each.
TopItems recommend(const TrainedModel& model, const UserProfiles& users,
                   const RecommendOptions& options = {});

// For a program that answers many small requests: what a model needs for ranking is prepared once,
// not in every call. Lists and vectors have the same bits as those of the functions above. Every
// method works in the calling thread, and may be called by several threads at the same time.
class Recommender {
 public:
  // The contents of the model must live as long as the object; the model may be moved. `threads` is
  // for the preparation.
  explicit Recommender(const TrainedModel& model, const FoldInOptions& fold_in = {},
                       int threads = 0);
  ~Recommender();
  Recommender(Recommender&&) noexcept;
  Recommender& operator=(Recommender&&) noexcept;

  // The profile of a user of the model.
  UserProfiles profile(uint32_t user) const;
  // The best k items for each of `users`, without the items of the same row of `excluded`.
  TopItems recommend(const UserProfiles& users, const Interactions& excluded, uint32_t k) const;
  TopItems similar(std::span<const uint32_t> items, uint32_t k,
                   Similarity measure = Similarity::kCosine) const;
  UserProfiles fold_in(const Interactions& histories) const;

  // One kind of model; see src/recommend/recommender.cc.
  class Kind;

 private:
  std::unique_ptr<const Kind> kind_;
};

}  // namespace divns
