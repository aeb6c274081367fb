// SPDX-License-Identifier: Apache-2.0
#include "models/registry.h"

#include <array>
#include <string>
#include <vector>

#include "base/check.h"
#include "divns/did_you_mean.h"
#include "divns/registry.h"
#include "models/ease.h"
#include "models/ials.h"
#include "models/lightgcn.h"
#include "models/mf.h"
#include "models/popularity.h"

namespace divns {
namespace {

constexpr std::array kModels = {
    ModelEntry{"mf", "matrix factorisation: inner product of a user and an item vector",
               "Koren, Bell and Volinsky, Computer 2009", make_mf},
    ModelEntry{"lightgcn", "mean of linear propagation steps over the graph of training pairs",
               "He et al., SIGIR 2020", make_lightgcn},
};

constexpr std::array kFittedModels = {
    FittedModelEntry{"popularity", "number of training pairs of the item, the same for all users",
                     "common practice", true, false, make_popularity},
    FittedModelEntry{"ease", "ridge regression of every item on all others, in closed form",
                     "Steck, WWW 2019", false, false, make_ease},
    FittedModelEntry{"ials", "squared loss over all pairs, users and items solved alternately",
                     "Hu, Koren and Volinsky, ICDM 2008; Rendle et al., RecSys 2022", true, true,
                     make_ials},
};

}  // namespace

std::span<const ModelEntry> models() {
  return kModels;
}

std::span<const FittedModelEntry> fitted_models() {
  return kFittedModels;
}

const FittedModelEntry* find_fitted_model(std::string_view name) {
  for (const FittedModelEntry& entry : kFittedModels)
    if (entry.name == name) return &entry;
  return nullptr;
}

const ModelEntry& find_model(std::string_view name) {
  std::vector<std::string> names;
  for (const ModelEntry& entry : kModels) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  if (find_fitted_model(name) != nullptr)
    fail("'{}' is fitted without a sampler; expected a model that is trained with one: {}.", name,
         fmt::join(names, " or "));
  for (const FittedModelEntry& entry : kFittedModels) names.emplace_back(entry.name);
  fail("there is no model '{}'.{}", name, did_you_mean(name, names));
}

std::vector<ModelInfo> model_list() {
  std::vector<ModelInfo> list;
  for (const ModelEntry& entry : kModels)
    list.push_back({std::string(entry.name), std::string(entry.summary),
                    std::string(entry.citation), true, true});
  for (const FittedModelEntry& entry : kFittedModels)
    list.push_back({std::string(entry.name), std::string(entry.summary),
                    std::string(entry.citation), false, entry.has_vectors});
  return list;
}

}  // namespace divns
