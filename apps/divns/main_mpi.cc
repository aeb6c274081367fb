// SPDX-License-Identifier: Apache-2.0
// divns-mpi: the tool as a member of an MPI job. A program of its own, so that the tool itself
// needs no MPI and starts without it.
#include "command.h"
#include "divns/ranks.h"
#include "verbs.h"

int main(int argc, char** argv) {
  divns::MpiJob job(argc, argv);
  return job.end(divns::app::run_command_line(argc, argv, divns::app::declare_verbs));
}
