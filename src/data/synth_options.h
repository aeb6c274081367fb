// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace divns {

class Options;

// The make-up of a synthetic dataset; data/synth_truth.h states the law that the numbers enter.
struct SynthOptions {
  uint64_t users = 2'000;
  uint64_t items = 1'500;
  uint64_t pairs = 80'000;
  int latent_dim = 8;

  int clusters = 24;
  double cluster_exponent = 0.7;
  double spread_min = 0.2;
  double spread_max = 0.8;

  double popularity_exponent = 1.2;
  double popularity_head = 0.02;

  int tastes = 4;
  double background = 0.05;
  double liked_level = 0.1;

  uint64_t minimum_degree = 8;
  double maximum_share = 0.5;
  double activity_exponent = 0.6;
  double activity_head = 0.01;

  uint64_t seed = 1;

  void declare(Options& options);
  // Throws Error where a number is out of its range or the numbers cannot be met together.
  void check() const;
  // Most items that one user may have.
  uint64_t maximum_degree() const;
};

struct SynthPreset {
  std::string_view name;
  std::string_view help;
  SynthOptions options;
};

std::span<const SynthPreset> synth_presets();
// Throws Error for an unknown name, with the nearest known one.
const SynthOptions& synth_preset(std::string_view name);

}  // namespace divns
