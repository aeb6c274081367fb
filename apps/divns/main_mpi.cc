// SPDX-License-Identifier: Apache-2.0
// divns-mpi: the tool as a member of an MPI job. A program of its own, so that the tool itself
// needs no MPI and starts without it.
#include <fmt/format.h>

#include <cstdio>

#include "command.h"
#include "divns/error.h"
#include "divns/ranks.h"
#include "verbs.h"

int main(int argc, char** argv) {
  try {
    divns::MpiJob job(argc, argv);
    return job.end(divns::app::run_command_line(argc, argv, divns::app::declare_verbs));
  } catch (const divns::Error& error) {  // joining the job: all else is handled inside
    fmt::print(stderr, "divns: {}\n", error.what());
    return 2;
  }
}
