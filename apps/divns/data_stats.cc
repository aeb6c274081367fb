// SPDX-License-Identifier: Apache-2.0
#include "divns/dataset.h"
#include "divns/statistics.h"
#include "json.h"
#include "verbs.h"

namespace divns::app {
namespace {

struct StatsVerb {
  CommonOptions common;
  std::string folder;
  Options options;

  explicit StatsVerb(Command verb) {
    common.declare(options);
    verb.positional("dataset", folder, "a prepared dataset")
        .options(options)
        .example("divns data stats ml-100k.divns")
        .action([this] { run(); });
  }

  void run() {
    const Dataset data = Dataset::open(folder);
    const DatasetStatistics statistics = data.statistics(Executor(common.threads));
    if (common.json) {
      Json json = Json::parse(statistics_json(statistics));
      json["hash"] = data.hash();
      print_result(json_text(json));
    } else {
      print_result(
          fmt::format("{} (hash {})\n{}", folder, data.hash(), statistics_text(statistics)));
    }
  }
};

}  // namespace

void add_data_stats_verb(Command data) {
  install<StatsVerb>(data.add_verb("stats", "show what a prepared dataset looks like"));
}

}  // namespace divns::app
