// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "divns/recommend.h"
#include "divns/saved_run.h"
#include "divns/serve.h"

namespace divns {

// A model that requests are answered with, and what was prepared for it. It never changes: requests
// that began with it keep it until they are answered.
struct ServedModel {
  SavedRun run;
  std::shared_ptr<const Dataset> data;  // null if nothing is left out because it was seen
  Recommender recommender;
  uint64_t generation = 0;  // 1 for the first model
};

// The model in use, and the thread that replaces it.
class ModelSlot {
 public:
  // Loads the first model. Throws Error.
  explicit ModelSlot(const ServeOptions& options);
  ~ModelSlot();
  ModelSlot(const ModelSlot&) = delete;
  ModelSlot& operator=(const ModelSlot&) = delete;

  std::shared_ptr<const ServedModel> current() const;
  // Asks for a reload, without waiting for it.
  void reload();

  size_t reloads() const { return reloads_; }
  size_t failures() const { return failures_; }

 private:
  std::shared_ptr<const ServedModel> load(uint64_t generation) const;
  void watch();
  void load_next();

  const ServeOptions& options_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<const ServedModel> current_;
  std::string mark_;  // of the file that was loaded, or that could not be
  bool wanted_ = false;
  bool stopping_ = false;
  std::atomic<size_t> reloads_ = 0;
  std::atomic<size_t> failures_ = 0;
  std::jthread watcher_;
};

}  // namespace divns
