// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <numeric>
#include <span>

#include "base/random.h"

// oneTBB's library is not instrumented, so ThreadSanitizer cannot see that it orders the chunks
// after the caller's writes and the caller's reads after the chunks. All parallel work passes here:
// tell it so.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#define DIVNS_TSAN_ACQUIRE(address) __tsan_acquire(address)
#define DIVNS_TSAN_RELEASE(address) __tsan_release(address)
#else
#define DIVNS_TSAN_ACQUIRE(address) static_cast<void>(address)
#define DIVNS_TSAN_RELEASE(address) static_cast<void>(address)
#endif

namespace divns {

struct Executor::Arena {
  explicit Arena(int threads)
      // Without this the process never has more workers than cores, and "7 threads" would be a
      // fiction.
      : allowance(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(threads)),
        arena(threads) {}
  tbb::global_control allowance;
  tbb::task_arena arena;
};

Executor::Executor(int threads, uint64_t schedule_seed)
    : threads_(threads > 0 ? threads : tbb::info::default_concurrency()),
      schedule_seed_(schedule_seed),
      arena_(std::make_unique<Arena>(threads_)) {}

Executor::~Executor() = default;

void Executor::run_erased(size_t chunks, Erased body, void* context) const {
  if (chunks == 0) return;
  std::vector<size_t> order;
  if (schedule_seed_ != 0) {
    order.resize(chunks);
    std::iota(order.begin(), order.end(), size_t{0});
    Draws draws = Random(schedule_seed_, "schedule").draws();
    shuffle(draws, std::span(order));
  }
  if (threads_ == 1) {
    for (size_t i = 0; i < chunks; ++i) body(context, 0, order.empty() ? i : order[i]);
    return;
  }
  [[maybe_unused]] char started = 0;
  [[maybe_unused]] char finished = 0;
  DIVNS_TSAN_RELEASE(&started);
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<size_t>(0, chunks),
        [&](const tbb::blocked_range<size_t>& range) {
          DIVNS_TSAN_ACQUIRE(&started);
          for (size_t i = range.begin(); i != range.end(); ++i)
            body(context, tbb::this_task_arena::current_thread_index(),
                 order.empty() ? i : order[i]);
          DIVNS_TSAN_RELEASE(&finished);
        },
        tbb::simple_partitioner{});
  });
  DIVNS_TSAN_ACQUIRE(&finished);
}

}  // namespace divns
