// SPDX-License-Identifier: Apache-2.0
#include "models/registry.h"

#include <array>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/nearest.h"
#include "models/lightgcn.h"
#include "models/mf.h"

namespace divns {
namespace {

constexpr std::array kModels = {
    ModelEntry{"mf", "matrix factorisation: the inner product of two parameter rows",
               "Koren, Bell and Volinsky, Computer 2009", make_mf},
    ModelEntry{"lightgcn", "mean of linear propagations over the graph of training pairs",
               "He et al., SIGIR 2020", make_lightgcn},
};

}  // namespace

std::span<const ModelEntry> models() {
  return kModels;
}

const ModelEntry& find_model(std::string_view name) {
  std::vector<std::string> names;
  for (const ModelEntry& entry : kModels) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  fail("there is no model '{}'.{}", name, did_you_mean(name, names));
}

}  // namespace divns
