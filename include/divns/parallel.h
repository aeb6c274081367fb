// SPDX-License-Identifier: Apache-2.0
// Deterministic parallel loops. A loop over [0, n) is cut into chunks of `grain`, whatever the
// number of threads; idle threads steal chunks, and sums are folded in chunk order. So a result can
// depend on the grain but never on the threads. A chunk of a given number goes to the same thread
// in every loop, unless it is stolen, so what a loop leaves in the caches of a core is found there
// by the next one.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace divns {

class Executor {
 public:
  // 0 threads means one for each core. A schedule seed other than 0 visits the chunks in a shuffled
  // order: for tests.
  explicit Executor(int threads = 0, uint64_t schedule_seed = 0);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  int threads() const { return threads_; }

  // Once the flag is true, every loop of this executor throws Cancelled before its next chunk. The
  // flag must outlive the executor. Call this before the first loop.
  void cancel_on(const std::atomic<bool>* flag) { cancelled_ = flag; }
  // Throws Cancelled if the flag is true. For the bodies of loops whose chunks may take seconds.
  void stop_if_cancelled() const;

  // body(begin, end) for every chunk.
  template <class Body>
  void for_chunks(size_t n, size_t grain, Body&& body) const {
    for_chunks_with_worker(n, grain, [&](int, size_t begin, size_t end) { body(begin, end); });
  }

  // body(worker, begin, end); worker in [0, threads()) names the scratch that this call may use
  // alone.
  template <class Body>
  void for_chunks_with_worker(size_t n, size_t grain, Body&& body) const {
    if (n == 0) return;
    run((n + grain - 1) / grain, [&](int worker, size_t chunk) {
      const size_t begin = chunk * grain;
      body(worker, begin, std::min(n, begin + grain));
    });
  }

  // fold(fold(init, map(chunk 0)), map(chunk 1)), ...: maps run in parallel, folds in chunk order.
  template <class T, class Map, class Fold>
  T map_reduce(size_t n, size_t grain, T init, Map&& map, Fold&& fold) const {
    std::vector<T> parts(n == 0 ? 0 : (n + grain - 1) / grain);
    for_chunks(n, grain, [&](size_t begin, size_t end) { parts[begin / grain] = map(begin, end); });
    for (T& part : parts) init = fold(std::move(init), std::move(part));
    return init;
  }

  // body(worker, chunk) for chunk in [0, chunks). The first exception thrown is rethrown here.
  template <class Body>
  void run(size_t chunks, Body&& body) const {
    using Plain = std::remove_reference_t<Body>;
    run_erased(
        chunks,
        [](void* context, int worker, size_t chunk) {
          (*static_cast<Plain*>(context))(worker, chunk);
        },
        const_cast<void*>(static_cast<const void*>(&body)));
  }

 private:
  using Erased = void (*)(void* context, int worker, size_t chunk);
  void run_erased(size_t chunks, Erased body, void* context) const;

  struct Arena;
  int threads_;
  uint64_t schedule_seed_;
  const std::atomic<bool>* cancelled_ = nullptr;
  std::unique_ptr<Arena> arena_;
};

}  // namespace divns
