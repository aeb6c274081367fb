// SPDX-License-Identifier: Apache-2.0
#include "samplers/registry.h"

#include <array>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/nearest.h"
#include "samplers/adasir.h"
#include "samplers/ahns.h"
#include "samplers/dens.h"
#include "samplers/divns.h"
#include "samplers/dns.h"
#include "samplers/dns_mn.h"
#include "samplers/mixgcf.h"
#include "samplers/pns.h"
#include "samplers/rns.h"
#include "samplers/scone.h"

namespace divns {
namespace {

// In the order of the paper's tables, which ours follow.
constexpr std::array kSamplers = {
    SamplerEntry{"rns", "uniform draws from the items the user has no training pair with",
                 "Rendle et al., BPR, UAI 2009", true, make_rns},
    SamplerEntry{"pns", "draws in proportion to a power of an item's training pairs",
                 "Chen et al., On Sampling Strategies for Neural Network-based Collaborative "
                 "Filtering, KDD 2017",
                 true, make_pns},
    SamplerEntry{"dns", "the highest-scoring of n uniform candidates",
                 "Zhang et al., Optimizing Top-N Collaborative Filtering via Dynamic Negative Item "
                 "Sampling, SIGIR 2013",
                 true, make_dns},
    SamplerEntry{"adasir", "picks from a pool per user that is resampled by score every epoch",
                 "Chen et al., Learning Recommenders for Implicit Feedback with Importance "
                 "Resampling, WWW 2022",
                 true, make_adasir},
    SamplerEntry{"dns_mn", "one of the M highest-scoring of N uniform candidates",
                 "Shi et al., On the Theories Behind Hard Negative Sampling for Recommendation, "
                 "WWW 2023",
                 true, make_dns_mn},
    SamplerEntry{"mixgcf", "hop by hop the best candidate, mixed with the positive",
                 "Huang et al., MixGCF: An Improved Training Method for Graph Neural "
                 "Network-based Recommender Systems, KDD 2021",
                 false, make_mixgcf},
    SamplerEntry{
        "dens", "the candidate that is close where the user's trained gates see no matter",
        "Lai et al., Disentangled Negative Sampling for Collaborative Filtering, WSDM 2023", true,
        make_dens},
    SamplerEntry{"ahns", "the candidate whose score fits the positive's: hard ones for low scores",
                 "Lai et al., Adaptive Hardness Negative Sampling for Collaborative Filtering, "
                 "AAAI 2024",
                 true, make_ahns},
    SamplerEntry{"scone", "negatives and contrastive views that a score network's diffusion makes",
                 "Lee et al., SCONE: Stochastic Sampling for Contrastive Views and Hard Negatives "
                 "in Recommendation, WSDM 2025",
                 false, make_scone},
    SamplerEntry{"divns", "the hardest of some draws, mixed with diverse items of a user's cache",
                 "Xuan et al., Diversity-Augmented Negative Sampling for Implicit Collaborative "
                 "Filtering, WWW 2026",
                 true, make_divns}};

std::vector<SamplerEntry>& table() {
  static std::vector<SamplerEntry> entries(kSamplers.begin(), kSamplers.end());
  return entries;
}

}  // namespace

std::span<const SamplerEntry> samplers() {
  return table();
}

void add_sampler(const SamplerEntry& entry) {
  for (const SamplerEntry& known : table())
    if (known.name == entry.name) fail("there is a sampler '{}' already.", entry.name);
  table().push_back(entry);
}

const SamplerEntry& find_sampler(std::string_view name) {
  std::vector<std::string> names;
  for (const SamplerEntry& entry : samplers()) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  fail("there is no sampler '{}'.{}", name, did_you_mean(name, names));
}

}  // namespace divns
