// SPDX-License-Identifier: Apache-2.0
// A prepared dataset of a few hundred pairs, and runs on it that take milliseconds.
#pragma once

#include <filesystem>
#include <string>

#include "divns/dataset.h"
#include "divns/parallel.h"
#include "study/run_spec.h"
#include "support/temp_folder.h"
#include "synth/dataset_folder.h"

namespace divns::testing {

struct SmallData {
  TempFolder folder;

  SmallData() {
    SynthOptions options;
    options.users = 90;
    options.items = 70;
    options.pairs = 1500;
    options.clusters = 6;
    const Executor executor(1);
    write_synth_dataset(generate_synth(options, executor), "{}", path(), {.seed = 1}, false,
                        executor);
  }
  std::filesystem::path path() const { return folder.path() / "data"; }
  Dataset open() const { return Dataset::open(path()); }
  // What is not there cannot be opened.
  void remove_test_part() const { std::filesystem::remove(path() / "test.bin"); }
  std::filesystem::path file(const std::string& name) const { return folder.path() / name; }
};

// Short and small.
inline Settings quick_settings() {
  return {{"epochs", "6"},
          {"embedding_dim", "8"},
          {"batch_size", "256"},
          {"eval_every", "2"},
          {"learning_rate", "0.01"}};
}

}  // namespace divns::testing
