// SPDX-License-Identifier: Apache-2.0
#include "summary/verdict.h"

#include <fmt/format.h>

#include <cmath>

#include "summary/document.h"

namespace divns {
namespace {

constexpr double kSignificantP = 0.05;
constexpr size_t kGroupsInVerdict = 4;
constexpr size_t kSentencesOnDatasets = 6;

std::string value_text(const Moments& value) {
  const int digits = value.count > 1 ? supported_digits({value.sd}) : 4;
  return value.count > 1 ? fmt::format("{:.{}f} ± {:.{}f}", value.mean, digits, value.sd, digits)
                         : fmt::format("{:.{}f}", value.mean, digits);
}

std::string significance(const SummaryTest* test, const Summary& summary) {
  if (test == nullptr)
    return summary.on_test ? "not tested for significance" : "validation part, not tested";
  std::string text = fmt::format("{} over users ({})",
                                 test->p_users < kSignificantP ? "significant" : "not significant",
                                 p_text(test->p_users));
  if (test->p_seeds)
    text += fmt::format(", {} over seeds ({})",
                        *test->p_seeds < kSignificantP ? "significant" : "not significant",
                        p_text(*test->p_seeds));
  else
    text += "; one seed";
  return text;
}

const SummaryTest* test_between(const Summary& summary, const SummaryRow& a, const SummaryRow& b) {
  const SummaryTest* test = summary.find_test(a, b, summary.main_metric());
  return test != nullptr ? test : summary.find_test(b, a, summary.main_metric());
}

std::string alone(const Summary& summary, const SummaryRow& row) {
  const auto value = summary.value(row, summary.main_metric());
  const std::string what = shown_text(row.series);
  if (!value) return fmt::format("{}: nothing was measured yet.", what);
  std::string text = fmt::format("{} reaches {} {} on the {} part", what, summary.main_metric(),
                                 value_text(*value), summary.on_test ? "test" : "validation");
  if (row.runs.size() == 1 && row.runs.front().valid)
    text += fmt::format(" (best validation at epoch {} of {})", row.runs.front().best_epoch + 1,
                        row.runs.front().epochs);
  return text + ". There is nothing to compare it with.";
}

std::string of_group(const Summary& summary, std::pair<size_t, size_t> group, bool name_group) {
  const std::string& metric = summary.main_metric();
  const SummaryRow* best = best_row(summary, group, metric);
  if (best == nullptr) return {};
  const std::string prefix =
      name_group ? fmt::format("{}: ", shown_text(best->group)) : std::string();
  const SummaryRow* second = best_row(summary, group, metric, best);
  if (second == nullptr) return prefix + alone(summary, *best);
  const Moments first = *summary.value(*best, metric);
  const Moments other = *summary.value(*second, metric);
  const double lead = 100 * (first.mean / other.mean - 1);
  std::string text = fmt::format("{}{} has the best {} ({}), {:.1f} % above {} ({}): {}.", prefix,
                                 shown_text(best->label), metric, value_text(first), lead,
                                 shown_text(second->label), value_text(other),
                                 significance(test_between(summary, *best, *second), summary));
  for (size_t r = group.first; r < group.second; ++r) {
    const SummaryRow& reference = summary.rows[r];
    if (!reference.is_reference || &reference == best || &reference == second) continue;
    if (const auto value = summary.value(reference, metric))
      text += fmt::format(" The reference {} is {:.1f} % below it: {}.",
                          shown_text(reference.label), 100 * (1 - value->mean / first.mean),
                          significance(test_between(summary, *best, reference), summary));
  }
  return text;
}

size_t most_runs(const Summary& summary) {
  size_t most = 0;
  for (const SummaryRow& row : summary.rows) most = std::max(most, row.runs.size());
  return most;
}

}  // namespace

std::string p_text(double p) {
  if (p < 1e-16) return "p < 1e-16";
  if (p < 1e-3) return fmt::format("p = {:.0e}", p);
  return fmt::format("p = {:.2g}", p);
}

std::string test_text(const SummaryTest& test) {
  const int digits = supported_digits({(test.interval.high - test.interval.low) / 4});
  std::string text =
      fmt::format("{} minus {}: {:.{}f}, 95 % interval {:.{}f} to {:.{}f}; {} over users",
                  shown_text(test.reference), shown_text(test.other), test.difference, digits,
                  test.interval.low, digits, test.interval.high, digits, p_text(test.p_users));
  if (test.p_seeds) text += fmt::format(", {} over seeds", p_text(*test.p_seeds));
  return text + " (Holm-corrected)";
}

const SummaryRow* best_row(const Summary& summary, std::pair<size_t, size_t> group,
                           const std::string& metric, const SummaryRow* except) {
  const SummaryRow* best = nullptr;
  double highest = 0;
  for (size_t r = group.first; r < group.second; ++r) {
    const SummaryRow& row = summary.rows[r];
    const auto value = summary.value(row, metric);
    if (&row == except || !value || std::isnan(value->mean)) continue;
    if (best != nullptr && value->mean <= highest) continue;
    best = &row;
    highest = value->mean;
  }
  return best;
}

std::string verdict_of(const DatasetsSummary& datasets) {
  std::string text;
  size_t told = 0;
  for (size_t d = 0; d < datasets.names.size(); ++d) {
    const Summary& part = datasets.parts[d];
    const auto groups = part.groups();
    for (const auto& group : groups) {
      const std::string sentence = of_group(part, group, groups.size() > 1);
      if (sentence.empty()) continue;
      if (told++ == kSentencesOnDatasets) return text + " The choice of datasets has the others.";
      text += fmt::format("{}On {}: {}", text.empty() ? "" : " ", shown_text(datasets.names[d]),
                          sentence);
    }
  }
  return text.empty() ? "Nothing was measured yet." : text;
}

std::string verdict_of(const Summary& summary) {
  if (summary.rows.empty())
    return summary.finished ? "The figures that follow come from divns reproduce."
                            : "Nothing was measured yet.";
  if (summary.rows.size() == 1) return alone(summary, summary.rows.front());
  const auto groups = summary.groups();
  std::string text;
  size_t told = 0;
  for (const auto& group : groups) {
    const std::string sentence = of_group(summary, group, groups.size() > 1);
    if (sentence.empty()) continue;
    if (told++ == kGroupsInVerdict) {
      text += " The table has the other groups.";
      break;
    }
    text += (text.empty() ? "" : " ") + sentence;
  }
  if (text.empty()) return "Nothing was measured yet.";
  const size_t seeds = most_runs(summary);
  text += fmt::format(" {} part, {} seed{}; compared: {} rows.",
                      summary.on_test ? "Test" : "Validation", seeds, seeds == 1 ? "" : "s",
                      summary.rows.size());
  return text;
}

}  // namespace divns
