// SPDX-License-Identifier: Apache-2.0
// Every registered loss in the forms that the tests go through, with its formula in float64.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "divns/interactions.h"
#include "divns/options.h"
#include "divns/registry.h"

namespace divns::testing {

// Scores of a batch.
struct ReferenceScores {
  std::vector<uint32_t> users;
  std::vector<double> positives;
  std::vector<std::vector<double>> negatives;
  std::vector<float> importance;   // rows x K, or empty
  std::vector<float> row_weights;  // rows, or empty

  double row_weight(size_t r) const { return row_weights.empty() ? 1 : double{row_weights[r]}; }
  double mean_weight(size_t r, size_t k) const {
    const size_t each = negatives[r].size();
    return importance.empty() ? 1 / static_cast<double>(each) : double{importance[r * each + k]};
  }
  // sum_r weight_r loss(r)
  template <class RowLoss>
  double sum(RowLoss&& loss) const {
    double total = 0;
    for (size_t r = 0; r < positives.size(); ++r) total += row_weight(r) * loss(r);
    return total;
  }
  // sum_k weight_rk term(s_k), where the weights sum to 1
  template <class Term>
  double mean(size_t r, Term&& term) const {
    double total = 0;
    for (size_t k = 0; k < negatives[r].size(); ++k)
      total += mean_weight(r, k) * term(negatives[r][k]);
    return total;
  }
};

// sum_r weight_r loss_r
using ReferenceLoss = std::function<double(const ReferenceScores&)>;

inline double reference_bpr(const ReferenceScores& s) {
  return s.sum([&](size_t r) {
    if (!s.importance.empty())
      return s.mean(r, [&](double x) { return std::log1p(std::exp(x - s.positives[r])); });
    double together = 1;
    for (const double x : s.negatives[r]) together += std::exp(x - s.positives[r]);
    return std::log(together);
  });
}

inline double reference_softmax(const ReferenceScores& s, double tau, bool with_positive,
                                double ratio) {
  return s.sum([&](size_t r) {
    double sum = s.mean(r, [&](double x) { return std::exp(x / tau); });
    sum *= static_cast<double>(s.negatives[r].size());
    if (with_positive) sum += std::exp(s.positives[r] / tau);
    return -s.positives[r] / tau + ratio * std::log(sum);
  });
}

inline double reference_bsl_multi(const ReferenceScores& s, double tau, double ratio) {
  return s.sum([&](size_t r) {
    double pooled = 0;
    double count = 0;
    for (size_t other = 0; other < s.users.size(); ++other) {
      if (s.users[other] != s.users[r]) continue;
      pooled += std::exp(s.positives[other] / tau);
      ++count;
    }
    const double mean = s.mean(r, [&](double x) { return std::exp(x / tau); });
    return -std::log(pooled / count) + ratio * std::log(mean);
  });
}

inline double reference_bce(const ReferenceScores& s, double weight) {
  return s.sum([&](size_t r) {
    return std::log1p(std::exp(-s.positives[r])) +
           weight * s.mean(r, [](double x) { return std::log1p(std::exp(x)); });
  });
}

inline double reference_ccl(const ReferenceScores& s, double margin, double weight) {
  return s.sum([&](size_t r) {
    return 1 - s.positives[r] +
           weight * s.mean(r, [&](double x) { return std::max(0.0, x - margin); });
  });
}

inline double reference_hinge(const ReferenceScores& s, double margin) {
  return s.sum([&](size_t r) {
    return s.mean(r, [&](double x) { return std::max(0.0, margin - s.positives[r] + x); });
  });
}

// With `missing` items that a user does not own.
inline double reference_warp(const ReferenceScores& s, const Interactions& train, double margin) {
  return s.sum([&](size_t r) {
    const size_t missing = train.item_count - train.row(s.users[r]).size();
    for (size_t k = 0; k < s.negatives[r].size(); ++k) {
      const double gap = margin - s.positives[r] + s.negatives[r][k];
      if (gap <= 0) continue;
      double weight = 1;
      for (size_t j = 2; j <= missing / (k + 1); ++j) weight += 1 / static_cast<double>(j);
      return weight * gap;
    }
    return 0.0;
  });
}

struct LossCase {
  std::string label;
  std::string loss;
  std::vector<std::pair<std::string, std::string>> settings;
  bool cosine = false;
  std::function<double(const ReferenceScores&, const Interactions&)> reference;
  bool takes_importance = true;

  // Declared and set, not started.
  std::unique_ptr<Loss> make() const {
    auto made = find_loss(loss).make();
    Options options;
    made->declare(options);
    for (const auto& [name, value] : settings) options.set(name, value, OptionSource::kSet);
    return made;
  }
};

inline std::vector<LossCase> loss_cases() {
  using Scores = ReferenceScores;
  using Train = Interactions;
  return {
      {"bpr", "bpr", {}, false, [](const Scores& s, const Train&) { return reference_bpr(s); }},
      {"bpr_cosine",
       "bpr",
       {},
       true,
       [](const Scores& s, const Train&) { return reference_bpr(s); }},
      {"softmax",
       "softmax",
       {{"softmax.temperature", "0.2"}},
       true,
       [](const Scores& s, const Train&) { return reference_softmax(s, 0.2, false, 1); }},
      {"softmax_inner",
       "softmax",
       {{"softmax.temperature", "0.2"}},
       false,
       [](const Scores& s, const Train&) { return reference_softmax(s, 0.2, false, 1); }},
      {"softmax_with_positive",
       "softmax",
       {{"softmax.temperature", "0.2"}, {"softmax.positive_in_denominator", "true"}},
       true,
       [](const Scores& s, const Train&) { return reference_softmax(s, 0.2, true, 1); }},
      {"bsl_reweight",
       "bsl",
       {{"bsl.temperature", "0.2"}, {"bsl.ratio", "1.2"}},
       true,
       [](const Scores& s, const Train&) { return reference_softmax(s, 0.2, false, 1.2); }},
      {"bsl_multi",
       "bsl",
       {{"bsl.mode", "multi"}, {"bsl.temperature", "0.2"}, {"bsl.ratio", "1.2"}},
       true,
       [](const Scores& s, const Train&) { return reference_bsl_multi(s, 0.2, 1.2); }},
      {"bsl_multi_inner",
       "bsl",
       {{"bsl.mode", "multi"}, {"bsl.temperature", "0.5"}},
       false,
       [](const Scores& s, const Train&) { return reference_bsl_multi(s, 0.5, 0.84); }},
      {"bce", "bce", {}, false, [](const Scores& s, const Train&) { return reference_bce(s, 1); }},
      {"bce_weighted",
       "bce",
       {{"bce.negative_weight", "2.5"}},
       true,
       [](const Scores& s, const Train&) { return reference_bce(s, 2.5); }},
      {"ccl",
       "ccl",
       {{"ccl.margin", "0.1"}, {"ccl.weight", "1.5"}},
       true,
       [](const Scores& s, const Train&) { return reference_ccl(s, 0.1, 1.5); }},
      {"hinge",
       "hinge",
       {},
       false,
       [](const Scores& s, const Train&) { return reference_hinge(s, 1); }},
      {"warp",
       "warp",
       {},
       false,
       [](const Scores& s, const Train& train) { return reference_warp(s, train, 1); },
       false},
  };
}

}  // namespace divns::testing
