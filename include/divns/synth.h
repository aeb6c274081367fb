// SPDX-License-Identifier: Apache-2.0
// Synthetic datasets whose true preferences are known: for demonstrations, tests and measurements.
//
//   divns::SynthOptions options = divns::synth_preset("demo");
//   const auto data = divns::Dataset::synthetic(options);
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "divns/parallel.h"
#include "divns/split.h"

namespace divns {

class Options;

// The parameters of a synthetic dataset. src/synth/truth.h states the distribution.
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
  // Throws Error if a number is out of its range or the numbers contradict each other.
  void check() const;
  // The largest number of items that one user may have.
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

struct SynthReport {
  uint64_t train = 0, valid = 0, test = 0;  // pairs
  std::string hash;
  std::string statistics_json;
};

// Writes a prepared dataset. Ids are the numbers themselves, and the file truth.bin holds every
// user's preferences, so that trainings can report how many negatives are false.
SynthReport write_synthetic(const SynthOptions& options, const SplitOptions& split,
                            const std::filesystem::path& output, bool overwrite = false,
                            const Executor& executor = Executor());

struct SynthTsvOptions {
  bool ratings = false;   // 1 to 5, by fifths of the affinity
  bool times = false;     // seconds since 1970; without ratings, a rating of 1 keeps its column
  bool shuffled = false;  // lines in random order, otherwise by user, then item
};

// Writes the pairs as text instead, one line per pair without header: user, item[, rating[, time]],
// separated by tabs. Returns the number of pairs.
uint64_t write_synthetic_tsv(const SynthOptions& options, const SynthTsvOptions& tsv,
                             const std::filesystem::path& path,
                             const Executor& executor = Executor());

}  // namespace divns
