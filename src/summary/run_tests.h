// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "divns/parallel.h"
#include "summary/summary.h"

namespace divns {

// Paired tests for rows of runs: in each group, the best row against the others, where every run
// has its per-user values of the test part (divns evaluate). Makes that row the reference.
void test_runs(Summary& summary, const Executor& executor);

}  // namespace divns
