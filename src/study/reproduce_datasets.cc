// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"
#include "base/json.h"
#include "study/reproduce_parts.h"

namespace divns {

DatasetCounts counts_of(const Dataset& data) {
  const auto json = parse_json_if_valid(data.statistics_json());
  for (const char* name : {"users", "items", "pairs"})
    if (!json.is_object() || !json.contains(name) || !json[name].is_number())
      fail("the statistics of {} are damaged: prepare it again.", data.folder().string());
  return {json["users"], json["items"], json["pairs"]};
}

void reproduce_datasets(const std::vector<OpenDataset>& datasets, Reproduction& result) {
  for (const OpenDataset& dataset : datasets) {
    const DatasetCounts counts = counts_of(dataset.data);
    const std::pair<const char*, double> values[] = {{"users", counts.users},
                                                     {"items", counts.items},
                                                     {"pairs", counts.pairs},
                                                     {"density_percent", counts.density_percent()}};
    for (const auto& [metric, value] : values) {
      ReproducedFigure figure;
      figure.dataset = dataset.name;
      figure.metric = metric;
      figure.value = value;
      if (const PaperFigure* printed = result.paper.find(dataset.name, "", "", "", metric))
        figure.paper = printed->value();
      result.figures.push_back(std::move(figure));
    }
  }
  make_tables(result);
  make_chart(result);
}

}  // namespace divns
