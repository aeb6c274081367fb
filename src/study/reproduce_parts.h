// SPDX-License-Identifier: Apache-2.0
// Functions shared by the source files of `divns reproduce`.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "divns/dataset.h"
#include "study/reproduce.h"

namespace divns {

// An open dataset of the request.
struct OpenDataset {
  std::string name;
  Dataset data;
};

// A count of the dataset over all parts, as recorded when it was prepared.
struct DatasetCounts {
  double users = 0, items = 0, pairs = 0;
  double density_percent() const { return 100 * pairs / (users * items); }
};
DatasetCounts counts_of(const Dataset& data);

// A requested run, in the order of the paper's rows.
struct ReproducedRun {
  PaperRow row;
  uint64_t seed = 1;
  PlannedRun run;
};
// The rows that the request includes, each with every seed.
std::vector<ReproducedRun> plan_reproduction(const ReproduceRequest& request,
                                             const PaperTable& paper, const OpenDataset& dataset);
int seeds_of(const ReproduceRequest& request);

// Tables of runs: all except the datasets, the toy example and the map.
void reproduce_runs(const ReproduceRequest& request, const std::vector<OpenDataset>& datasets,
                    Reproduction& result, Json& record);
void reproduce_datasets(const std::vector<OpenDataset>& datasets, Reproduction& result);
void reproduce_toy(Reproduction& result);
void reproduce_map(const ReproduceRequest& request, const std::vector<OpenDataset>& datasets,
                   Reproduction& result, Json& record);

// Makes tables from result.figures, with ours, the paper's and the ratio side by side, and the
// chart.
void make_tables(Reproduction& result);
void make_chart(Reproduction& result);

}  // namespace divns
