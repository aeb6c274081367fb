// SPDX-License-Identifier: Apache-2.0
// checkpoint.safetensors: the state of a training between two epochs. It carries a hash of all it
// holds and says which run it belongs to, so a damaged file and one of another run are refused.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "divns/tensors.h"

namespace divns {

inline constexpr std::string_view kCheckpointName = "checkpoint.safetensors";
inline constexpr std::string_view kEventsName = "events.jsonl";

// Whether two configs differ in nothing but the number of epochs, which is larger in `after`.
bool adds_epochs(std::string_view before, std::string_view after);

struct CheckpointIdentity {
  uint64_t seed = 0;
  std::string config;  // resolved options, as TOML
  std::string dataset_hash;
};

// Adds its own tensors and metadata to those of the trainer and writes the file. `events` is the
// log whose first `event_bytes` bytes belong to the state.
void write_checkpoint(const std::filesystem::path& path, TensorWriter& trainer,
                      const CheckpointIdentity& identity, const std::array<double, 5>& seconds,
                      const std::filesystem::path& events, uint64_t event_bytes);

class CheckpointFile {
 public:
  // Throws Error where the file is damaged, or the log is not the one that it was written with.
  CheckpointFile(const std::filesystem::path& path, const std::filesystem::path& events);
  // The same without a look at the log, on bytes that are in memory.
  explicit CheckpointFile(TensorReader tensors);

  const TensorReader& tensors() const { return tensors_; }
  uint64_t event_bytes() const { return event_bytes_; }
  // Of all epochs so far: sampling, propagation, gradient, optimiser, evaluation.
  const std::array<double, 5>& seconds() const { return seconds_; }

  // Throws Error if it was written by a run with another seed, other options or other data. It may
  // be asked for fewer epochs.
  void require_same_run(const CheckpointIdentity& identity) const;

 private:
  TensorReader tensors_;
  uint64_t event_bytes_ = 0;
  std::array<double, 5> seconds_ = {};
};

}  // namespace divns
