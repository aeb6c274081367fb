// SPDX-License-Identifier: Apache-2.0
#include "divns/did_you_mean.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace divns {

size_t edit_distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  // Three rows of the table: two back (for swaps), one back, current.
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> above(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {above[j] + 1, row[j - 1] + 1, above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

namespace {

std::string_view last_part(std::string_view name) {
  return name.substr(name.rfind('.') + 1);
}

}  // namespace

std::string nearest_name(std::string_view given, std::span<const std::string> known) {
  const std::string* best = nullptr;
  size_t best_distance = std::max<size_t>(2, given.size() / 3) + 1;
  const auto lengths_differ = [&](std::string_view name) {  // at least as many edits are needed
    return std::max(given.size(), name.size()) - std::min(given.size(), name.size());
  };
  for (const std::string& name : known) {
    if (lengths_differ(name) >= best_distance) continue;
    const size_t distance = edit_distance(given, name);
    if (distance < best_distance) {
      best = &name;
      best_distance = distance;
    }
  }
  // Last parts are short, so fewer edits are allowed. At equal distance the whole name wins.
  if (given.find('.') == std::string_view::npos) {
    best_distance = std::min(best_distance, given.size() / 3 + 1);
    for (const std::string& name : known) {
      if (name.find('.') == std::string::npos || lengths_differ(last_part(name)) >= best_distance)
        continue;
      const size_t distance = edit_distance(given, last_part(name));
      if (distance < best_distance) {
        best = &name;
        best_distance = distance;
      }
    }
  }
  if (best != nullptr) return *best;
  if (given.size() < 3) return {};
  for (const std::string& name : known) {
    const bool part = name.find(given) != std::string::npos;
    if (part && (best == nullptr || name.size() < best->size())) best = &name;
  }
  return best == nullptr ? std::string() : *best;
}

std::string did_you_mean(std::string_view given, std::span<const std::string> known) {
  const std::string near = nearest_name(given, known);
  return near.empty() ? std::string() : " Did you mean '" + near + "'?";
}

}  // namespace divns
