// SPDX-License-Identifier: Apache-2.0
#include "distributed/job.h"

#include "base/check.h"
#include "divns/ranks.h"

namespace divns {
namespace {

Communicator*& job_of_process() {
  static Communicator* job = nullptr;
  return job;
}

}  // namespace

Communicator* current_job() {
  return job_of_process();
}

void set_current_job(Communicator* ranks) {
  job_of_process() = ranks;
}

Communicator& require_job() {
  if (current_job() == nullptr)
    fail(
        "this program runs alone: training on several ranks needs the program divns-mpi, which is "
        "built where MPI is installed (Debian: apt-get install libopenmpi-dev openmpi-bin). Start "
        "it as in: mpirun -n 4 divns-mpi train --ranks --blocks 4x4 --data DATA --out RUN");
  return *current_job();
}

int job_rank() {
  return current_job() == nullptr ? 0 : current_job()->rank();
}

}  // namespace divns
