// SPDX-License-Identifier: Apache-2.0
// The lists of samplers and losses. The built-in ones are always there. A program adds its own by a
// call at its start:
//
//   divns::register_loss({.name = "my_hinge",
//                         .summary = "hinge loss with margin 1",
//                         .citation = "",
//                         .make = [] { return std::make_unique<Hinge>(); }});
//
// From then on the name works wherever a built-in one does: as the value of the option `loss`, in
// `divns list`, in comparisons and in tests that iterate over the list.
//
// Register before training starts and before any of the spans and references below are used: adding
// an entry invalidates them. Registration is not synchronised with other threads.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "divns/loss.h"
#include "divns/sampler.h"
#include "divns/settings.h"

namespace divns {

struct SamplerEntry {
  std::string name;
  std::string summary;   // one line
  std::string citation;  // where the method was published
  std::function<std::unique_ptr<Sampler>()> make;
  // The option that must name a file before the sampler can train, or empty. Such samplers are not
  // part of `--samplers all`.
  std::string needs = {};
  // Values of options as in the authors' code: the preset `authors`.
  Settings authors = {};
};

struct LossEntry {
  std::string name;
  std::string summary;   // one line, with the formula
  std::string citation;  // where the loss was published
  std::function<std::unique_ptr<Loss>()> make;
};

// Throw Error if the name is empty or taken, or if there is no function that makes the object.
void register_sampler(SamplerEntry entry);
void register_loss(LossEntry entry);

// The built-in entries, then the registered ones.
std::span<const SamplerEntry> samplers();
std::span<const LossEntry> losses();

// Throw Error for an unknown name, with the nearest known one.
const SamplerEntry& find_sampler(std::string_view name);
const LossEntry& find_loss(std::string_view name);

struct ModelInfo {
  std::string name;
  std::string summary;
  std::string citation;
  bool is_sampled = true;   // trained with sampled negatives; otherwise fitted to all pairs at once
  bool has_vectors = true;  // false: ranks by item-item weights (TrainedModel::item_weights)
};

// The models that can be trained or fitted.
std::vector<ModelInfo> model_list();
// Whether a sampler can train a model: some need the hop vectors of a graph model.
bool sampler_fits(std::string_view sampler, std::string_view model);

}  // namespace divns
