// SPDX-License-Identifier: Apache-2.0
// Choosing k diverse items: the k-DPP with kernel K_ij = q_i q_j v_i.v_j (+ jitter on the diagonal)
// over item vectors v and qualities q. K is never formed.
//
//   const divns::VectorTable items{vectors.data(), 1000, 64, 64};
//   const divns::DppSelection chosen = divns::dpp_greedy(items, {}, 20);
//   for (uint32_t row : chosen.items) use(row);
//
// docs/dpp.md derives the algorithms and shows how fast they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "divns/vectors.h"

namespace divns {

class Executor;  // divns/parallel.h
class Options;   // divns/options.h

// Greedy forms; all choose the same items.
enum class DppAlgorithm {
  kAuto,     // by a measured rule on the sizes
  kUpdates,  // every gain kept fresh in float64
  kLazy,     // float32 bounds, float64 where they decide
  kCholesky  // incremental Cholesky: for few, small sets
};

// K has rank <= dim, and det K_S = 0 for a larger S. What to do about k beyond the rank:
enum class RankPolicy {
  kJitter,  // K + jitter I: go on, always with the item that the set covers worst
  kRounds,  // begin again among the items that are left, as often as it takes
  kStop     // return fewer than k items
};

enum class DppMethod {
  kGreedy,  // the set that grows by the item with the largest gain in log det
  kExact    // a random set, P(S) proportional to det K_S
};

struct DppConfig {
  DppMethod method = DppMethod::kGreedy;
  double jitter = 1e-6;
  RankPolicy rank_policy = RankPolicy::kJitter;
  DppAlgorithm algorithm = DppAlgorithm::kAuto;
  // Use v/|v|. A zero vector stays zero and has quality 1.
  bool normalize = true;
  // Upper limit of qualities that follow from other items (DppSets::against). By Equation 2 they
  // reach 2.
  double largest_quality = 2;

  void declare(Options& options);
};

struct DppSelection {
  std::vector<uint32_t> items;  // rows of the table, in the order in which they were chosen
  // det K_{S+i} / det K_S of each item as it was chosen; their logarithms add up to log_det.
  std::vector<double> gains;
  double log_det = 0;
};

// Equation 2 of the DivNS paper: q_a = 1 - (1/|H|) sum_{h in H} cos(v_a, v_h), one for each row of
// `vectors`, H the rows of `against` (repeated rows count repeatedly). All 1 if H is empty, never
// below 0, up to 2 for vectors that point away from H. Rows of length zero have q = 1.
std::vector<double> dpp_penalty(const VectorTable& vectors, const VectorTable& against);

// The greedy choice of min(k, rows) rows. `quality` has one value >= 0 for each row, or is empty
// for all 1. Equal gains go to the lower row.
DppSelection dpp_greedy(const VectorTable& vectors, std::span<const double> quality, size_t k,
                        const DppConfig& config = {});

// One draw of the k-DPP. Under kJitter of that of K + jitter I, for any k <= rows. Otherwise of K
// itself: where k is beyond the rank, kStop draws only as many as the rank and kRounds draws again
// among what is left.
DppSelection dpp_exact(const VectorTable& vectors, std::span<const double> quality, size_t k,
                       uint64_t seed, const DppConfig& config = {});

// The same two for a kernel given as a symmetric positive semidefinite matrix, n x n, row after
// row: O(n^2 k) and O(n^3), for small problems. Jitter and the rank policies kJitter and kStop mean
// what they mean above.
DppSelection dpp_greedy_dense(std::span<const double> kernel, size_t n, size_t k,
                              const DppConfig& config = {});
DppSelection dpp_exact_dense(std::span<const double> kernel, size_t n, size_t k, uint64_t seed,
                             const DppConfig& config = {});

// The k-DPP of such a matrix, which must outlive it, taken apart once for many draws: O(n^3), then
// O(n k^2) a draw. dpp_exact_dense is one of them.
class DenseKdpp {
 public:
  DenseKdpp(std::span<const double> kernel, size_t n, const DppConfig& config = {});

  DppSelection draw(size_t k, uint64_t seed) const;

 private:
  std::span<const double> kernel_;
  size_t n_;
  double jitter_;
  size_t rank_ = 0;
  std::vector<double> eigenvalues_;
  std::vector<double> eigenvectors_;  // n x n, one per row
};

// Many small problems over one table of vectors. Set s chooses sizes[s] of its candidates against
// its H; lists are compressed rows (offsets has one more entry than there are sets).
struct DppSets {
  std::span<const uint64_t> candidate_offsets;
  std::span<const uint32_t>
      candidates;  // distinct within a set; equal gains go to the first listed
  std::span<const uint64_t> against_offsets;  // empty: no penalty, q = 1
  std::span<const uint32_t> against;          // repeats count
  std::span<const uint32_t> sizes;

  size_t count() const { return sizes.size(); }
};

// Chooses for all sets, in parallel. Keeps its scratch, so that later greedy calls of similar size
// allocate nothing. The result does not depend on the number of threads.
class DppSelector {
 public:
  // 0 threads: one for each core.
  explicit DppSelector(const DppConfig& config = {}, int threads = 0);
  // Runs on an executor that must outlive the selector.
  DppSelector(const DppConfig& config, const Executor& executor);
  ~DppSelector();
  DppSelector(DppSelector&&) noexcept;
  DppSelector& operator=(DppSelector&&) noexcept;

  // Set s writes its choice, as ids, to chosen[sizes[0] + ... + sizes[s-1], ...) and its number to
  // counts[s]: min(sizes[s], number of candidates), or fewer where the rank policy stops. The rest
  // of its place is left as it was. The exact method draws with (seed, epoch, s).
  void select(const VectorTable& vectors, const DppSets& sets, std::span<uint32_t> chosen,
              std::span<uint32_t> counts, uint64_t seed = 0, uint32_t epoch = 0);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// K_ij = q_i q_j exp(-|x_i - x_j|^2 / (2 bandwidth^2)), n x n, row by row, for the dense functions
// above. Bandwidth 0 stands for half the median distance; an empty `quality` for all 1.
std::vector<double> gaussian_kernel(const VectorTable& points, std::span<const double> quality,
                                    double bandwidth);

// A matrix of numbers that was read from a file.
struct FloatMatrix {
  size_t rows = 0;
  size_t columns = 0;
  std::vector<float> values;  // row by row

  VectorTable view() const {
    const auto width = static_cast<uint32_t>(columns);
    return {values.data(), static_cast<uint32_t>(rows), width, width};
  }
};

// Reads a .npy file (recognised by its first bytes), or text with one row per line and numbers
// separated by commas, semicolons, tabs or spaces. A first line that is not numbers is taken as
// column names.
FloatMatrix load_matrix(const std::filesystem::path& path);

// Clusters of unequal size in the plane: uniform draws favour the large ones.
struct ToyClusters {
  static constexpr int kGroups = 6;
  std::vector<float> values;  // x and y of each point
  std::vector<int> groups;    // by point

  VectorTable points() const { return {values.data(), static_cast<uint32_t>(groups.size()), 2, 2}; }
};

ToyClusters make_toy_clusters(uint64_t seed);

struct DppPicture {
  std::string title = "k-DPP";   // of the panel with the choice
  std::vector<int> groups = {};  // colour of each row; empty: one colour
  uint64_t seed = 1;             // of the uniform choice beside it
};

// An SVG with the rows in two dimensions, twice: a uniform choice of rows, and `chosen`.
void write_dpp_picture(const std::filesystem::path& path, const VectorTable& vectors,
                       std::span<const uint32_t> chosen, const DppPicture& picture = {});

}  // namespace divns
