// SPDX-License-Identifier: Apache-2.0
#include "train/config.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "divns/options.h"

namespace divns {

namespace {

// results/quickest.md says how these were chosen.
constexpr std::pair<const char*, const char*> kFastPreset[] = {
    {"model", "mf"},
    {"embedding_dim", "128"},
    {"loss", "bsl"},
    {"bsl.ratio", "1.25"},
    {"similarity", "cosine"},
    {"sampler", "shared"},
    {"shared.size", "1024"},
    {"init", "svd"},
    {"l2", "0"},
    {"batch_size", "2048"},
    {"learning_rate", "0.004"},
    {"schedule", "cosine"},
    {"warmup_epochs", "0.5"},
    {"epochs", "40"},
};

}  // namespace

void TrainConfig::declare(Options& options) {
  options.section("Model");
  options.add("model", model, "recommender to train");
  options.add("sampler", sampler, "sampler of negatives");
  options
      .add_choice("preset", preset,
                  {{"none", TrainPreset::kNone},
                   {"authors", TrainPreset::kAuthors},
                   {"fast", TrainPreset::kFast}},
                  "values of the options that are not set otherwise: the defaults, those of the "
                  "code of the sampler's authors, or those of a short training")
      .omit_default();
  options.add("loss", loss, "loss on the scores of positives and negatives").omit_default();
  options.add("embedding_dim", embedding_dim, "embedding dimension")
      .range(1, 4096)
      .alias("embedding_size")
      .alias("factors")
      .tune_values({"32", "64", "128"});
  options.section("Training");
  options.add("learning_rate", optimizer.learning_rate, "step size of the optimizer")
      .above(0)
      .alias("lr")
      .tune_log(1e-4, 1e-2);
  options.add("l2", objective.l2, "weight of the squared norms of the ego embeddings in a batch")
      .range(0)
      .alias("reg_weight")
      .alias("regularization")
      .tune_log(1e-6, 1);
  const auto add_l2 = [&](const char* name, std::optional<double>& target,
                          const char* whose) -> Option& {
    return options
        .add(name, target, fmt::format("weight of the squared norms of {}; l2 if unset", whose))
        .range(0)
        .tune_log(1e-6, 1)
        .omit_default();
  };
  add_l2("l2_user", objective.l2_user, "the users of a batch").advanced();
  add_l2("l2_positive", objective.l2_positive, "the positive items of a batch").advanced();
  add_l2("l2_negative", objective.l2_negative, "the negatives of a batch").advanced();
  options.add("epochs", epochs, "maximum number of passes over the training pairs")
      .range(0)
      .alias("iterations");
  options.add("batch_size", batch_size, "training pairs per batch")
      .range(1)
      .alias("train_batch_size");
  options.add("negatives", negatives, "negatives per training pair")
      .range(1, 1024)
      .tune_values({"1", "2", "4", "8"});
  options.add("seed", seed, "seed of all random choices");
  options.add_choice(
      "optimizer", optimizer.kind,
      {{"adam", OptimizerKind::kAdam},
       {"lazy_adam", OptimizerKind::kLazyAdam},
       {"sgd", OptimizerKind::kSgd}},
      "optimizer: dense Adam, Adam that does not move rows without a gradient, or SGD");
  options.add("beta1", optimizer.adam.beta1, "decay of Adam's first moment")
      .range(0, 0.9999)
      .advanced();
  options.add("beta2", optimizer.adam.beta2, "decay of Adam's second moment")
      .range(0, 0.999999)
      .advanced();
  options.add("epsilon", optimizer.adam.epsilon, "constant that keeps Adam from dividing by zero")
      .above(0)
      .advanced();
  options
      .add_choice("schedule", schedule,
                  {{"constant", RateDecay::kConstant},
                   {"linear", RateDecay::kLinear},
                   {"cosine", RateDecay::kCosine}},
                  "learning rate over the run: constant, or falling to 0 at the end of `epochs` "
                  "along a line or half a cosine")
      .advanced()
      .omit_default();
  options
      .add("warmup_epochs", warmup_epochs,
           "number of epochs in which the learning rate rises from 0; may be a fraction")
      .range(0)
      .advanced()
      .omit_default();
  options
      .add_choice(
          "init", init,
          {{"xavier", Initialisation::kXavier},
           {"normal", Initialisation::kNormal},
           {"svd", Initialisation::kSvd}},
          "initial parameters: Xavier-uniform, normal with init_std, or the singular vectors "
          "of the normalised matrix of training pairs")
      .advanced();
  options
      .add("init_std", init_std,
           "standard deviation for init = normal; root mean square of the entries for init = svd")
      .above(0)
      .advanced();
  options
      .add_choice("pairs", pairs,
                  {{"shuffle", PairOrder::kShuffle}, {"user_uniform", PairOrder::kUserUniform}},
                  "pairs of an epoch: every training pair once, or as many draws of a random user "
                  "and one of the user's items")
      .advanced();
  options
      .add(
          "blocks", blocks,
          "number of user blocks and item blocks, as UxI: the pairs of one user block and one item "
          "block are trained at a time, with negatives from that item block")
      .advanced()
      .omit_default();
  options.add("drop_last", drop_last, "skip the last batch of an epoch if it is not full")
      .advanced();
  options
      .add_choice("similarity", objective.similarity,
                  {{"inner", ScoreSimilarity::kInner}, {"cosine", ScoreSimilarity::kCosine}},
                  "score of a user and an item: inner product of their vectors, or its cosine")
      .omit_default();
  options.add("unit_items", objective.unit_items, "score item vectors scaled to unit length")
      .advanced();
  options
      .add("regularise_parts", objective.regularise_parts,
           "apply the L2 penalty to each item of a mixed negative instead of to the mixture")
      .advanced();
  options
      .add("item_groups", item_groups,
           "file of lines item,group with original ids, for samplers that use groups of items")
      .omit_default()
      .advanced();
  options
      .add(
          "broadcast_regulariser", objective.broadcast_regulariser,
          "apply the L2 penalty to B negatives per row of a batch of B rows: the first item of the "
          "row's own negative combined with the second item of every row's negative")
      .omit_default()
      .advanced();
  options
      .add("broadcast_loss", objective.broadcast_loss,
           "let each positive compete with the same B negatives in the loss")
      .omit_default()
      .advanced();
  options.section("Evaluation");
  options.add_choice(
      "protocol", protocol,
      {{"paper", Protocol::kPaper}, {"rel", Protocol::kRel}, {"mixgcf", Protocol::kMixGcf}},
      "defaults of eval_every, eval_first, patience_epochs and drop_last: the "
      "paper's, its released code's, or MixGCF's");
  options
      .add("valid_metric", valid_metric,
           "validation metric for early stopping, for example ndcg@10")
      .omit_default();
  options.add("eval_every", eval_every, "number of epochs between validations").range(1);
  options.add("eval_first", eval_first, "validate after the first epoch too").advanced();
  options
      .add("patience_epochs", patience_epochs,
           "number of epochs without a better validation result after which training stops")
      .range(1);
  options
      .add("diagnostics_users", diagnostics_users,
           "number of users whose negatives are described in every epoch (diversity, popularity "
           "and so on)")
      .range(0)
      .advanced();
  options
      .add("record_users", record_users,
           "number of users whose candidates, cache and negatives are recorded for the map of a "
           "report")
      .range(0, 20)
      .advanced()
      .omit_default();
  options
      .add("allow_extensions", allow_extensions,
           "allow samplers that were published for graph models with mf")
      .group("Model")
      .advanced();
}

OptimizerOptions TrainConfig::scheduled_optimizer(size_t batches) const {
  OptimizerOptions options = optimizer;
  const auto steps = static_cast<double>(batches);
  options.schedule = {.decay = schedule,
                      .warmup_steps = static_cast<uint64_t>(std::ceil(warmup_epochs * steps)),
                      .total_steps = static_cast<uint64_t>(epochs) * batches};
  return options;
}

LossContext TrainConfig::loss_context(const Interactions& train, const Sampler& used) const {
  return {.train = train,
          .seed = seed,
          .negatives = negatives,
          .batch_size = static_cast<size_t>(batch_size),
          .cosine = objective.similarity == ScoreSimilarity::kCosine,
          .weighted_negatives = used.weights_negatives(),
          .shared_negatives = used.shares_negatives()};
}

void TrainConfig::apply_fast(Options& options) {
  for (const auto& [name, value] : kFastPreset) options.set(name, value, OptionSource::kPreset);
}

void TrainConfig::apply_protocol(Options& options) const {
  const auto imply = [&](const char* name, const char* value) {
    options.set(name, value, OptionSource::kPreset);
  };
  if (protocol == Protocol::kRel) imply("patience_epochs", "100");
  if (protocol == Protocol::kMixGcf) {
    imply("patience_epochs", "50");
    imply("eval_first", "true");
    imply("drop_last", "true");
  }
}

}  // namespace divns
