// SPDX-License-Identifier: Apache-2.0
// Training on several processes or hosts that a launcher of MPI has started. A program that links
// the library `divns_mpi` joins the job at its start and leaves it at its end:
//
//   int main(int argc, char** argv) {
//     divns::MpiJob job(argc, argv);
//     return job.end(run(argc, argv));
//   }
//
// Inside the job, TrainOptions::ranks makes train() work on all of its processes.
#pragma once

#include <memory>

namespace divns {

class Communicator;

class MpiJob {
 public:
  MpiJob(int& argc, char**& argv);
  // Ends the whole job unless end() was called.
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  // Leaves the job: waits for the other ranks if this one has succeeded (exit code 0), ends all of
  // them otherwise. Returns the exit code.
  int end(int exit_code);

 private:
  std::unique_ptr<Communicator> ranks_;
  bool ended_ = false;
};

// Rank of this process in its job, from 0; 0 outside a job.
int job_rank();

}  // namespace divns
