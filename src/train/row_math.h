// SPDX-License-Identifier: Apache-2.0
// The mathematics of one row of a batch, shared by every schedule of training (BatchGradients,
// DirectBatches):
//   L = (1/B) sum_b weight_b loss_b
//       + 1/(2B) sum_b (l2_user |e_u|^2 + l2_positive |e_pos|^2 + l2_negative sum_k |neg_k|^2),
// where the norms are those of hop-0 vectors; for a mixed negative, of the mixture at hop 0.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "divns/aligned.h"
#include "divns/loss.h"
#include "divns/vectors.h"
#include "kernels/vectors.h"

namespace divns {

// The score of a user and an item: the inner product of their vectors, or its cosine.
enum class ScoreSimilarity { kInner, kCosine };

// What training minimises, beside the loss itself.
struct ObjectiveOptions {
  double l2 = 1e-4;
  // Weights of the squared norms by role; l2 if unset.
  std::optional<double> l2_user = {};
  std::optional<double> l2_positive = {};
  std::optional<double> l2_negative = {};
  // Apply the penalty to each item of a mixed negative instead of to the mixture.
  bool regularise_parts = false;
  // Combine the negatives of a batch across its rows, in the penalty and in the loss (Broadcast).
  bool broadcast_regulariser = false;
  bool broadcast_loss = false;
  // Scale the vectors that are scored as items, including mixtures, to unit length.
  bool unit_items = false;
  // For cosines, users are scaled to unit length as well.
  ScoreSimilarity similarity = ScoreSimilarity::kInner;

  bool scales_users() const { return similarity == ScoreSimilarity::kCosine; }
  bool scales_items() const { return unit_items || scales_users(); }
  // Without cosines, unit_items copies and scales the positive of each row.
  bool forms_positives() const { return unit_items && !scales_users(); }
  bool broadcasts() const { return broadcast_regulariser || broadcast_loss; }
};

// Scores of some rows, their losses, and the slope of the objective by each score. Negative k of
// row r has number r * per_row() + k.
class RowScores {
 public:
  void resize(size_t rows, size_t per_row);
  size_t per_row() const { return per_row_; }
  size_t rows() const { return losses_.size(); }
  size_t negatives() const { return negative_scores_.size(); }

  // Scores a row; negative(k) is the vector of negative k.
  template <class Negative>
  void score(size_t row, uint32_t user_id, const float* user, const float* positive,
             Negative&& negative, size_t width) {
    users_[row] = user_id;
    positive_scores_[row] = dot(user, positive, width);
    for (size_t k = 0; k < per_row_; ++k)
      negative_scores_[row * per_row_ + k] = dot(user, negative(k), width);
  }
  // Losses and slopes of rows [begin, end), which have been scored. The weights are those of all
  // rows, or empty (see LossInput).
  void apply(const Loss& loss, size_t begin, size_t end, float share,
             std::span<const float> importance = {}, std::span<const float> row_weights = {});

  float positive_score(size_t row) const { return positive_scores_[row]; }
  const float& positive_slope(size_t row) const { return positive_slopes_[row]; }
  float negative_score(size_t number) const { return negative_scores_[number]; }
  const float& negative_slope(size_t number) const { return negative_slopes_[number]; }
  void set_negative_score(size_t number, float score) { negative_scores_[number] = score; }

  struct Totals {
    double loss;      // (1/B) sum_r weight_r loss_r
    double hardness;  // mean of s(u, negative) - s(u, positive)
  };
  // Sums over all rows in the order of the list (each row once), or from 0 on.
  Totals totals(std::span<const uint32_t> order = {}) const;

 private:
  size_t per_row_ = 1;
  std::vector<uint32_t> users_;
  std::vector<float> positive_scores_;
  std::vector<float> negative_scores_;
  std::vector<float> positive_slopes_;
  std::vector<float> negative_slopes_;
  std::vector<double> losses_;
};

// A list of (row id, weight) that becomes sum weight * row, in the order of the list.
class WeightedRows {
 public:
  bool empty() const { return ids_.empty(); }
  void reserve(size_t terms) {
    ids_.reserve(terms);
    weights_.reserve(terms);
  }
  void add(uint32_t id, float weight) {
    ids_.push_back(id);
    weights_.push_back(weight);
  }
  // Writes the sum to `out`, zeros for an empty list, and clears the list.
  void store(const VectorTable& table, float* out) {
    gather_sum(table, ids_.data(), weights_.data(), ids_.size(), out);
    ids_.clear();
    weights_.clear();
  }
  // Adds the sum to `out`, using `sum` as scratch, and clears the list.
  void add_to(const VectorTable& table, float* out, AlignedVector<float>& sum);

 private:
  AlignedVector<uint32_t> ids_;
  AlignedVector<float> weights_;
};

// Turns dL/dv into dL/de where v = e / |e|: (dL/dv - v (v . dL/dv)) / |e|, or 0 for e = 0.
void through_unit_length(const float* e, const float* v, float* gradient, size_t width);

// What a row adds to dL/de_u: sum_k slope_k neg_k + slope_pos pos. The two lists may be one.
inline void add_user_terms(const RowScores& scores, size_t row, const uint32_t* negative_ids,
                           uint32_t positive_id, WeightedRows& negatives, WeightedRows& positives) {
  for (size_t k = 0; k < scores.per_row(); ++k)
    negatives.add(negative_ids[k], scores.negative_slope(row * scores.per_row() + k));
  positives.add(positive_id, scores.positive_slope(row));
}

// The L2 penalty of a batch of B rows. Weights are kept relative to the largest of the three, so
// that equal weights count vectors exactly.
class Penalty {
 public:
  Penalty() = default;
  Penalty(const ObjectiveOptions& options, size_t batch_size);

  // Each adds the penalty's gradient by hop-0 vector e to `gradient` and returns what e adds to the
  // sum that loss() takes. A user occurs in `rows` rows of the batch; an item is the positive of
  // some rows and counts `negatives` times as a negative.
  double add_user(const float* e, size_t rows, float* gradient, size_t width) const;
  double add_item(const float* e, size_t positives, double negatives, float* gradient,
                  size_t width) const;
  // For a mixed negative: the factor of its vector in the gradient by one of its items, without the
  // weight of the item, and what the negative adds to the sum.
  float mixed_factor() const {
    return static_cast<float>(per_row_) * static_cast<float>(negative_);
  }
  double mixed(const float* e, size_t width) const;
  // For broadcast_regulariser: what the cross terms of negatives add to the sum.
  double crossed(double products) const { return negative_ * products; }
  // The penalty, from the sum of what the functions above returned.
  double loss(double sum) const { return half_per_row_ * sum; }

 private:
  double per_row_ = 0;       // largest weight / B
  double half_per_row_ = 0;  // largest weight / (2 B)
  double user_ = 1;          // relative to the largest
  double positive_ = 1;
  double negative_ = 1;
};

}  // namespace divns
