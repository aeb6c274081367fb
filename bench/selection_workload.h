// SPDX-License-Identifier: Apache-2.0
// A DivNS selection as in training: per user the cache of one epoch, the hard negatives of the
// next, and k = number of the user's training positives.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/byte_source.h"
#include "divns/aligned.h"
#include "divns/dpp.h"
#include "divns/random.h"

namespace divns::bench {

struct SelectionWorkload {
  uint32_t dim = 64;
  uint32_t items = 0;
  AlignedVector<float> vectors;  // items x dim
  std::vector<uint64_t> candidate_offsets;
  std::vector<uint32_t> candidates;
  std::vector<uint64_t> against_offsets;
  std::vector<uint32_t> against;
  std::vector<uint32_t> sizes;

  VectorTable table() const { return {vectors.data(), items, dim, dim}; }
  DppSets sets() const { return {candidate_offsets, candidates, against_offsets, against, sizes}; }
};

struct Pair {
  uint32_t user, item;
};

inline std::vector<Pair> read_pairs(const std::string& path) {
  const auto source = ByteSource::open(path);
  std::string text;
  std::array<char, 65536> block;
  while (const size_t got = source->read(block.data(), block.size()))
    text.append(block.data(), got);
  std::vector<Pair> pairs;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    Pair pair{};
    at = std::from_chars(at, end, pair.user).ptr + 1;
    at = std::from_chars(at, end, pair.item).ptr;
    at = std::find(at, end, '\n') + 1;
    pairs.push_back(pair);
  }
  return pairs;
}

inline float dot(const float* a, const float* b, uint32_t dim) {
  float sum = 0;
  for (uint32_t c = 0; c < dim; ++c) sum += a[c] * b[c];
  return sum;
}

class Factoriser {
 public:
  Factoriser(std::vector<Pair> train, uint32_t users, uint32_t items, uint32_t dim, uint64_t seed)
      : train_(std::move(train)), items_(items), dim_(dim), random_(seed, "bench.bpr") {
    Draws draws = random_.draws(1);
    user_.resize(size_t{users} * dim);
    item_.resize(size_t{items} * dim);
    for (float& x : user_) x = static_cast<float>(0.1 * draws.normal());
    for (float& x : item_) x = static_cast<float>(0.1 * draws.normal());
    positives_.resize(users);
    for (const Pair& pair : train_) positives_[pair.user].push_back(pair.item);
    for (auto& list : positives_) std::sort(list.begin(), list.end());
  }

  void pass(int epoch) {
    constexpr float kRate = 0.05F, kDecay = 0.002F;
    Draws draws = random_.draws(2, static_cast<uint32_t>(epoch));
    shuffle(draws, std::span(train_));
    for (const Pair& pair : train_) {
      float* const u = &user_[size_t{pair.user} * dim_];
      float* const p = &item_[size_t{pair.item} * dim_];
      float* const q = &item_[size_t{negative(draws, pair.user)} * dim_];
      const float slope = 1 / (1 + std::exp(dot(u, p, dim_) - dot(u, q, dim_)));
      for (uint32_t c = 0; c < dim_; ++c) {
        const float up = slope * (p[c] - q[c]) - kDecay * u[c];
        const float pp = slope * u[c] - kDecay * p[c];
        const float qp = -slope * u[c] - kDecay * q[c];
        u[c] += kRate * up;
        p[c] += kRate * pp;
        q[c] += kRate * qp;
      }
    }
  }

  uint32_t negative(Draws& draws, uint32_t user) const {
    const auto& mine = positives_[user];
    while (true) {
      const uint32_t item = draws.below(items_);
      if (!std::binary_search(mine.begin(), mine.end(), item)) return item;
    }
  }

  // n distinct negatives, best score first.
  void ranked(Draws& draws, uint32_t user, uint32_t n,
              std::vector<std::pair<float, uint32_t>>& out) {
    out.clear();
    while (out.size() < n) {
      const uint32_t item = negative(draws, user);
      if (std::any_of(out.begin(), out.end(), [&](auto& p) { return p.second == item; })) continue;
      out.emplace_back(-dot(&user_[size_t{user} * dim_], &item_[size_t{item} * dim_], dim_), item);
    }
    std::sort(out.begin(), out.end());
  }

  const std::vector<std::vector<uint32_t>>& positives() const { return positives_; }
  const std::vector<float>& item_vectors() const { return item_; }

 private:
  std::vector<Pair> train_;
  uint32_t items_;
  uint32_t dim_;
  Random random_;
  std::vector<float> user_, item_;
  std::vector<std::vector<uint32_t>> positives_;
};

// `path`: user<TAB>item lines, gzip. A 70 % sample of the pairs trains item vectors by matrix
// factorisation (BPR, plain stochastic gradient, `epochs` passes); the rest is dropped. For each
// positive, n candidates are drawn and ranked by the user's scores: the first is the hard negative,
// the next m go to the cache.
inline SelectionWorkload make_selection_workload(const std::string& path, uint32_t n, uint32_t m,
                                                 int epochs, uint64_t seed) {
  std::vector<Pair> pairs = read_pairs(path);
  uint32_t users = 0;
  SelectionWorkload work;
  for (const Pair& pair : pairs) {
    users = std::max(users, pair.user + 1);
    work.items = std::max(work.items, pair.item + 1);
  }
  Draws split = Random(seed, "bench.split").draws();
  std::erase_if(pairs, [&](const Pair&) { return split.uniform() >= 0.7; });
  Factoriser model(std::move(pairs), users, work.items, work.dim, seed);
  for (int epoch = 0; epoch < epochs; ++epoch) model.pass(epoch);
  work.vectors.assign(model.item_vectors().begin(), model.item_vectors().end());

  const Random random(seed, "bench.candidates");
  work.candidate_offsets = {0};
  work.against_offsets = {0};
  std::vector<std::pair<float, uint32_t>> list;
  for (uint32_t user = 0; user < users; ++user) {
    const auto& mine = model.positives()[user];
    std::vector<uint32_t> cache, hard;
    for (uint32_t p = 0; p < mine.size(); ++p) {
      Draws before = random.draws(0, user, p), after = random.draws(1, user, p);
      model.ranked(before, user, n, list);
      for (uint32_t r = 1; r <= m; ++r) cache.push_back(list[r].second);
      model.ranked(after, user, n, list);
      hard.push_back(list[0].second);
    }
    std::sort(cache.begin(), cache.end());
    cache.erase(std::unique(cache.begin(), cache.end()), cache.end());
    std::erase_if(cache,
                  [&](uint32_t i) { return std::find(hard.begin(), hard.end(), i) != hard.end(); });
    work.candidates.insert(work.candidates.end(), cache.begin(), cache.end());
    work.candidate_offsets.push_back(work.candidates.size());
    work.against.insert(work.against.end(), hard.begin(), hard.end());
    work.against_offsets.push_back(work.against.size());
    work.sizes.push_back(static_cast<uint32_t>(mine.size()));
  }
  return work;
}

}  // namespace divns::bench
