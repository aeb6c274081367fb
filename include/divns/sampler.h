// SPDX-License-Identifier: Apache-2.0
// What a negative sampler is. A negative is a weighted set of terms (item, hop, weight) whose
// vector is sum weight * e_item^(hop); the trainer forms it, scores it and sends the gradient back
// through the terms. Samplers work in bulk: once per epoch (begin_epoch) and twice per batch
// (propose, before the vectors of the batch are computed; choose, afterwards). They read vectors
// and know neither models nor optimizers.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "divns/embedding_view.h"
#include "divns/interactions.h"
#include "divns/parallel.h"
#include "divns/side_inputs.h"
#include "divns/table.h"
#include "divns/vectors.h"

namespace divns {

class Options;
class Replay;
class TensorReader;
class TensorWriter;

// What a sampler may know about the run; all of it outlives the sampler.
struct SamplerContext {
  Interactions train;
  const Executor& executor;
  uint64_t seed = 1;
  uint32_t dim = 0;                    // width of every vector
  int hops = 1;                        // L + 1; 1 for matrix factorisation
  int negatives = 1;                   // K, negatives per positive
  size_t batch_size = 0;               // most rows that a batch will have
  const SideInputs* inputs = nullptr;  // original ids and item groups; null: neither
  const Replay* replay = nullptr;      // for tests inside divns; a sampler of your own ignores it
};

// Some training pairs, one per row. Pairs of users who have a pair with every item are left out:
// such users have no negatives.
struct Batch {
  uint32_t epoch = 0;  // counted from 0
  uint64_t step = 0;   // optimizer steps before this batch, over the whole run
  // Position of row 0 in the epoch. place(b) identifies a row whatever the batch size is, so random
  // draws are keyed by (epoch, place).
  uint32_t first_place = 0;
  std::span<const uint32_t> users = {};
  std::span<const uint32_t> positives = {};
  std::span<const uint64_t> pairs = {};  // index of each pair in train.items

  size_t size() const { return users.size(); }
  uint32_t place(size_t b) const { return first_place + static_cast<uint32_t>(b); }
};

// Rows that choose will read, besides those of the batch itself. Ids may repeat.
struct RowsToRead {
  std::vector<uint32_t> items;
  bool all_items = false;
  bool all_users = false;

  void clear() {
    items.clear();
    all_items = all_users = false;
  }
};

// Stands for the pooled vector of an item instead of that of one hop.
inline constexpr int32_t kEveryHop = -1;

struct Term {
  uint32_t item = 0;
  int32_t hop = kEveryHop;
  float weight = 1;  // 0 for an unused term
};

// Negatives that all rows of a batch have in common. An item does not count for a row if the row's
// user has a training pair with it; so the row's own positive never counts.
struct SharedNegatives {
  std::vector<uint32_t> items;  // M; an item that occurs twice counts twice
  // M log weights of the items in the loss, for example -log of the chance that an item is in the
  // set; between -40 and 40. Empty for equal weights.
  std::vector<float> log_weights;
  // If not 0, only so many negatives count for a row: those with the highest scores. Ties go to the
  // first.
  size_t hardest = 0;

  void clear() {
    items.clear();
    log_weights.clear();
    hardest = 0;
  }
};

// The negatives of a batch, row-major: negative k of row b has number b * K + k and the terms
// [number * terms_each, (number + 1) * terms_each).
struct Negatives {
  size_t per_row = 1;
  size_t terms_each = 1;
  std::vector<Term> terms;
  // B * K weights of the negatives in the loss, held constant; empty for none. A loss has a form of
  // its own for weighted negatives (see the loss's documentation).
  std::vector<float> importance;
  std::vector<float> row_weights;  // B factors of the rows' losses; empty means 1
  // False for a batch that the options broadcast_loss and broadcast_regulariser leave as it is.
  bool broadcasts = true;
  // Instead of terms, finished pooled vectors, one per row (then `terms` is empty). Their gradients
  // come back through Sampler::backward.
  bool free_vectors = false;
  Table vectors;  // B * K rows
  // Of samplers that say shares_negatives(), instead of everything above.
  SharedNegatives shared;

  void reset(size_t rows, size_t negatives_per_row, size_t terms_per_negative) {
    per_row = negatives_per_row;
    terms_each = terms_per_negative;
    terms.assign(rows * per_row * terms_each, Term());
    importance.clear();
    row_weights.clear();
    broadcasts = true;
    free_vectors = false;
    shared.clear();
  }
};

// Which vector a gradient belongs to: the pooled one (kEveryHop) or that of one hop.
struct GradientTarget {
  enum class Side : uint32_t { kUser, kItem };
  Side side = Side::kUser;
  uint32_t row = 0;
  int32_t hop = kEveryHop;
};

// Gradients beyond those of the loss on negatives: entry e adds vectors.row(e) to targets[e]. The
// trainer sums entries of one target in the order of e, so filling them in parallel is safe.
struct ExtraGradients {
  std::vector<GradientTarget> targets;
  Table vectors;  // as wide as the embeddings; one row per entry

