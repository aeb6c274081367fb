// SPDX-License-Identifier: Apache-2.0
// Seconds and pairs a second of the synthetic generator.
#include <fmt/format.h>

#include <algorithm>

#include "base/stopwatch.h"
#include "data/synth.h"

int main() {
  using namespace divns;
  for (const SynthPreset& preset : synth_presets()) {
    const Executor executor;
    Stopwatch watch;
    const SynthData data = generate_synth(preset.options, executor);
    const double t = watch.lap();
    std::vector<uint64_t> item_degree(data.truth.items()), user_degree;
    for (uint32_t i : data.items) ++item_degree[i];
    for (size_t u = 0; u + 1 < data.offsets.size(); ++u)
      user_degree.push_back(data.offsets[u + 1] - data.offsets[u]);
    std::sort(item_degree.begin(), item_degree.end());
    std::sort(user_degree.begin(), user_degree.end());
    double gini = 0, n = double(item_degree.size());
    for (size_t k = 0; k < item_degree.size(); ++k)
      gini += (2 * (double(k) + 1) - n - 1) * double(item_degree[k]);
    gini /= n * double(data.items.size());
    auto q = [](const std::vector<uint64_t>& v, double p) { return v[size_t(p * double(v.size() - 1))]; };
    uint64_t liked = 0, liked_pairs = 0, tried = 0;
    for (uint32_t u = 0; u < 200; ++u)
      for (uint32_t i = 0; i < data.truth.items(); ++i) { liked += data.truth.likes(u, i); }
    for (uint32_t u = 0; u < 200; ++u)
      for (uint32_t i : data.interactions().row(u)) liked_pairs += data.truth.likes(u, i), ++tried;
    fmt::print("{} {:.2f}s users {} {} {} {} {} items {} {} {} {} {} gini {:.3f} liked/user {} liked share of pairs {:.2f}\n", preset.name, t,
      q(user_degree,0), q(user_degree,.5), q(user_degree,.9), q(user_degree,.99), q(user_degree,1),
      q(item_degree,0), q(item_degree,.5), q(item_degree,.9), q(item_degree,.99), q(item_degree,1), gini, liked/200, double(liked_pairs)/double(tried));
  }
}
