// SPDX-License-Identifier: Apache-2.0
#include "recommend/formats/hnsw.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "base/check.h"
#include "divns/interactions.h"
#include "divns/random.h"
#include "kernels/vectors.h"

namespace divns {
namespace {

constexpr uint32_t kHighestLevel = 31;

}  // namespace

// Which rows a search has seen. Marks of earlier searches count as not seen.
struct HnswGraph::Visits {
  explicit Visits(uint32_t rows) : marks(rows, 0) {}
  void start() { ++current; }
  bool first(uint32_t row) { return std::exchange(marks[row], current) != current; }

  std::vector<uint32_t> marks;
  uint32_t current = 0;
};

HnswGraph::HnswGraph(const VectorTable& rows, const HnswOptions& options)
    : rows_(rows), options_(options) {
  DIVNS_ASSERT(rows.rows > 0 && rows.stride % 8 == 0);
  if (options.m < 2 || options.m > 1024 || options.ef_construction < options.m)
    fail(
        "An HNSW graph needs from 2 to 1024 links per row, and ef_construction of at least as "
        "many; given are {} and {}.",
        options.m, options.ef_construction);
  draw_levels();
  Visits visits(rows.rows);
  for (uint32_t row = 1; row < rows.rows; ++row) insert(row, visits);
}

// The level of a row is floor(-ln(u) / ln(m)), u uniform in (0, 1].
void HnswGraph::draw_levels() {
  const Random random(options_.seed, "hnsw");
  const double scale = 1 / std::log(options_.m);
  offsets_.push_back(0);
  for (uint32_t row = 0; row < rows_.rows; ++row) {
    const double level = -std::log(1 - random.draws(row).uniform()) * scale;
    levels_.push_back(static_cast<uint32_t>(std::min<double>(level, kHighestLevel)));
    offsets_.push_back(offsets_.back() + slots(0) + uint64_t{levels_.back()} * options_.m);
  }
  places_.assign(offsets_.back(), kNoItem);
}

uint64_t HnswGraph::first_place(uint32_t row, uint32_t level) const {
  return offsets_[row] + (level == 0 ? 0 : slots(0) + uint64_t{level - 1} * options_.m);
}

std::span<const uint32_t> HnswGraph::places(uint32_t row, uint32_t level) const {
  return std::span(places_).subspan(first_place(row, level), slots(level));
}

void HnswGraph::set_places(uint32_t row, uint32_t level, std::span<const uint32_t> links) {
  uint32_t* place = &places_[first_place(row, level)];
  std::fill_n(std::copy(links.begin(), links.end(), place), slots(level) - links.size(), kNoItem);
}

float HnswGraph::score(const float* query, uint32_t row) const {
  return dot(query, rows_.row(row), rows_.stride);
}

// Follows the best link of each level from the top down to the level above `to_level`.
HnswGraph::Scored HnswGraph::descend(const float* query, uint32_t to_level) const {
  Scored best = {score(query, entry_), entry_};
  for (uint32_t level = top_level(); level > to_level; --level) {
    for (bool moved = true; moved;) {
      moved = false;
      for (const uint32_t row : places(best.row, level)) {
        if (row == kNoItem) break;
        const float found = score(query, row);
        if (found <= best.score) continue;
        best = {found, row};
        moved = true;
      }
    }
  }
  return best;
}

// Best first. Looks at the links of the best row not looked at yet, until none of the `ef` best
// rows is left.
std::vector<HnswGraph::Scored> HnswGraph::search_level(const float* query, Scored start,
                                                       uint32_t ef, uint32_t level,
                                                       Visits& visits) const {
  const auto worse = [](const Scored& a, const Scored& b) {
    return a.score < b.score || (a.score == b.score && a.row > b.row);
  };
  const auto better = [&](const Scored& a, const Scored& b) { return worse(b, a); };
  std::priority_queue<Scored, std::vector<Scored>, decltype(worse)> open(worse);     // best on top
  std::priority_queue<Scored, std::vector<Scored>, decltype(better)> found(better);  // worst on top
  visits.start();
  visits.first(start.row);
  open.push(start);
  found.push(start);
  while (!open.empty()) {
    const Scored next = open.top();
    open.pop();
    if (found.size() == ef && next.score < found.top().score) break;
    for (const uint32_t row : places(next.row, level)) {
      if (row == kNoItem) break;
      if (!visits.first(row)) continue;
      const Scored scored = {score(query, row), row};
      if (found.size() == ef && !worse(found.top(), scored)) continue;
      open.push(scored);
      found.push(scored);
      if (found.size() > ef) found.pop();
    }
  }
  std::vector<Scored> result(found.size());
  for (size_t i = result.size(); i-- > 0; found.pop()) result[i] = found.top();
  return result;
}

// From candidates, best first, those that are nearer to the row itself than to every one chosen
// before: links in different directions.
std::vector<uint32_t> HnswGraph::choose(const std::vector<Scored>& candidates,
                                        uint32_t most) const {
  std::vector<uint32_t> chosen;
  for (const Scored& candidate : candidates) {
    if (chosen.size() == most) break;
    const float* vector = rows_.row(candidate.row);
    if (std::all_of(chosen.begin(), chosen.end(),
                    [&](uint32_t other) { return score(vector, other) < candidate.score; }))
      chosen.push_back(candidate.row);
  }
  return chosen;
}

void HnswGraph::link_back(uint32_t from, uint32_t to, uint32_t level) {
  std::vector<uint32_t> links;
  for (const uint32_t row : places(from, level))
    if (row != kNoItem) links.push_back(row);
  links.push_back(to);
  if (links.size() > slots(level)) {
    std::vector<Scored> scored;
    for (const uint32_t row : links) scored.push_back({score(rows_.row(from), row), row});
    std::sort(scored.begin(), scored.end(), [](const Scored& a, const Scored& b) {
      return a.score > b.score || (a.score == b.score && a.row < b.row);
    });
    links = choose(scored, slots(level));
  }
  set_places(from, level, links);
}

void HnswGraph::insert(uint32_t row, Visits& visits) {
  const float* vector = rows_.row(row);
  const uint32_t top = top_level();
  Scored start = descend(vector, std::min(levels_[row], top));
  for (uint32_t level = std::min(levels_[row], top) + 1; level-- > 0;) {
    const std::vector<Scored> near =
        search_level(vector, start, options_.ef_construction, level, visits);
    const std::vector<uint32_t> links = choose(near, options_.m);
    set_places(row, level, links);
    for (const uint32_t other : links) link_back(other, row, level);
    start = near.front();
  }
  if (levels_[row] > top) entry_ = row;
}

std::vector<uint32_t> HnswGraph::search(const float* query, uint32_t k, uint32_t ef) const {
  Visits visits(rows_.rows);
  std::vector<uint32_t> rows;
  for (const Scored& found : search_level(query, descend(query, 0), std::max(ef, k), 0, visits)) {
    if (rows.size() == k) break;
    rows.push_back(found.row);
  }
  return rows;
}

}  // namespace divns
