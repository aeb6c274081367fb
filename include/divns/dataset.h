// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "divns/interactions.h"
#include "divns/prepare.h"
#include "divns/statistics.h"
#include "divns/synth.h"

namespace divns {

// A prepared dataset: a folder whose files are memory-mapped, not parsed. Users and items are
// numbered from 0; the dataset knows the original ids. Opening it verifies the hash of every file
// except the test part, which only open_test() reads.
//
//   const auto data = divns::Dataset::prepare({"ratings.csv"}, {.k_core = 5}, "ratings.divns");
//   for (uint32_t item : data.train().row(0)) std::cout << data.item_id(item) << '\n';
class Dataset {
 public:
  static Dataset open(const std::filesystem::path& folder);
  // Prepares files or pairs in memory (divns/prepare.h), then opens the result. Without `folder`
  // the dataset lives in a temporary folder that is removed with the object.
  static Dataset prepare(const std::vector<std::string>& files, const PrepareOptions& options = {},
                         const std::filesystem::path& folder = {});
  static Dataset from_pairs(const PairColumns& pairs, const PrepareOptions& options = {},
                            const std::filesystem::path& folder = {});
  // The caller's own split; `valid` and `test` may be empty.
  static Dataset from_parts(const PairColumns& train, const PairColumns& valid,
                            const PairColumns& test, const PrepareOptions& options = {},
                            const std::filesystem::path& folder = {});
  // Synthetic data with known preferences (divns/synth.h).
  static Dataset synthetic(const SynthOptions& options, const SplitOptions& split = {},
                           const std::filesystem::path& folder = {});
  ~Dataset();
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;

  uint32_t users() const;
  uint32_t items() const;
  const Interactions& train() const;
  const Interactions& valid() const;

  // Original ids. The views stay valid as long as the dataset lives.
  std::string_view user_id(uint32_t user) const;
  std::string_view item_id(uint32_t item) const;
  // The title given by --item-names, or empty.
  std::string_view item_name(uint32_t item) const;
  std::optional<uint32_t> find_user(std::string_view id) const;
  std::optional<uint32_t> find_item(std::string_view id) const;

  // Hash of the content (32 hexadecimal digits): the three parts and the ids.
  const std::string& hash() const;
  const std::filesystem::path& folder() const;
  // How the dataset was made, as a JSON document.
  const std::string& recipe_json() const;
  // Statistics of all parts, as they were computed when the dataset was prepared (JSON).
  const std::string& statistics_json() const;
  // The same, computed now. Reads the test part.
  DatasetStatistics statistics(const Executor& executor = Executor()) const;

  // Reads the test part. Call it once, for the final measurement.
  class TestPart;
  TestPart open_test() const;

 private:
  struct Contents;
  explicit Dataset(std::unique_ptr<Contents> contents);
  // Opens what write(path) wrote to `folder`, or to a temporary one.
  static Dataset make(const std::filesystem::path& folder,
                      const std::function<void(const std::filesystem::path&)>& write);
  std::unique_ptr<Contents> contents_;
};

class Dataset::TestPart {
 public:
  ~TestPart();
  TestPart(TestPart&&) noexcept;
  const Interactions& interactions() const;

 private:
  friend class Dataset;
  struct Contents;
  explicit TestPart(std::unique_ptr<Contents> contents);
  std::unique_ptr<Contents> contents_;
};

}  // namespace divns
