// SPDX-License-Identifier: Apache-2.0
#include "divns/options.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "divns/did_you_mean.h"
#include "divns/synth.h"

namespace divns {
namespace {

// Ids and numbers of pairs stay below 2^32 - 1.
constexpr double kMostPairs = 4'000'000'000;
constexpr double kMostIds = 2'000'000'000;

SynthOptions ml_1m_like() {
  SynthOptions options;
  options.users = 6'040;
  options.items = 3'706;
  options.pairs = 1'000'209;
  options.clusters = 20;
  options.popularity_exponent = 2.5;
  options.popularity_head = 0.05;
  options.minimum_degree = 20;
  options.maximum_share = 0.65;
  options.activity_head = 0.005;
  return options;
}

SynthOptions yelp2022_scale() {
  SynthOptions options;
  options.users = 287'116;
  options.items = 148'523;
  options.pairs = 4'392'169;
  options.clusters = 1'000;
  options.popularity_exponent = 1.0;
  options.popularity_head = 0.005;
  options.minimum_degree = 5;
  options.activity_exponent = 0.8;
  options.activity_head = 0.001;
  return options;
}

}  // namespace

void SynthOptions::declare(Options& options) {
  options.add("users", users, "number of users").range(1, kMostIds);
  options.add("items", items, "number of items").range(1, kMostIds);
  options.add("pairs", pairs, "number of distinct (user, item) pairs").range(1, kMostPairs);
  options.add("latent_dim", latent_dim, "dimension of the item vectors").range(1, 256);
  options.add("clusters", clusters, "number of item clusters").range(1, 1e6);
  options
      .add("cluster_exponent", cluster_exponent,
           "exponent of the power law of cluster sizes; 0 for equal sizes")
      .range(0, 4);
  options
      .add("spread_min", spread_min,
           "spread of the tightest cluster, in units of the width of a taste")
      .range(0, 4);
  options.add("spread_max", spread_max, "spread of the loosest cluster").range(0, 4);
  options
      .add("popularity_exponent", popularity_exponent,
           "exponent of the power law of item popularity; 0 for equal popularity")
      .range(0, 4);
  options
      .add("popularity_head", popularity_head,
           "share of the items over which the popularity curve is flat")
      .range(1e-9, 1e9);
  options.add("tastes", tastes, "maximal number of tastes per user").range(1, 64);
  options
      .add("background", background,
           "share of interactions that depend on popularity only, not on taste")
      .range(1e-6, 1);
  options
      .add("liked_level", liked_level,
           "affinity from which a user truly likes an item; a favourite has 1")
      .range(0, 1);
  options.add("minimum_degree", minimum_degree, "minimal number of pairs per user")
      .range(1, kMostIds);
  options.add("maximum_share", maximum_share, "largest share of all items that a user may have")
      .range(0, 1);
  options
      .add("activity_exponent", activity_exponent,
           "exponent of the power law of user activity; 0 for equal activity")
      .range(0, 4);
  options
      .add("activity_head", activity_head,
           "share of the users over which the activity curve is flat")
      .range(1e-9, 1e9);
  options.add("seed", seed, "seed of all random choices");
}

uint64_t SynthOptions::maximum_degree() const {
  const double most = std::floor(maximum_share * static_cast<double>(items));
  return std::max(minimum_degree, static_cast<uint64_t>(most));
}

void SynthOptions::check() const {
  // The declared ranges also apply to values set from code.
  SynthOptions same = *this;
  Options table;
  same.declare(table);
  for (const Option& option : table.all())
    table.set(option.name(), option.value(), OptionSource::kFlag);

  if (static_cast<uint64_t>(clusters) > items)
    fail("clusters is {}, but there are only {} items; expected at most one cluster per item.",
         clusters, items);
  if (spread_min > spread_max)
    fail("spread_min is {} and spread_max is {}; the first may not exceed the second.", spread_min,
         spread_max);
  if (minimum_degree > items)
    fail("minimum_degree is {}, but there are only {} items.", minimum_degree, items);
  if (pairs < users * minimum_degree)
    fail(
        "pairs is {}, but {} users with at least {} each need {}; raise pairs or lower "
        "minimum_degree.",
        pairs, users, minimum_degree, users * minimum_degree);
  if (pairs > users * maximum_degree())
    fail(
        "pairs is {}, but {} users with at most {} items each hold {}; lower pairs or raise "
        "items or maximum_share.",
        pairs, users, maximum_degree(), users * maximum_degree());
}

std::span<const SynthPreset> synth_presets() {
  static const std::vector<SynthPreset> presets = {
      {"demo", "small enough to train in seconds: 2,000 users, 1,500 items, 80,000 pairs", {}},
      {"ml-1m-like", "the size of MovieLens-1M: 6,040 users, 3,706 items, 1,000,209 pairs",
       ml_1m_like()},
      {"yelp2022-scale", "the size of Yelp 2022: 287,116 users, 148,523 items, 4,392,169 pairs",
       yelp2022_scale()},
  };
  return presets;
}

const SynthOptions& synth_preset(std::string_view name) {
  std::vector<std::string> known;
  for (const SynthPreset& preset : synth_presets()) {
    if (preset.name == name) return preset.options;
    known.emplace_back(preset.name);
  }
  fail("there is no synthetic preset '{}'; the presets are {}.{}", name, fmt::join(known, ", "),
       did_you_mean(name, known));
}

}  // namespace divns
