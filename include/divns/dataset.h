// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "divns/interactions.h"

namespace divns {

// A prepared dataset, as `divns data prepare` and `divns data synth` write it: a folder that is
// memory-mapped, not parsed. Opening it verifies every hash but never touches the test part, which
// has its own door.
//
//   const divns::Dataset data = divns::Dataset::open("beauty");
//   for (uint32_t item : data.train().row(0)) std::puts(std::string(data.item_id(item)).c_str());
class Dataset {
 public:
  static Dataset open(const std::filesystem::path& folder);
  ~Dataset();
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;

  uint32_t users() const;
  uint32_t items() const;
  const Interactions& train() const;
  const Interactions& valid() const;

  // The owner's own names. Views stay good as long as the dataset lives.
  std::string_view user_id(uint32_t user) const;
  std::string_view item_id(uint32_t item) const;
  // The title given by --item-names, or empty.
  std::string_view item_name(uint32_t item) const;
  std::optional<uint32_t> find_user(std::string_view id) const;
  std::optional<uint32_t> find_item(std::string_view id) const;

  // Name of the content (32 hexadecimal digits): parts, ids and names, the sealed test part
  // included.
  const std::string& hash() const;
  const std::filesystem::path& folder() const;
  // How it was made and what it looks like, as JSON documents.
  const std::string& recipe_json() const;
  const std::string& statistics_json() const;

  // Opens the sealed test part: once, at the very end.
  class TestPart;
  TestPart open_test() const;

 private:
  struct Contents;
  explicit Dataset(std::unique_ptr<Contents> contents);
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
