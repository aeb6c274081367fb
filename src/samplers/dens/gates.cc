// SPDX-License-Identifier: Apache-2.0
#include "samplers/dens/gates.h"

#include <algorithm>
#include <numeric>

#include "kernels/activations.h"
#include "kernels/vectors.h"
#include "samplers/dens/contrastive_loss.h"

namespace divns {
namespace {

constexpr size_t kGateRowsPerChunk = 64;
constexpr size_t kItemsPerChunk = 256;

// out += a * b
void add_product(const float* a, const float* b, float* out, size_t n) {
  for (size_t k = 0; k < n; ++k) out[k] += a[k] * b[k];
}

}  // namespace

struct DensGates::Scratch {
  AlignedVector<float> sums;  // pooled vectors of a row: relevant and whole, item by item
  Table relevant;             // dLoss / d pos_r, of a chunk
  AlignedVector<float> row;   // dLoss / d j_r
  Table gathered;             // vectors of a chunk of candidates
  ContrastiveScores scores;
  ContrastiveLoss loss;
};

DensGates::DensGates(uint32_t dim, int hops, size_t negatives, uint64_t seed,
                     const Executor& executor)
    : executor_(executor),
      dim_(dim),
      stride_(padded(dim)),
      hops_(hops),
      negatives_(negatives),
      item_(dim, dim),
      user_(dim, dim),
      positive_(dim, dim),
      negative_(dim, dim),
      scratch_(static_cast<size_t>(executor.threads())) {
  const Random random(seed, "dens.gates");
  uint32_t number = 0;
  for (LinearLayer* layer : {&item_, &user_, &positive_, &negative_})
    layer->initialise(random.draws(number++));
  for (Table* table : {&users_, &positives_, &positive_gates_, &positive_relevant_,
                       &positive_logits_, &positive_slopes_, &chosen_, &chosen_gates_,
                       &chosen_relevant_, &chosen_slopes_, &chosen_slope_sums_, &item_logits_})
    *table = Table(0, dim);
  for (Scratch& scratch : scratch_) {
    scratch.sums.resize(size_t{2} * (1 + negatives) * stride_);
    scratch.relevant = Table(kGateRowsPerChunk, dim);
    scratch.row.resize(stride_);
    scratch.gathered = Table(kItemsPerChunk, dim);
    scratch.scores.negative_relevant.resize(negatives);
    scratch.scores.negative_rest.resize(negatives);
  }
}

DensGates::~DensGates() = default;

std::vector<SamplerParameters> DensGates::parameters() {
  std::vector<SamplerParameters> list;
  item_.list_parameters("item_gate", 0, list);
  user_.list_parameters("user_gate", 0, list);
  positive_.list_parameters("positive_gate", 0, list);
  negative_.list_parameters("negative_gate", 0, list);
  return list;
}

void DensGates::begin_batch(const Batch& batch, const EmbeddingView& view) {
  batch_ = batch;
  view_ = view;
  rows_ = batch.size();
  const auto stacked = static_cast<uint32_t>(static_cast<size_t>(hops_) * rows_);
  const auto chosen = static_cast<uint32_t>(stacked * negatives_);
  for (Table* table : {&users_, &positives_, &positive_gates_, &positive_relevant_,
                       &positive_logits_, &positive_slopes_, &chosen_slope_sums_})
    table->resize_rows(stacked);
  for (Table* table : {&chosen_, &chosen_gates_, &chosen_relevant_, &chosen_slopes_})
    table->resize_rows(chosen);
  chosen_items_.resize(chosen);
  for (int hop = 0; hop < hops_; ++hop)
    executor_.for_chunks(rows_, kGateRowsPerChunk,
                         [&](size_t begin, size_t end) { gate_positives(hop, begin, end); });
}

void DensGates::gate_positives(int hop, size_t begin, size_t end) {
  const VectorTable& users = view_.user_hops[static_cast<size_t>(hop)];
  const VectorTable& items = view_.item_hops[static_cast<size_t>(hop)];
  const size_t first = at(hop, begin);
  const size_t count = end - begin;
  for (size_t b = begin; b < end; ++b) {
    std::copy_n(users.row(batch_.users[b]), stride_, users_.row(at(hop, b)));
    std::copy_n(items.row(batch_.positives[b]), stride_, positives_.row(at(hop, b)));
  }
  float* logits = positive_logits_.row(first);
  item_.apply(count, positives_.row(first), stride_, logits, stride_);
  user_.apply(count, users_.row(first), stride_, logits, stride_, true);
  for (size_t r = first; r < first + count; ++r) {
    axpy(1, item_.bias.row(0), positive_logits_.row(r), stride_);
    apply_gate(positive_logits_.row(r), user_.bias.row(0), positives_.row(r),
               positive_gates_.row(r), positive_relevant_.row(r), stride_);
  }
  positive_.apply(count, positive_relevant_.row(first), stride_, logits, stride_);
  for (size_t r = first; r < first + count; ++r) {
    axpy(1, positive_.bias.row(0), positive_logits_.row(r), stride_);
    axpy(1, negative_.bias.row(0), positive_logits_.row(r), stride_);
  }
}

void DensGates::prepare_candidates(std::span<const uint32_t> candidates) {
  candidates_ = candidates;
  const uint32_t items = view_.items.rows;
  all_items_ = candidates.size() > items;
  logits_a_hop_ = all_items_ ? items : candidates.size();
  item_logits_.resize_rows(static_cast<uint32_t>(static_cast<size_t>(hops_) * logits_a_hop_));
  for (int hop = 0; hop < hops_; ++hop) {
    const VectorTable& table = view_.item_hops[static_cast<size_t>(hop)];
    executor_.for_chunks_with_worker(
        logits_a_hop_, kItemsPerChunk, [&](int worker, size_t begin, size_t end) {
          Table& gathered = scratch_[static_cast<size_t>(worker)].gathered;
          const float* rows = gathered.data();
          if (all_items_)
            rows = table.row(static_cast<uint32_t>(begin));
          else
            for (size_t c = begin; c < end; ++c)
              std::copy_n(table.row(candidates[c]), stride_, gathered.row(c - begin));
          negative_.apply(end - begin, rows, stride_,
                          item_logits_.row(static_cast<size_t>(hop) * logits_a_hop_ + begin),
                          stride_);
        });
  }
}

float DensGates::selection_score(int hop, size_t row, size_t c, float kept) const {
  const size_t r = at(hop, row);
  return gated_score(users_.row(r), view_.item_hops[static_cast<size_t>(hop)].row(candidates_[c]),
                     logits_of(hop, c), positive_logits_.row(r), kept, stride_);
}

void DensGates::take(int hop, size_t number, size_t c) {
  const size_t to = chosen_at(hop, number);
  chosen_items_[to] = candidates_[c];
  std::copy_n(view_.item_hops[static_cast<size_t>(hop)].row(candidates_[c]), stride_,
              chosen_.row(to));
  apply_gate(logits_of(hop, c), positive_logits_.row(at(hop, number / negatives_)), chosen_.row(to),
             chosen_gates_.row(to), chosen_relevant_.row(to), stride_);
}

// The loss of a row and its derivatives by the scores. Writes the gradient by the pooled user:
//   sum over the scored vectors: dLoss/dscore * vector.
double DensGates::row_loss(size_t row, double weight, Scratch& scratch, float* user_gradient) {
  // Vector 0 is the positive, vector 1 + k negative k. Each has a relevant part and a whole.
  const auto relevant = [&](size_t v) { return scratch.sums.data() + 2 * v * stride_; };
  const auto whole = [&](size_t v) { return scratch.sums.data() + (2 * v + 1) * stride_; };
  std::fill(scratch.sums.begin(), scratch.sums.end(), 0.0F);
  for (int hop = 0; hop < hops_; ++hop) {
    const float share = view_.pool_weights[static_cast<size_t>(hop)];
    axpy(share, positive_relevant_.row(at(hop, row)), relevant(0), stride_);
    axpy(share, positives_.row(at(hop, row)), whole(0), stride_);
    for (size_t k = 0; k < negatives_; ++k) {
      const size_t n = chosen_at(hop, row * negatives_ + k);
      axpy(share, chosen_relevant_.row(n), relevant(1 + k), stride_);
      axpy(share, chosen_.row(n), whole(1 + k), stride_);
    }
  }
  const float* user = view_.users.row(batch_.users[row]);
  ContrastiveScores& scores = scratch.scores;
  const auto score = [&](size_t v, double& of_relevant, double& of_rest) {
    of_relevant = double{dot(user, relevant(v), stride_)};
    of_rest = double{dot(user, whole(v), stride_)} - of_relevant;
  };
  score(0, scores.positive_relevant, scores.positive_rest);
  for (size_t k = 0; k < negatives_; ++k)
    score(1 + k, scores.negative_relevant[k], scores.negative_rest[k]);
  contrastive_loss(scores, scratch.loss);

  std::fill_n(user_gradient, stride_, 0.0F);
  const auto settle = [&](size_t v, double by_relevant, double by_rest) {
    const Slopes slopes{static_cast<float>(weight * by_relevant),
                        static_cast<float>(weight * by_rest)};
    axpy(slopes.relevant - slopes.rest, relevant(v), user_gradient, stride_);
    axpy(slopes.rest, whole(v), user_gradient, stride_);
    return slopes;
  };
  const ContrastiveScores& slopes = scratch.loss.slopes;
  positive_score_slopes_[row] = settle(0, slopes.positive_relevant, slopes.positive_rest);
  for (size_t k = 0; k < negatives_; ++k)
    negative_score_slopes_[row * negatives_ + k] =
        settle(1 + k, slopes.negative_relevant[k], slopes.negative_rest[k]);
  return weight * scratch.loss.mean();
}

// The backward pass through the gates of one hop. A vector x with relevant part r = g x has scores
// s_r = share e_u . r and s_ir = share e_u . (x - r), hence
//   dLoss/dr = share (slope_r - slope_ir) e_u,   dLoss/dx = share slope_ir e_u + g dLoss/dr + ...
// where the dots stand for the part through the argument of the gate. `first` is the entry of the
// users at this hop.
void DensGates::hop_gradients(int hop, size_t begin, size_t end, Scratch& scratch,
                              ExtraGradients& extra, size_t first) {
  const float share = view_.pool_weights[static_cast<size_t>(hop)];
  const size_t count = end - begin;
  const size_t to_users = first + begin;
  const size_t to_positives = first + rows_ + begin;
  const size_t to_negatives = first + 2 * rows_ + begin * negatives_;

  for (size_t b = begin; b < end; ++b) {
    const float* user = view_.users.row(batch_.users[b]);
    float* slope_sum = chosen_slope_sums_.row(at(hop, b));
    std::fill_n(slope_sum, stride_, 0.0F);
    for (size_t k = 0; k < negatives_; ++k) {
      const size_t number = b * negatives_ + k;
      const size_t n = chosen_at(hop, number);
      const Slopes& slopes = negative_score_slopes_[number];
      float* to = extra.vectors.row(to_negatives + number - begin * negatives_);
      float* by_relevant = scratch.row.data();
      std::fill_n(by_relevant, stride_, 0.0F);
      std::fill_n(to, stride_, 0.0F);
      axpy(share * (slopes.relevant - slopes.rest), user, by_relevant, stride_);
      axpy(share * slopes.rest, user, to, stride_);
      add_product(by_relevant, chosen_gates_.row(n), to, stride_);
      gate_backward(by_relevant, chosen_.row(n), chosen_gates_.row(n), chosen_slopes_.row(n),
                    stride_);
      axpy(1, chosen_slopes_.row(n), slope_sum, stride_);
    }
  }
  negative_.apply_transposed(count * negatives_,
                             chosen_slopes_.row(chosen_at(hop, begin * negatives_)), stride_,
                             extra.vectors.row(to_negatives), stride_, true);
  positive_.apply_transposed(count, chosen_slope_sums_.row(at(hop, begin)), stride_,
                             scratch.relevant.data(), stride_);

  for (size_t b = begin; b < end; ++b) {
    const size_t r = at(hop, b);
    const float* user = view_.users.row(batch_.users[b]);
    const Slopes& slopes = positive_score_slopes_[b];
    float* by_relevant = scratch.relevant.row(b - begin);
    float* to = extra.vectors.row(to_positives + b - begin);
    std::fill_n(to, stride_, 0.0F);
    axpy(share * (slopes.relevant - slopes.rest), user, by_relevant, stride_);
    axpy(share * slopes.rest, user, to, stride_);
    add_product(by_relevant, positive_gates_.row(r), to, stride_);
    gate_backward(by_relevant, positives_.row(r), positive_gates_.row(r), positive_slopes_.row(r),
                  stride_);
    std::fill_n(extra.vectors.row(to_users + b - begin), stride_, 0.0F);
  }
  const float* slopes = positive_slopes_.row(at(hop, begin));
  item_.apply_transposed(count, slopes, stride_, extra.vectors.row(to_positives), stride_, true);
  user_.apply_transposed(count, slopes, stride_, extra.vectors.row(to_users), stride_, true);
}

double DensGates::loss(double weight, ExtraGradients& extra) {
  // Entries: the pooled users, then for every hop the users, positives and negatives.
  const size_t pooled = extra.targets.size();
  const size_t each_hop = rows_ * (2 + negatives_);
  const size_t total = pooled + rows_ + static_cast<size_t>(hops_) * each_hop;
  extra.targets.resize(total);
  extra.vectors.resize_rows(static_cast<uint32_t>(total));
  positive_score_slopes_.resize(rows_);
  negative_score_slopes_.resize(rows_ * negatives_);
  losses_.resize(rows_);
  const double each = weight / static_cast<double>(rows_);
  executor_.for_chunks_with_worker(
      rows_, kGateRowsPerChunk, [&](int worker, size_t begin, size_t end) {
        Scratch& scratch = scratch_[static_cast<size_t>(worker)];
        for (size_t b = begin; b < end; ++b) {
          extra.targets[pooled + b] = {GradientTarget::Side::kUser, batch_.users[b], kEveryHop};
          losses_[b] = row_loss(b, each, scratch, extra.vectors.row(pooled + b));
        }
        for (int hop = 0; hop < hops_; ++hop) {
          const size_t first = pooled + rows_ + static_cast<size_t>(hop) * each_hop;
          for (size_t b = begin; b < end; ++b) {
            extra.targets[first + b] = {GradientTarget::Side::kUser, batch_.users[b], hop};
            extra.targets[first + rows_ + b] = {GradientTarget::Side::kItem, batch_.positives[b],
                                                hop};
          }
          for (size_t n = begin * negatives_; n < end * negatives_; ++n)
            extra.targets[first + 2 * rows_ + n] = {GradientTarget::Side::kItem,
                                                    chosen_items_[chosen_at(hop, n)], hop};
          hop_gradients(hop, begin, end, scratch, extra, first);
        }
      });
  layer_gradients();
  return std::accumulate(losses_.begin(), losses_.end(), 0.0);
}

void DensGates::layer_gradients() {
  struct Task {
    LinearLayer& layer;
    const Table& slopes;
    const Table& inputs;
  };
  const Task tasks[] = {{item_, positive_slopes_, positives_},
                        {user_, positive_slopes_, users_},
                        {positive_, chosen_slope_sums_, positive_relevant_},
                        {negative_, chosen_slopes_, chosen_}};
  constexpr size_t kOutputs = 24;
  const size_t parts = (dim_ + kOutputs - 1) / kOutputs;
  executor_.run(std::size(tasks) * parts, [&](int, size_t chunk) {
    const Task& task = tasks[chunk / parts];
    const size_t begin = chunk % parts * kOutputs;
    task.layer.weight_gradient_rows(task.slopes, task.inputs, begin,
                                    std::min<size_t>(begin + kOutputs, dim_));
  });
}

}  // namespace divns
