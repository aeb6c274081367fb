// SPDX-License-Identifier: Apache-2.0
#include "run/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"

namespace divns {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCheckpointFormat = "divns-checkpoint";
constexpr std::string_view kCheckpointVersion = "2";  // 1 had no hashes

// A config, cut into the number of epochs and the text around it.
struct CutConfig {
  explicit CutConfig(std::string_view config) {
    constexpr std::string_view kKey = "\nepochs = ";
    const size_t key = config.find(kKey);
    const size_t at = key == std::string_view::npos ? config.size() : key + kKey.size();
    const size_t end = std::min(config.find('\n', at), config.size());
    before = config.substr(0, at);
    after = config.substr(end);
    std::from_chars(config.data() + at, config.data() + end, epochs);
  }

  std::string_view before;
  std::string_view after;
  uint32_t epochs = 0;
};

}  // namespace

bool adds_epochs(std::string_view before, std::string_view after) {
  const CutConfig old(before);
  const CutConfig now(after);
  return old.before == now.before && old.after == now.after && old.epochs < now.epochs;
}

void write_checkpoint(const fs::path& path, TensorWriter& trainer,
                      const CheckpointIdentity& identity, const std::array<double, 5>& seconds,
                      const fs::path& events, uint64_t event_bytes) {
  const MappedFile log(events, Links::kRefuse);
  trainer.add("events", std::span<const uint64_t>(&event_bytes, 1));
  trainer.add("seconds", std::span<const double>(seconds));
  trainer.set_metadata("format", std::string(kCheckpointFormat));
  trainer.set_metadata("version", std::string(kCheckpointVersion));
  trainer.set_metadata("seed", std::to_string(identity.seed));
  trainer.set_metadata("config", identity.config);
  trainer.set_metadata("dataset_hash", identity.dataset_hash);
  trainer.set_metadata(
      "events_hash",
      hash128_hex(log.bytes().first(std::min<uint64_t>(event_bytes, log.bytes().size()))));
  trainer.set_metadata("content_hash", trainer.content_hash());
  trainer.write(path);
}

CheckpointFile::CheckpointFile(TensorReader tensors) : tensors_(std::move(tensors)) {
  const std::string& name = tensors_.file_name();
  if (!tensors_.has_metadata("format") || tensors_.metadata("format") != kCheckpointFormat)
    fail("{} is not a checkpoint of divns.", name);
  if (tensors_.metadata("version") != kCheckpointVersion)
    fail(
        "{} is a checkpoint of version {}; this program resumes version {}. Remove it to begin the "
        "run again, or use the program that wrote it.",
        name, tensors_.metadata("version"), kCheckpointVersion);
  if (tensors_.content_hash() != tensors_.metadata("content_hash"))
    fail(
        "{} is damaged: its content does not match the hash it carries. Remove it to begin the "
        "run again.",
        name);
  tensors_.read("events", std::span(&event_bytes_, 1));
  tensors_.read("seconds", std::span<double>(seconds_));
  for (double& value : seconds_)
    if (!std::isfinite(value)) fail("{} is damaged: its seconds are not numbers.", name);
}

CheckpointFile::CheckpointFile(const fs::path& path, const fs::path& events)
    : CheckpointFile(TensorReader(path, Links::kRefuse)) {
  const MappedFile log(events, Links::kRefuse);
  if (log.bytes().size() < event_bytes_ ||
      hash128_hex(log.bytes().first(event_bytes_)) != tensors_.metadata("events_hash"))
    fail("{} was changed after {} was written. Remove the checkpoint to begin the run again.",
         events.string(), tensors_.file_name());
}

void CheckpointFile::require_same_run(const CheckpointIdentity& identity) const {
  const std::string& name = tensors_.file_name();
  const auto require = [&](const char* key, const std::string& now, const char* what) {
    if (tensors_.metadata(key) == now) return;
    fail("{} belongs to a run with {}. Remove it to begin this run again.", name, what);
  };
  require("seed", std::to_string(identity.seed), "another seed");
  if (!adds_epochs(tensors_.metadata("config"), identity.config))
    require("config", identity.config, "other options");
  require("dataset_hash", identity.dataset_hash, "other data");
}

}  // namespace divns
