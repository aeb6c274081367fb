// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <cstdlib>

#include "base/check.h"
#include "distributed/job.h"
#include "distributed/mpi_communicator.h"
#include "divns/ranks.h"

namespace divns {
namespace {

// Seconds without a heartbeat after which a rank counts as lost.
double silence_seconds() {
  constexpr double kDefault = 30;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread exists
  const char* const text = std::getenv("DIVNS_RANK_TIMEOUT");
  if (text == nullptr) return kDefault;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(seconds >= 3))
    fail("DIVNS_RANK_TIMEOUT is '{}', but it should be a number of seconds, at least 3.", text);
  return seconds;
}

}  // namespace

MpiJob::MpiJob(int& argc, char**& argv) {
  int support = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &support);
  if (support < MPI_THREAD_MULTIPLE)
    fail("this MPI does not support threads (MPI_THREAD_MULTIPLE).");
  ranks_ = std::make_unique<MpiCommunicator>(silence_seconds());
  set_current_job(ranks_.get());
}

int MpiJob::end(int exit_code) {
  if (exit_code != 0) MPI_Abort(MPI_COMM_WORLD, exit_code);
  // Heartbeats go on until every rank is here.
  uint8_t here = 0;
  ranks_->gather({reinterpret_cast<const std::byte*>(&here), 1});
  set_current_job(nullptr);
  ranks_.reset();
  MPI_Finalize();
  ended_ = true;
  return exit_code;
}

MpiJob::~MpiJob() {
  if (!ended_) MPI_Abort(MPI_COMM_WORLD, 1);
}

}  // namespace divns
