// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "divns/snapshot.h"
#include "divns/tensors.h"
#include "divns/train.h"
#include "divns/vectors.h"
#include "train/early_stopping.h"

namespace divns {

// A training that advances epoch by epoch. The same config and data give the same bits for any
// number of threads, and for a training that was saved, loaded and continued.
class EpochTrainer {
 public:
  virtual ~EpochTrainer() = default;

  // Runs the next epoch. `between_batches`, if set, is called with the share of the epoch that is
  // done. If it throws, the epoch is left unfinished, and the trainer can only load() a saved
  // state.
  virtual EpochReport run_epoch(const std::function<void(double)>& between_batches) = 0;
  virtual uint32_t epochs_done() const = 0;
  // What the sampler did for the recorded users in the epoch just done, if it is to be recorded.
  virtual std::vector<UserSnapshot> snapshots() const { return {}; }
  virtual bool finished() const = 0;
  virtual const EarlyStopping& early_stopping() const = 0;

  // Restores the best parameters (without validation: keeps the last) and returns the final
  // vectors, which are valid until the next call of the trainer. No epoch may follow.
  struct Vectors {
    VectorTable users;
    VectorTable items;
  };
  virtual Vectors finish() = 0;
  // After finish(): the parameters that the vectors come from. Where the vectors are the
  // parameters, the same tables.
  virtual Vectors parameters() = 0;

  // Between epochs only. What save() adds stays valid until the next call of the trainer. load()
  // expects a state of the same config and data.
  virtual void save(TensorWriter& out) = 0;
  virtual void load(const TensorReader& in) = 0;
};

}  // namespace divns
