// SPDX-License-Identifier: Apache-2.0
// What a training will take, computed before it starts.
#pragma once

#include <cstdint>
#include <string>

#include "divns/bytes.h"
#include "divns/dataset.h"
#include "divns/train.h"

namespace divns {

// Bytes are estimates for the largest rank; they leave out some 30 MB for the program itself.
struct TrainingPlan {
  uint64_t users = 0;
  uint64_t items = 0;
  uint64_t pairs = 0;
  uint32_t user_blocks = 1;
  uint32_t item_blocks = 1;
  int ranks = 1;
  uint64_t memory_limit = 0;  // 0: none

  uint64_t memory = 0;           // if blocks stay in memory
  uint64_t memory_on_disk = 0;   // if blocks wait on disk
  bool on_disk = false;          // what the memory limit leads to
  bool fits = true;              // into the memory limit
  uint64_t scratch = 0;          // bytes of disk, if on_disk
  uint64_t disk_per_epoch = 0;   // bytes read and written in an epoch, if on_disk
  uint64_t wire_per_epoch = 0;   // bytes that all ranks send in an epoch together
  double pairs_per_second = 0;   // measured now, on a sample of the pairs, by one rank
  double seconds_per_epoch = 0;  // of the computation; disk and network come on top
};

// Trains a sample for about a second to measure the rate, unless `measure` is false.
TrainingPlan plan_training(const Dataset& data, const TrainOptions& options, int ranks = 1,
                           bool measure = true);
std::string plan_text(const TrainingPlan& plan);

}  // namespace divns
