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
  std::optional<Interactions> seen = {};  // pairs to leave out, by row of the user table
  std::optional<std::vector<uint32_t>> allowed = {};  // only these items, in any order
  std::vector<uint32_t> denied = {};                  // none of these
  int threads = 0;                                    // 0: one for each core
};

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

// For a program that answers many small requests: items are packed for the scoring kernel once, not
// in every call. Lists and vectors have the same bits as those of the functions above. Every method
// works in the calling thread, and may be called by several threads at the same time.
class Recommender {
 public:
  // The item vectors must live as long as the object. `threads` is for the preparation.
  explicit Recommender(const VectorTable& items, const FoldInOptions& fold_in = {},
                       int threads = 0);
  ~Recommender();
  Recommender(Recommender&&) noexcept;
  Recommender& operator=(Recommender&&) noexcept;

  // The best k items for each row of `users`, without the items of the same row of `excluded`.
  TopItems recommend(const VectorTable& users, const Interactions& excluded, uint32_t k) const;
  TopItems similar(std::span<const uint32_t> items, uint32_t k,
                   Similarity measure = Similarity::kCosine) const;
  std::vector<float> fold_in(const Interactions& histories) const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace divns
