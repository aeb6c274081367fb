// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include "base/json.h"
#include "divns/prepare.h"
#include "divns/text_table.h"

namespace divns {

std::string prepare_json(const PrepareReport& report, const std::filesystem::path& output,
                         double seconds) {
  Json json;
  json["output"] = output.string();
  json["hash"] = report.hash;
  json["read_as"] = report.format;
  for (const PrepareStep& step : report.steps)
    json["steps"].push_back({{"step", step.what},
                             {"pairs", step.pairs},
                             {"removed", step.removed},
                             {"users", step.users},
                             {"items", step.items}});
  json["parts"] = {{"train", report.train}, {"valid", report.valid}, {"test", report.test}};
  json["leaks"] = report.leaks;
  json["statistics"] = parse_json(report.statistics_json);
  json["scratch_bytes"] = report.scratch_bytes;
  json["seconds"] = seconds;
  return json_text(json);
}

std::string prepare_text(const PrepareReport& report, const std::filesystem::path& output,
                         double seconds) {
  TextTable table({"step", "pairs", "removed", "users", "items"});
  for (const PrepareStep& step : report.steps)
    table.add({step.what, with_commas(step.pairs),
               step.removed == 0 ? "" : with_commas(step.removed),
               step.users == 0 ? "" : with_commas(step.users),
               step.items == 0 ? "" : with_commas(step.items)});
  std::string text = fmt::format("read as {}\n{}", report.format, table.text());
  text += fmt::format("train {}, valid {}, test {}\n", with_commas(report.train),
                      with_commas(report.valid), with_commas(report.test));
  if (report.leaks > 0)
    text += fmt::format(
        "warning: {} pairs stand in two parts, such as {}; evaluation on them says nothing\n",
        with_commas(report.leaks), fmt::join(report.leak_examples, ", "));
  if (report.titles > 0) text += fmt::format("{} items have a title\n", with_commas(report.titles));
  if (report.scratch_bytes > 0)
    text += fmt::format("pairs beyond the memory limit took {} MiB of disk space for a while\n",
                        with_commas((report.scratch_bytes + (1 << 20) - 1) >> 20));
  return text +
         fmt::format("{} (hash {}) written in {:.2f} s\n", output.string(), report.hash, seconds);
}

}  // namespace divns
