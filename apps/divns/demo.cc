// SPDX-License-Identifier: Apache-2.0
// A first look in a few seconds: two synthetic datasets whose true preferences are known, and what
// each sampler makes of them. On one, interactions follow the users' tastes; on the other, many do
// not. How hard a sampler should look for negatives differs between the two.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "divns/evaluate.h"
#include "divns/stopwatch.h"
#include "divns/synth.h"
#include "divns/text_table.h"
#include "divns/train.h"
#include "json.h"
#include "report_page.h"
#include "scratch_folder.h"
#include "stop_signal.h"
#include "verbs.h"

namespace divns::app {
namespace {

constexpr int kEpochs = 20;

// Synthetic data with a share of interactions that depend on popularity only, not on taste.
struct DemoData {
  const char* name;
  double background;
};
constexpr DemoData kDemoData[] = {{"clear", 0.02}, {"noisy", 0.6}};

struct DemoRow {
  std::string data;
  std::string model;
  std::string sampler;
  double recall = 0;  // of the test part, at the epoch that was best in validation
  double ndcg = 0;
  double diversity = 0;        // of the negatives, mean over the epochs
  double false_negatives = 0;  // share of the negatives that the user likes, likewise
  double seconds = 0;
};

// The same options for every sampler; candidates, cache and mixing are the samplers' defaults,
// unless the sampler is given as NAME:OPTION=VALUE. The run stays in `folder`, for the report.
// Returns nothing if a signal stopped the training.
std::optional<DemoRow> train_row(const Dataset& data, const std::string& model,
                                 const std::string& sampler, uint64_t seed, int threads,
                                 const std::filesystem::path& folder) {
  const size_t colon = sampler.find(':');
  TrainOptions options{.model = model, .sampler = sampler.substr(0, colon), .seed = seed};
  options.epochs = kEpochs;
  options.learning_rate = 5e-3;
  options.l2 = 1e-2;
  options.threads = threads;
  options.folder = folder;
  options.set("eval_every", "1");
  options.set("record_users", "3");
  if (colon != std::string::npos) {
    const std::string setting = sampler.substr(colon + 1);
    const size_t equals = setting.find('=');
    if (equals == std::string::npos)
      fail("the sampler '{}' was given, but NAME or NAME:OPTION=VALUE is expected.", sampler);
    options.set(setting.substr(0, equals), setting.substr(equals + 1));
  }
  DemoRow row{.data = {}, .model = model, .sampler = sampler};
  const TrainCallbacks callbacks{.on_epoch =
                                     [&](const EpochReport& report) {
                                       row.diversity += report.negatives->diversity.value_or(0);
                                       row.false_negatives +=
                                           report.negatives->false_negatives.value_or(0);
                                       return true;
                                     },
                                 .on_progress = {},
                                 .on_checkpoint = {},
                                 .stop = stop_on_signal(),
                                 .cancel = abandon_on_signal()};
  const Run run = train(data, options, callbacks);
  if (!run.result().finished) return std::nullopt;
  const Evaluation test = evaluate(run.model(), data, {.topk = {20}, .threads = threads});
  write_evaluation(folder, {folder.filename().string(), data.hash(), "test", "train"}, test);
  row.recall = test.mean("recall@20");
  row.ndcg = test.mean("ndcg@20");
  row.diversity /= run.result().epochs;
  row.false_negatives /= run.result().epochs;
  row.seconds = run.result().seconds.total();
  return row;
}

std::string table(const std::vector<DemoRow>& rows) {
  TextTable text(
      {"data", "model", "sampler", "Recall@20", "NDCG@20", "false neg.", "diversity", "seconds"});
  for (const DemoRow& row : rows)
    text.add({row.data, row.model, row.sampler, fmt::format("{:.4f}", row.recall),
              fmt::format("{:.4f}", row.ndcg), fmt::format("{:.2f} %", 100 * row.false_negatives),
              fmt::format("{:.3f}", row.diversity), fmt::format("{:.1f}", row.seconds)});
  return text.text();
}

// Recall@20 of the other samplers against DNS, whichever is ahead.
std::string verdict(const std::vector<DemoRow>& rows, const std::string& data,
                    const std::string& model) {
  const auto is_here = [&](const DemoRow& row) { return row.data == data && row.model == model; };
  const auto dns = std::find_if(rows.begin(), rows.end(), [&](const DemoRow& row) {
    return is_here(row) && row.sampler == "dns";
  });
  if (dns == rows.end() || dns->recall == 0) return {};
  std::string text;
  for (const DemoRow& row : rows)
    if (is_here(row) && &row != &*dns)
      text += fmt::format("{} {} {:+.1f} %", text.empty() ? "" : ",", row.sampler,
                          100 * (row.recall / dns->recall - 1));
  return fmt::format("{}, {}: Recall@20 against dns:{}\n", data, model, text);
}

constexpr const char* kExplanation =
    "A hard negative is an item that the model ranks high, and often one that the user would like\n"
    "(false neg., which only synthetic data can tell). Where interactions follow taste, looking\n"
    "hard pays: dns takes the best of 10 candidates, rns any item. Where many do not, dns looks "
    "too\n"
    "hard. divns mixes a diverse item, which is an easier one, into each hard negative, and so\n"
    "looks less hard; dns with 3 candidates does the same by simpler means. The diversity of the\n"
    "negatives does not tell which sampler is better. One seed decides nothing: results/verdict\n"
    "has more data, seeds and significance tests, and the same question on real data.\n"
    "\n"
    "Next: divns data prepare YOUR_FILE -o mine.divns\n"
    "      divns tune    --data mine.divns --samplers rns,dns,divns --out tuning\n"
    "      divns compare --data mine.divns --samplers tuning/best.toml --seeds 5 --out study\n";

Json to_json(const std::vector<DemoRow>& rows, double seconds) {
  Json json = {{"seconds", seconds}, {"runs", Json::array()}};
  for (const DemoRow& row : rows)
    json["runs"].push_back({{"data", row.data},
                            {"model", row.model},
                            {"sampler", row.sampler},
                            {"recall@20", row.recall},
                            {"ndcg@20", row.ndcg},
                            {"diversity", row.diversity},
                            {"false_negatives", row.false_negatives},
                            {"seconds", row.seconds}});
  return json;
}

struct DemoVerb {
  CommonOptions common;
  std::vector<std::string> models = {"mf"};
  std::vector<std::string> samplers = {"rns", "dns", "dns:dns.candidates=3", "divns"};
  uint64_t seed = 1;
  std::string report = "divns-demo.html";
  Options options;

