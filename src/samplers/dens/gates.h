// SPDX-License-Identifier: Apache-2.0
// The gates of DENS, which tell the coordinates of an item that are relevant to a user. For every
// hop, with four layers shared by the hops (layers include biases, products are element-wise):
//   g_pos = sigmoid(W_i e_pos + W_u e_u),   pos_r = g_pos e_pos,   pos_ir = e_pos - pos_r
//   g_j   = sigmoid(W_n e_j + W_p pos_r),   j_r   = g_j e_j,       j_ir   = e_j - j_r
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "divns/embedding_view.h"
#include "divns/sampler.h"
#include "samplers/linear_layer.h"

namespace divns {

class DensGates {
 public:
  DensGates(uint32_t dim, int hops, size_t negatives, uint64_t seed, const Executor& executor);
  ~DensGates();

  // A batch calls these in order. First: computes the gates of its positives at every hop.
  void begin_batch(const Batch& batch, const EmbeddingView& view);
  // Computes W_n e_j once for all items, or for every candidate, whichever are fewer.
  void prepare_candidates(std::span<const uint32_t> candidates);
  // e_u . (kept e_j - j_r) with the vectors of a hop, for candidate `c` of the prepared list.
  float selection_score(int hop, size_t row, size_t c, float kept) const;
  // Makes candidate `c` negative `number` of the batch at this hop.
  void take(int hop, size_t number, size_t c);
  // Last: `weight` times the contrastive loss, averaged over the batch. Adds the gradients of the
  // embeddings and writes those of the layers.
  double loss(double weight, ExtraGradients& extra);

  std::vector<SamplerParameters> parameters();
  LinearLayer& item_layer() { return item_; }
  LinearLayer& user_layer() { return user_; }
  LinearLayer& positive_layer() { return positive_; }
  LinearLayer& negative_layer() { return negative_; }
  const Table& positive_gates() const { return positive_gates_; }
  const Table& positive_relevant() const { return positive_relevant_; }
  const Table& chosen_gates() const { return chosen_gates_; }

 private:
  struct Scratch;

  size_t at(int hop, size_t row) const { return static_cast<size_t>(hop) * rows_ + row; }
  size_t chosen_at(int hop, size_t number) const {
    return static_cast<size_t>(hop) * rows_ * negatives_ + number;
  }
  const float* logits_of(int hop, size_t c) const {
    return item_logits_.row(static_cast<size_t>(hop) * logits_a_hop_ +
                            (all_items_ ? candidates_[c] : c));
  }
  void gate_positives(int hop, size_t begin, size_t end);
  double row_loss(size_t row, double weight, Scratch& scratch, float* user_gradient);
  void hop_gradients(int hop, size_t begin, size_t end, Scratch& scratch, ExtraGradients& extra,
                     size_t first);
  void layer_gradients();

  const Executor& executor_;
  uint32_t dim_;
  uint32_t stride_;
  int hops_;
  size_t negatives_;
  LinearLayer item_;
  LinearLayer user_;
  LinearLayer positive_;
  LinearLayer negative_;

  Batch batch_;
  EmbeddingView view_;
  size_t rows_ = 0;
  std::span<const uint32_t> candidates_;
  // Row hop * B + b.
  Table users_;
  Table positives_;
  Table positive_gates_;
  Table positive_relevant_;
  Table positive_logits_;  // W_p pos_r with the biases of both layers of g_j
  Table positive_slopes_;  // dLoss by the argument of g_pos
  // Row hop * B K + number.
  std::vector<uint32_t> chosen_items_;
  Table chosen_;
  Table chosen_gates_;
  Table chosen_relevant_;
  Table chosen_slopes_;      // dLoss by the argument of g_j
  Table chosen_slope_sums_;  // the same, summed over the K negatives of a row
  Table item_logits_;        // W_n e_j; row hop * logits_a_hop_ + (item or candidate)
  size_t logits_a_hop_ = 0;
  bool all_items_ = false;
  // dLoss by the scores of a row: relevant and not, for the positive and for each negative.
  struct Slopes {
    float relevant = 0;
    float rest = 0;
  };
  std::vector<Slopes> positive_score_slopes_;
  std::vector<Slopes> negative_score_slopes_;
  std::vector<double> losses_;
  std::vector<Scratch> scratch_;
};

}  // namespace divns
