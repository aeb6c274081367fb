// SPDX-License-Identifier: Apache-2.0
#include "synth/world.h"

#include <numeric>
#include <span>

#include "base/portable_math.h"
#include "data/apportion.h"
#include "divns/random.h"
#include "numerics/alias_table.h"

namespace divns {
namespace {

// Distance of the cluster centres from the origin along every axis. Clusters are so far apart, in
// units of a taste's width, that affinities across clusters are negligible.
constexpr double kCentreSpread = 3.0;

std::vector<uint32_t> shuffled_ids(uint64_t n, Draws draws) {
  std::vector<uint32_t> ids(n);
  std::iota(ids.begin(), ids.end(), 0U);
  shuffle(draws, std::span(ids));
  return ids;
}

struct Clusters {
  std::vector<uint64_t> offsets;  // clusters + 1, into members
  std::vector<uint32_t> members;  // items, cluster by cluster

  std::span<const uint32_t> of(size_t cluster) const {
    return std::span(members).subspan(offsets[cluster], offsets[cluster + 1] - offsets[cluster]);
  }
};

Clusters make_clusters(const SynthOptions& options) {
  const auto count = static_cast<uint64_t>(options.clusters);
  // Cluster sizes follow the ranks 1, 2, ... without a flat head.
  const auto sizes =
      apportion(options.items, 1, options.items, power_law(count, options.cluster_exponent, 0));
  Clusters clusters;
  clusters.offsets.resize(count + 1);
  std::partial_sum(sizes.begin(), sizes.end(), clusters.offsets.begin() + 1);
  clusters.members = shuffled_ids(options.items, Random(options.seed, "synth.clusters").draws());
  return clusters;
}

void place_items(const SynthOptions& options, const Executor& executor, const Clusters& clusters,
                 SynthTruth& truth) {
  const auto dim = static_cast<size_t>(options.latent_dim);
  const auto count = static_cast<size_t>(options.clusters);
  const Random random(options.seed, "synth.places");
  truth.item_vectors.resize(options.items * dim);
  truth.item_clusters.resize(options.items);
  truth.cluster_spreads.resize(count);
  executor.for_chunks(count, 1, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      Draws draws = random.draws(static_cast<uint32_t>(c));
      // Log-uniform: densities differ by orders of magnitude at every size.
      const double spread =
          options.spread_min > 0
              ? options.spread_min *
                    portable::pow(options.spread_max / options.spread_min, draws.uniform())
              : options.spread_max * draws.uniform();
      std::vector<double> centre(dim);
      for (double& x : centre) x = kCentreSpread * draws.normal();
      for (const uint32_t item : clusters.of(c)) {
        for (size_t d = 0; d < dim; ++d)
          truth.item_vectors[item * dim + d] =
              static_cast<float>(centre[d] + spread * draws.normal());
        truth.item_clusters[item] = static_cast<uint32_t>(c);
      }
      truth.cluster_spreads[c] = spread;
    }
  });
}

void make_popular(const SynthOptions& options, SynthTruth& truth) {
  const auto law = power_law(options.items, options.popularity_exponent, options.popularity_head);
  const double sum = std::accumulate(law.begin(), law.end(), 0.0);
  const auto ranked = shuffled_ids(options.items, Random(options.seed, "synth.popularity").draws());
  truth.popularity.resize(options.items);
  for (size_t rank = 0; rank < law.size(); ++rank) truth.popularity[ranked[rank]] = law[rank] / sum;
}

std::vector<double> cluster_masses(const SynthTruth& truth) {
  std::vector<double> masses(truth.cluster_spreads.size());
  for (uint32_t item = 0; item < truth.items(); ++item)
    masses[truth.item_clusters[item]] += truth.popularity[item];
  return masses;
}

void set_gains(std::span<const double> masses, SynthTruth& truth) {
  truth.cluster_gains.resize(masses.size());
  for (size_t c = 0; c < masses.size(); ++c) {
    const double spread = truth.cluster_spreads[c];
    const double mean_affinity = portable::pow(1 + 2 * spread * spread, -0.5 * truth.latent_dim);
    truth.cluster_gains[c] = 1 / (masses[c] * mean_affinity);
  }
}

void give_tastes(const SynthOptions& options, const Executor& executor, const Clusters& clusters,
                 std::span<const double> masses, SynthTruth& truth) {
  constexpr size_t kGrain = 1024;
  const Random random(options.seed, "synth.tastes");
  const auto most = static_cast<uint32_t>(options.tastes);
  const auto taste_count = [&](uint32_t user) { return 1 + random.draws(user).below(most); };
  truth.taste_offsets.assign(options.users + 1, 0);
  for (uint32_t user = 0; user < options.users; ++user)
    truth.taste_offsets[user + 1] = truth.taste_offsets[user] + taste_count(user);
  truth.favourites.resize(truth.taste_offsets.back());
  truth.taste_weights.resize(truth.taste_offsets.back());

  // A cluster is drawn by its popularity, then one of its items uniformly; two tastes may share a
  // cluster. Weights are exponential deviates divided by their sum: uniform on the simplex.
  const AliasTable cluster_table(masses);
  executor.for_chunks(options.users, kGrain, [&](size_t begin, size_t end) {
    for (auto user = static_cast<uint32_t>(begin); user < end; ++user) {
      Draws draws = random.draws(user, 1);
      double sum = 0;
      const uint64_t first = truth.taste_offsets[user];
      const uint64_t last = truth.taste_offsets[user + 1];
      for (uint64_t t = first; t < last; ++t) {
        const auto members = clusters.of(cluster_table.draw(draws));
        truth.favourites[t] = members[draws.below(static_cast<uint32_t>(members.size()))];
        truth.taste_weights[t] = -portable::log(1 - draws.uniform());
        sum += truth.taste_weights[t];
      }
      for (uint64_t t = first; t < last; ++t) truth.taste_weights[t] /= sum;
    }
  });
}

}  // namespace

SynthTruth build_synth_truth(const SynthOptions& options, const Executor& executor) {
  SynthTruth truth;
  truth.latent_dim = static_cast<uint32_t>(options.latent_dim);
  truth.background = options.background;
  truth.liked_level = options.liked_level;
  const Clusters clusters = make_clusters(options);
  place_items(options, executor, clusters, truth);
  make_popular(options, truth);
  const std::vector<double> masses = cluster_masses(truth);
  set_gains(masses, truth);
  give_tastes(options, executor, clusters, masses, truth);
  return truth;
}

}  // namespace divns