  explicit DemoVerb(Command verb) {
    options.add("model", models, "recommenders to train").alias("models");
    options.add("samplers", samplers, "samplers of negatives, each NAME or NAME:OPTION=VALUE");
    options.add("seed", seed, "seed of the data and of every training");
    options.add("report", report, "report to write, an .html file; empty: none");
    common.declare(options);
    verb.options(options)
        .example("divns demo")
        .example(
            "divns demo --model mf,lightgcn --samplers rns,dns,divns:divns.lambda=0.9 --seed 2")
        .action([this] { run(); });
  }

  void run() {
    const Stopwatch watch;
    std::vector<DemoRow> rows;
    const ScratchFolder scratch;
    std::vector<std::filesystem::path> runs;
    for (const DemoData& demo : kDemoData) {
      SynthOptions synth = synth_preset("demo");
      synth.seed = seed;
      synth.background = demo.background;
      const Dataset data = Dataset::synthetic(synth, {}, scratch.path() / demo.name);
      say(common, "{} data: {} users, {} items, {} pairs, of which {:.0f} % do not follow taste",
          demo.name, with_commas(synth.users), with_commas(synth.items), with_commas(synth.pairs),
          100 * demo.background);
      for (const std::string& model : models)
        for (const std::string& sampler : samplers) {
          runs.push_back(scratch.path() / fmt::format("run-{}", runs.size() + 1));
          auto row = train_row(data, model, sampler, seed, common.threads, runs.back());
          if (!row) return mark_unfinished();
          row->data = demo.name;
          say(common, "trained {} with {} in {:.1f} s", model, sampler, row->seconds);
          rows.push_back(std::move(*row));
        }
    }
    if (common.json) {
      print_result(json_text(to_json(rows, watch.seconds())));
      return write_page(runs);
    }
    std::string text = table(rows) + "\n";
    for (const DemoData& demo : kDemoData)
      for (const std::string& model : models) text += verdict(rows, demo.name, model);
    text += fmt::format("Best of {} epochs by validation, seed {}; everything in {:.1f} s.\n\n",
                        kEpochs, seed, watch.seconds());
    print_result(text + kExplanation);
    write_page(runs);
  }

  void write_page(const std::vector<std::filesystem::path>& runs) const {
    if (!report.empty()) write_own_report(common, runs, report);
  }
};

}  // namespace

void add_demo_verb(Command root) {
  install<DemoVerb>(root.add_verb("demo", "train on built-in data with RNS, DNS and DivNS"));
}

}  // namespace divns::app
