// SPDX-License-Identifier: Apache-2.0
#include "samplers/registry.h"

#include <array>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/nearest.h"
#include "samplers/rns.h"

namespace divns {
namespace {

constexpr std::array kSamplers = {
    SamplerEntry{"rns", "uniform draws from the items the user has no training pair with",
                 "Rendle et al., BPR, UAI 2009", true, make_rns},
};

}  // namespace

std::span<const SamplerEntry> samplers() {
  return kSamplers;
}

const SamplerEntry& find_sampler(std::string_view name) {
  std::vector<std::string> names;
  for (const SamplerEntry& entry : kSamplers) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  fail("there is no sampler '{}'.{}", name, did_you_mean(name, names));
}

}  // namespace divns
