// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "summary/datasets.h"
#include "summary/summary.h"

namespace divns {

// Who leads in the main metric, by how much, whether that is significant, and what it was compared
// with, in plain sentences; one for each group.
std::string verdict_of(const Summary& summary);
// The same for each of several datasets.
std::string verdict_of(const DatasetsSummary& datasets);

// "p < 1e-16", "p = 2e-05", "p = 0.031".
std::string p_text(double p);
// "dns - rns: 0.0305, 95 % interval 0.0258 to 0.0355; p = 2e-05 over users (signed-rank), …".
std::string test_text(const SummaryTest& test);

// The label of a group's best row in a metric; the group may have no values.
const SummaryRow* best_row(const Summary& summary, std::pair<size_t, size_t> group,
                           const std::string& metric, const SummaryRow* except = nullptr);

}  // namespace divns
