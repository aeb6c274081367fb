// SPDX-License-Identifier: Apache-2.0
#include "models/registry.h"

#include <array>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/nearest.h"
#include "models/ease.h"
#include "models/ials.h"
#include "models/lightgcn.h"
#include "models/mf.h"
#include "models/popularity.h"

namespace divns {
namespace {

constexpr std::array kModels = {
    ModelEntry{"mf", "matrix factorisation: the inner product of two parameter rows",
               "Koren, Bell and Volinsky, Computer 2009", make_mf},
    ModelEntry{"lightgcn", "mean of linear propagations over the graph of training pairs",
               "He et al., SIGIR 2020", make_lightgcn},
};

constexpr std::array kFittedModels = {
    FittedModelEntry{"popularity", "the number of training pairs of the item, alike for all users",
                     "common practice", true, false, make_popularity},
    FittedModelEntry{"ease", "ridge regression of every item on all the others, in closed form",
                     "Steck, WWW 2019", false, false, make_ease},
    FittedModelEntry{"ials", "squared loss over all pairs, users and items solved in turn",
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
    fail("'{}' is fitted to all pairs at once; what is asked for here is trained by sampling: {}.",
         name, fmt::join(names, " or "));
  for (const FittedModelEntry& entry : kFittedModels) names.emplace_back(entry.name);
  fail("there is no model '{}'.{}", name, did_you_mean(name, names));
}

}  // namespace divns