  void clear() {
    targets.clear();
    vectors.resize_rows(0);
  }
};

// Parameters that belong to the sampler, trained by the optimizer of the run. The spans stay valid
// as long as the sampler lives. The trainer keeps values and moments in checkpoints.
struct SamplerParameters {
  std::string name;
  std::span<float> values;
  std::span<const float> gradient;  // of the last batch, after the sampler's own clipping
  double learning_rate = 0;         // 0 for that of the run
};

class Sampler {
 public:
  virtual ~Sampler() = default;

  // The options, with their defaults; called before start. Names begin with that of the sampler, as
  // in "divns.lambda".
  virtual void declare(Options& /*options*/) {}
  // Files that start() reads, by the values of the options. Their contents are part of what
  // identifies a run, so a run is not resumed or reused after one of them has changed.
  virtual std::vector<std::string> input_files() const { return {}; }
  // Called once, when every option has its value. Throws Error for settings that cannot work.
  virtual void start(const SamplerContext& context) = 0;

  // Whether the method as published mixes or reads vectors of several hops, so that it needs a
  // graph model. The trainer's setup refuses it for a model with one hop unless extensions are
  // allowed.
  virtual bool needs_hops() const { return false; }
  // Whether terms or gradients name single hops, or anything here reads vectors of single hops
  // other than hop 0. Without it the view has hop 0 alone.
  virtual bool reads_single_hops() const { return false; }

  // Whether choose fills Negatives::importance. Depends on the options only. Some losses reject it.
  virtual bool weights_negatives() const { return false; }

  // Whether choose fills Negatives::shared, and nothing else. Then the scores of a batch are one
  // matrix product. propose must name the shared items; if it names them alone and in the same
  // order, the trainer saves a pass over the batch.
  virtual bool shares_negatives() const { return false; }

  // Called before the first batch of an epoch. If reads_epoch_vectors(), every row of the view is
  // current; otherwise the view is empty.
  virtual bool reads_epoch_vectors() const { return false; }
  virtual void begin_epoch(uint32_t /*epoch*/, const EmbeddingView& /*view*/) {}

  // Whether the items that propose names are the negatives themselves, K per row, one row after
  // another, drawn independently of vectors and of other batches. Then the trainer may propose the
  // rows of a whole epoch as one batch and does not call choose.
  virtual bool draws_ahead() const { return false; }
  // Draws what does not depend on vectors, and names the rows that choose will read.
  virtual void propose(const Batch& batch, RowsToRead& rows) = 0;
  // Chooses the negatives of the batch that was proposed last. These rows of the view are current:
  // those of the batch's users and positives, and those that propose named.
  virtual void choose(const Batch& batch, const EmbeddingView& view, Negatives& negatives) = 0;

  // For free vectors only: receives dLoss/dvector for each (a table like Negatives::vectors) and
  // adds the gradients that follow for the embeddings.
  virtual void backward(const Batch& /*batch*/, const EmbeddingView& /*view*/,
                        const Table& /*vector_gradients*/, ExtraGradients& /*extra*/) {}
  // An additional loss of the sampler, already averaged over the batch. The call adds its gradients
  // for the embeddings and fills those of parameters().
  virtual bool has_auxiliary_loss() const { return false; }
  virtual double auxiliary_loss(const Batch& /*batch*/, const EmbeddingView& /*view*/,
                                const Negatives& /*negatives*/, ExtraGradients& /*extra*/) {
    return 0;
  }
  virtual std::vector<SamplerParameters> parameters() { return {}; }

  // State that outlives an epoch (caches, pools), for checkpoints at the end of an epoch. The
  // trainer adds a prefix to the names, so they need not differ from those of other parts.
  virtual void save(TensorWriter& /*out*/) const {}
  virtual void load(const TensorReader& /*in*/) {}

  // Whether a training over blocks of users and items (option `blocks`) can use the sampler: it is
  // started anew for every block and epoch with the pairs and items of the block, and all that it
  // keeps from epoch to epoch is remembered_items().
  virtual bool fits_blocks() const { return false; }
  // Items that the sampler remembers from epoch to epoch, the same number for each training pair,
  // in the order of train.items; kNoItem for none. Written before the first epoch to continue.
  virtual std::span<uint32_t> remembered_items() { return {}; }

  // Values that describe the last epoch, by name.
  virtual std::vector<std::pair<std::string, double>> diagnostics() const { return {}; }
};

}  // namespace divns
