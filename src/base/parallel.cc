// SPDX-License-Identifier: Apache-2.0
#include "divns/parallel.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

#include "base/check.h"
#include "divns/random.h"

// ThreadSanitizer cannot see into oneTBB, whose library is not instrumented: it would take the
// hand-over of tasks for races. So this file alone is built without it (src/base/CMakeLists.txt)
// and states by hand what oneTBB orders: chunks come after the caller's writes, the caller's reads
// after the chunks, and the chunks of one worker one after another. What the chunks do stays
// watched.
#if defined(DIVNS_TSAN)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#define DIVNS_TSAN_ACQUIRE(address) __tsan_acquire(address)
#define DIVNS_TSAN_RELEASE(address) __tsan_release(address)
#else
#define DIVNS_TSAN_ACQUIRE(address) static_cast<void>(address)
#define DIVNS_TSAN_RELEASE(address) static_cast<void>(address)
#endif

namespace divns {
namespace {

constexpr size_t kMostThreads = 256;

class Handover {
 public:
  explicit Handover(int workers) : workers_(static_cast<size_t>(workers)) {
    DIVNS_TSAN_RELEASE(&started_);
  }
  void to_chunk(int worker) {
    DIVNS_TSAN_ACQUIRE(&started_);
    DIVNS_TSAN_ACQUIRE(&workers_[static_cast<size_t>(worker)]);
  }
  void from_chunk(int worker) {
    DIVNS_TSAN_RELEASE(&workers_[static_cast<size_t>(worker)]);
    DIVNS_TSAN_RELEASE(&finished_);
  }
  void to_caller() { DIVNS_TSAN_ACQUIRE(&finished_); }

 private:
  char started_ = 0;
  char finished_ = 0;
  std::vector<char> workers_;
};

// The chunks of a loop that belong to one worker and are not taken yet, [first, end). The owner
// takes them from the front, thieves from the back. Both ends are in one word, and each word has
// cache lines of its own.
class alignas(128) OwnChunks {
 public:
  void fill(size_t first, size_t end) { ends_.store(first << 32 | end, std::memory_order_relaxed); }
  void clear() { ends_.store(0, std::memory_order_relaxed); }
  std::optional<size_t> take_first() {
    return take([](uint64_t first, uint64_t) { return first; }, kOne);
  }
  std::optional<size_t> take_last() {
    return take([](uint64_t, uint64_t end) { return end - 1; }, ~uint64_t{0});
  }

 private:
  static constexpr uint64_t kOne = uint64_t{1} << 32;  // of the front, which is the upper half

  template <class Which>
  std::optional<size_t> take(Which which, uint64_t change) {
    uint64_t ends = ends_.load(std::memory_order_relaxed);
    while (ends >> 32 < (ends & 0xFFFFFFFFU))
      if (ends_.compare_exchange_weak(ends, ends + change, std::memory_order_relaxed))
        return which(ends >> 32, ends & 0xFFFFFFFFU);
    return std::nullopt;
  }

  std::atomic<uint64_t> ends_{0};
};

// Runs an action when its scope is left, by an exception too.
template <class Action>
struct AtExit {
  explicit AtExit(Action what) : action(what) {}
  ~AtExit() { action(); }
  AtExit(const AtExit&) = delete;
  AtExit& operator=(const AtExit&) = delete;
  Action action;
};

}  // namespace

struct Executor::Arena {
  explicit Arena(int threads) : arena(threads) {
    // By itself oneTBB never has more workers than cores, and "7 threads" would be a fiction. One
    // allowance for the whole process: of several, the smallest would bind every executor.
    static const tbb::global_control allowance(tbb::global_control::max_allowed_parallelism,
                                               kMostThreads);
  }
  tbb::task_arena arena;
};

Executor::Executor(int threads, uint64_t schedule_seed)
    : threads_(threads > 0 ? threads : tbb::info::default_concurrency()),
      schedule_seed_(schedule_seed),
      arena_(std::make_unique<Arena>(threads_)) {}

Executor::~Executor() = default;

void Executor::stop_if_cancelled() const {
  if (cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed)) throw Cancelled();
}

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
    for (size_t i = 0; i < chunks; ++i) {
      stop_if_cancelled();
      body(context, 0, order.empty() ? i : order[i]);
    }
    return;
  }
  DIVNS_ASSERT(chunks <= std::numeric_limits<uint32_t>::max());
  Handover handover(threads_);
  const AtExit finish([&] { handover.to_caller(); });
  const auto threads = static_cast<size_t>(threads_);
  std::vector<OwnChunks> open(threads);
  // Side by side, so that no more cache lines than need be are shared by two workers.
  for (size_t w = 0; w < threads; ++w)
    open[w].fill(chunks * w / threads, chunks * (w + 1) / threads);
  // One task a thread that might come. Whoever runs one works until no chunk is open, its own
  // first.
  const auto work = [&] {
    const int worker = tbb::this_task_arena::current_thread_index();
    handover.to_chunk(worker);
    const AtExit leave([&] { handover.from_chunk(worker); });
    const auto own = static_cast<size_t>(worker);
    for (size_t k = 0; k < threads; ++k) {
      const size_t owner = (own + k) % threads;
      while (const auto i = k == 0 ? open[owner].take_first() : open[owner].take_last()) {
        stop_if_cancelled();
        body(context, worker, order.empty() ? *i : order[*i]);
      }
    }
  };
  arena_->arena.execute([&] {
    tbb::parallel_for(
        size_t{0}, std::min(threads, chunks),
        [&](size_t) {
          try {
            work();
          } catch (...) {
            for (OwnChunks& chunks_left : open) chunks_left.clear();
            throw;
          }
        },
        tbb::simple_partitioner{});
  });
}

}  // namespace divns
