// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "distributed/communicator.h"

namespace divns {

// The job that this process belongs to; null outside a job.
Communicator* current_job();
// Set once, when the process joins a job, and reset when it leaves.
void set_current_job(Communicator* ranks);
// Throws Error with what to install and how to start where there is no job.
Communicator& require_job();

}  // namespace divns
