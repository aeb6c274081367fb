// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "divns/interactions.h"
#include "divns/parallel.h"

namespace divns {

// A part of a dataset, "train", "valid" or "test". All parts share users and items.
struct DatasetPart {
  std::string name;
  Interactions interactions;
};

// The distribution of the number of pairs per user, or per item.
struct DegreeSummary {
  static constexpr std::array<double, 8> kQuantiles = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1};
  std::array<uint64_t, kQuantiles.size()> quantiles{};  // by nearest rank, so whole numbers
  double mean = 0;
};

// How unequally the pairs are distributed over the items.
struct PopularityCurve {
  static constexpr std::array<double, 4> kTops = {0.01, 0.05, 0.1, 0.2};
  static constexpr size_t kPoints = 20;
  double gini = 0;                                // 0: all items alike; towards 1: one item has all
  std::array<double, kTops.size()> top_shares{};  // of pairs, on the most popular 1, 5, ... percent
  std::array<double, kPoints> lorenz{};  // of pairs, on the least popular 5, 10, ..., 100 percent
};

// Degrees and popularity count the pairs of all parts; cold means without a pair in the first part,
// the training part.
struct DatasetStatistics {
  struct PartSize {
    std::string name;
    uint64_t pairs = 0;
  };
  // A pair of a later part that an earlier part holds already.
  struct Leak {
    uint32_t user = 0;
    uint32_t item = 0;
    std::string first;
    std::string second;
  };
  // A user with more than d positives needs more items from the k-DPP than the kernel of
  // d-dimensional vectors has rank.
  static constexpr std::array<uint64_t, 3> kRanks = {32, 64, 128};
  static constexpr size_t kLeakExamples = 5;

  uint64_t users = 0;
  uint64_t items = 0;
  uint64_t pairs = 0;
  double density = 0;
  std::vector<PartSize> parts;
  DegreeSummary user_degrees;
  DegreeSummary item_degrees;
  PopularityCurve popularity;
  uint64_t cold_users = 0;
  uint64_t cold_items = 0;
  std::array<uint64_t, kRanks.size()> users_beyond_rank{};  // by pairs of the training part
  uint64_t leaks = 0;
  std::vector<Leak> leak_examples;
};

// Parts that were cut from one list of distinct pairs cannot share any; looking for leaks would be
// most of the work.
enum class Overlap { kPossible, kImpossible };

// At least one part; the first is the training part.
DatasetStatistics compute_statistics(std::span<const DatasetPart> parts, const Executor& executor,
                                     Overlap overlap = Overlap::kPossible);

// One JSON object, indented.
std::string statistics_json(const DatasetStatistics& statistics);
// A table for the terminal, UTF-8, ends with a newline.
std::string statistics_text(const DatasetStatistics& statistics);

}  // namespace divns
