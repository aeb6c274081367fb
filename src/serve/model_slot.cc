// SPDX-License-Identifier: Apache-2.0
#include "serve/model_slot.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>

#include "base/log.h"
#include "io/model_file.h"

namespace divns {
namespace fs = std::filesystem;
namespace {

// Tells one version of a model file from the next one: the file behind all links, its number, size
// and time. Empty while there is none.
std::string file_mark(const fs::path& run) {
  std::error_code error;
  const fs::path path = fs::is_directory(run, error) ? run / kModelFileName : run;
  const fs::path real = fs::canonical(path, error);
  struct stat status = {};
  if (error || ::stat(real.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {} {} {}.{}", real.string(), status.st_dev, status.st_ino,
                     status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

}  // namespace

ModelSlot::ModelSlot(const ServeOptions& options)
    : options_(options), mark_(file_mark(options.run)) {
  current_ = load(1);
  watcher_ = std::jthread([this] { watch(); });
}

ModelSlot::~ModelSlot() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
}

std::shared_ptr<const ServedModel> ModelSlot::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void ModelSlot::reload() {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = true;
  }
  wake_.notify_all();
}

std::shared_ptr<const ServedModel> ModelSlot::load(uint64_t generation) const {
  // Links are resolved once, so that model and run.json are those of one run even if a link is
  // changed meanwhile.
  std::error_code error;
  const fs::path real = fs::canonical(options_.run, error);
  SavedRun run = open_run(error ? options_.run : real);
  std::shared_ptr<const Dataset> data;
  if (!options_.keep_seen) {
    const auto old = current();
    if (old && old->data && old->data->hash() == run.model.dataset_hash())
      data = old->data;
    else
      data = std::make_shared<const Dataset>(run.open_dataset(options_.data));
  }
  Recommender recommender(run.model, options_.fold_in, options_.threads);
  return std::make_shared<const ServedModel>(
      ServedModel{std::move(run), std::move(data), std::move(recommender), generation});
}

void ModelSlot::load_next() {
  try {
    auto next = load(current()->generation + 1);
    log_info(fmt::format("model {} is in use: {}", next->generation, next->run.given.string()));
    const std::lock_guard lock(mutex_);
    current_ = std::move(next);
    ++reloads_;
  } catch (const std::exception& problem) {
    ++failures_;
    log_warning(fmt::format("the new model cannot be loaded, the old one stays in use: {}",
                            problem.what()));
  }
}

void ModelSlot::watch() {
  const bool looks = options_.watch_seconds > 0;
  const auto pause = std::chrono::duration<double>(looks ? options_.watch_seconds : 3600.0);
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    wake_.wait_for(lock, pause, [&] { return stopping_ || wanted_; });
    if (stopping_) return;
    const bool asked = std::exchange(wanted_, false);
    lock.unlock();
    const std::string mark = file_mark(options_.run);
    const bool changed = looks && !mark.empty() && mark != mark_;
    if (asked || changed) {
      mark_ = mark;
      load_next();
    }
    lock.lock();
  }
}

}  // namespace divns
