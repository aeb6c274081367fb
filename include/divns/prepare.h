// SPDX-License-Identifier: Apache-2.0
// From files, or from pairs in memory, to a prepared dataset: read, filter, split, write.
//
//   divns::PrepareOptions options;
//   options.min_rating = 4;
//   options.k_core = 5;
//   divns::prepare_dataset({"ratings.csv"}, "ratings.divns", options);
//
// Dataset::prepare and Dataset::from_pairs do the same and open the result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "divns/options.h"
#include "divns/parallel.h"
#include "divns/split.h"

namespace divns {

// How the input files are read. An empty field is determined from the file.
struct LayoutRequest {
  std::string format = "auto";
  std::string delimiter;
  std::string user_column;  // name in the header or JSON key, or a number counted from 1
  std::string item_column;
  std::string rating_column;
  std::string time_column;
};

// The text encoding of the input files.
enum class Encoding {
  kAuto,  // UTF-8; other encodings are detected and refused
  kUtf8,
  kLatin1,  // with the additions of Windows-1252
  kUtf16,
};

struct PrepareOptions {
  LayoutRequest layout;
  Encoding encoding = Encoding::kAuto;
  std::optional<double> min_rating;
  std::string since;
  std::string until;
  int k_core = 0;
  int user_core = 0;
  int item_core = 0;
  SplitOptions split;
  uint64_t seed = 1;
  std::string valid_file;
  std::string test_file;
  double valid_share = 0;  // share of the training pairs to cut off for validation, with test_file
  std::string item_names;
  std::string item_name_column;
  std::string memory_limit;  // such as "2G"; beyond it, pairs wait on disk. Empty: half of the
                             // machine's memory
  std::string scratch;       // folder for pairs on disk; empty: the folder for temporary files
  bool overwrite = false;

  void declare(Options& options);
  // Sets an option by its name, as `divns data prepare --help` lists them: set("k_core", "5").
  void set(std::string_view name, std::string_view text);
};

// One step of the preparation.
struct PrepareStep {
  std::string what;
  uint64_t pairs = 0;  // left after the step
  uint64_t users = 0;
  uint64_t items = 0;
  uint64_t removed = 0;  // pairs that the step removed
};

struct PrepareReport {
  std::vector<PrepareStep> steps;
  std::string format;  // how the first file was read, in words
  uint64_t train = 0, valid = 0, test = 0;
  uint64_t leaks = 0;  // pairs that occur in two parts
  std::vector<std::string> leak_examples;
  size_t titles = 0;
  std::string hash;
  std::string statistics_json;
  uint64_t scratch_bytes = 0;  // the most disk space that pairs beyond the memory limit took
};

// A column of original ids.
using IdColumnView = std::variant<std::span<const int64_t>, std::span<const std::string>,
                                  std::span<const std::string_view>>;

// Interactions as columns of equal length; entry n of each column belongs to pair n. Pairs may
// repeat and come in any order. A view: the columns must outlive the call.
struct PairColumns {
  IdColumnView users;
  IdColumnView items;
  std::span<const double> ratings = {};  // optional, finite
  std::span<const int64_t> times = {};   // optional, in any unit

  size_t size() const;
};

// Reads the files, filters, splits and writes the folder `output`, whole or not at all. With
// valid_file or test_file, all `inputs` are the training part. The files are read at the same time;
// the result depends neither on that nor on the memory limit.
PrepareReport prepare_dataset(const std::vector<std::string>& inputs,
                              const std::filesystem::path& output,
                              const PrepareOptions& options = {},
                              const Executor& executor = Executor());

// The same for pairs in memory. Options about files (format, columns, valid_file, test_file) do not
// apply and are refused if they are set.
PrepareReport prepare_dataset(const PairColumns& pairs, const std::filesystem::path& output,
                              const PrepareOptions& options = {},
                              const Executor& executor = Executor());

// Pairs in memory with the caller's own split; `valid` and `test` may be empty.
PrepareReport prepare_dataset(const PairColumns& train, const PairColumns& valid,
                              const PairColumns& test, const std::filesystem::path& output,
                              const PrepareOptions& options = {},
                              const Executor& executor = Executor());

// What was done, as a table for a terminal and as a JSON document.
std::string prepare_text(const PrepareReport& report, const std::filesystem::path& output,
                         double seconds);
std::string prepare_json(const PrepareReport& report, const std::filesystem::path& output,
                         double seconds);

}  // namespace divns
