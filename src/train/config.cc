// SPDX-License-Identifier: Apache-2.0
#include "train/config.h"

#include "base/options.h"

namespace divns {

void TrainConfig::declare(Options& options) {
  options.add("model", model, "recommender to train");
  options.add("sampler", sampler, "where negatives come from");
  options.add("embedding_dim", embedding_dim, "width of the vectors")
      .range(1, 4096)
      .alias("embedding_size")
      .alias("factors")
      .tune_values({"32", "64", "128"});
  options.add("learning_rate", optimizer.adam.learning_rate, "step size")
      .above(0)
      .alias("lr")
      .tune_log(1e-4, 1e-2);
  options.add("l2", loss.l2, "weight of the squared norms of a batch's parameters")
      .range(0)
      .alias("reg_weight")
      .alias("regularization")
      .tune_log(1e-6, 1);
  options.add("epochs", epochs, "most passes over the training pairs").range(1).alias("iterations");
  options.add("batch_size", batch_size, "pairs a step").range(1).alias("train_batch_size");
  options.add("negatives", negatives, "negatives a pair that enter the loss").range(1, 1024);
  options.add("seed", seed, "seed of every random choice");
  options.add_choice("optimizer", optimizer.kind,
                     {{"adam", OptimizerKind::kAdam},
                      {"lazy_adam", OptimizerKind::kLazyAdam},
                      {"sgd", OptimizerKind::kSgd}},
                     "adam is dense Adam; lazy_adam leaves rows without gradient alone");
  options.add("beta1", optimizer.adam.beta1, "decay of Adam's first moment").range(0, 0.9999);
  options.add("beta2", optimizer.adam.beta2, "decay of Adam's second moment").range(0, 0.999999);
  options.add("epsilon", optimizer.adam.epsilon, "Adam's guard against division by zero").above(0);
  options.add_choice("init", init,
                     {{"xavier", Initialisation::kXavier}, {"normal", Initialisation::kNormal}},
                     "Xavier-uniform by table, or normal with init_std");
  options.add("init_std", init_std, "standard deviation for init = normal").above(0);
  options.add_choice("pairs", pairs,
                     {{"shuffle", PairOrder::kShuffle}, {"user_uniform", PairOrder::kUserUniform}},
                     "every training pair once an epoch, or a random user and one of their items "
                     "as many times as there are pairs");
  options.add("drop_last", drop_last, "leave out the last batch of an epoch if it is not full");
  options.add("unit_items", loss.unit_items, "score item vectors scaled to unit length");
  options.add("regularise_parts", loss.regularise_parts,
              "penalise the items of a mixed negative, each by itself, instead of the mixture");
  options.add_choice(
      "protocol", protocol,
      {{"paper", Protocol::kPaper}, {"rel", Protocol::kRel}, {"mixgcf", Protocol::kMixGcf}},
      "defaults of eval_every, eval_first, patience_epochs and drop_last: the "
      "paper's, its released code's, or MixGCF's");
  options.add("eval_every", eval_every, "epochs from one validation to the next").range(1);
  options.add("eval_first", eval_first, "validate after the very first epoch too");
  options
      .add("patience_epochs", patience_epochs,
           "stop after this many epochs without a better validation")
      .range(1);
  options
      .add("diagnostics_users", diagnostics_users,
           "users whose negatives are described every epoch (diversity, popularity and so on)")
      .range(0);
  options.add("allow_extensions", allow_extensions,
              "let a sampler that was published for graph models train mf");
}

void TrainConfig::apply_protocol(Options& options) const {
  const auto preset = [&](const char* name, const char* value) {
    options.set(name, value, OptionSource::kPreset);
  };
  if (protocol == Protocol::kRel) preset("patience_epochs", "100");
  if (protocol == Protocol::kMixGcf) {
    preset("patience_epochs", "50");
    preset("eval_first", "true");
    preset("drop_last", "true");
  }
}

}  // namespace divns
