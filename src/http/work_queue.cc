// SPDX-License-Identifier: Apache-2.0
#include "http/work_queue.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "base/check.h"

namespace divns::http {

size_t WorkQueue::add(std::span<Task> tasks) {
  size_t taken = 0;
  {
    const std::lock_guard lock(mutex_);
    taken = std::min(tasks.size(), most_ - tasks_.size());
    for (Task& task : tasks.first(taken)) tasks_.push_back(std::move(task));
  }
  if (taken == 1) filled_.notify_one();
  if (taken > 1) filled_.notify_all();
  return taken;
}

std::vector<Task> WorkQueue::take(size_t workers, size_t most) {
  std::unique_lock lock(mutex_);
  filled_.wait(lock, [&] { return closed_ || !tasks_.empty(); });
  const size_t share = std::min(most, (tasks_.size() + workers - 1) / workers);
  std::vector<Task> taken;
  taken.reserve(share);
  for (size_t i = 0; i < share; ++i) {
    taken.push_back(std::move(tasks_.front()));
    tasks_.pop_front();
  }
  return taken;
}

void WorkQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  filled_.notify_all();
}

Mailbox::Mailbox() : event_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (event_.get() < 0) fail_by_system(errno, "an event descriptor cannot be opened");
}

void Mailbox::add(std::vector<Done> done) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = content_.done.empty();
    std::move(done.begin(), done.end(), std::back_inserter(content_.done));
  }
  if (first) wake();
}

void Mailbox::add_event(std::string text) {
  {
    const std::lock_guard lock(mutex_);
    if (content_.events.size() == kMostEvents) content_.events.pop_front();
    content_.events.push_back(std::move(text));
  }
  wake();
}

void Mailbox::wake() {
  const uint64_t one = 1;
  // A full counter has woken the reader already.
  [[maybe_unused]] const ssize_t written = ::write(event_.get(), &one, sizeof one);
}

Mailbox::Content Mailbox::fetch() {
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(event_.get(), &count, sizeof count);
  const std::lock_guard lock(mutex_);
  return std::exchange(content_, {});
}

}  // namespace divns::http
