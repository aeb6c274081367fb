// SPDX-License-Identifier: Apache-2.0
// A first look in a few seconds: synthetic data whose true preferences are known, and one table of
// what each sampler makes of them.
#include <algorithm>
#include <string>
#include <vector>

#include "divns/evaluate.h"
#include "divns/stopwatch.h"
#include "divns/text_table.h"
#include "divns/train.h"
#include "json.h"
#include "stop_signal.h"
#include "verbs.h"

namespace divns::app {
namespace {

constexpr int kEpochs = 20;

struct DemoRow {
  std::string model;
  std::string sampler;
  double recall = 0;  // of the test part, at the epoch that was best in validation
  double ndcg = 0;
  double diversity = 0;        // of the negatives, mean over the epochs
  double false_negatives = 0;  // share of the negatives that the user likes, likewise
  double seconds = 0;
};

// The same options for every sampler; candidates, cache and mixing are the samplers' defaults.
// Returns nothing if a signal stopped the training.
std::optional<DemoRow> train_row(const Dataset& data, const std::string& model,
                                 const std::string& sampler, uint64_t seed, int threads) {
  TrainOptions options{.model = model, .sampler = sampler, .seed = seed};
  options.epochs = kEpochs;
  options.learning_rate = 5e-3;
  options.l2 = 1e-3;
  options.threads = threads;
  options.set("eval_every", "1");
  DemoRow row{.model = model, .sampler = sampler};
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
  row.recall = test.mean("recall@20");
  row.ndcg = test.mean("ndcg@20");
  row.diversity /= run.result().epochs;
  row.false_negatives /= run.result().epochs;
  row.seconds = run.result().seconds.total();
  return row;
}

std::string table(const std::vector<DemoRow>& rows) {
  TextTable text(
      {"model", "sampler", "Recall@20", "NDCG@20", "diversity", "false neg.", "seconds"});
  for (const DemoRow& row : rows)
    text.add({row.model, row.sampler, fmt::format("{:.4f}", row.recall),
              fmt::format("{:.4f}", row.ndcg), fmt::format("{:.3f}", row.diversity),
              fmt::format("{:.2f} %", 100 * row.false_negatives),
              fmt::format("{:.1f}", row.seconds)});
  return text.text();
}

// Which sampler is ahead for a model, whichever it is.
std::string verdict(const std::vector<DemoRow>& rows, const std::string& model) {
  const auto best = [&](auto figure) {
    const DemoRow* leader = nullptr;
    for (const DemoRow& row : rows)
      if (row.model == model && (leader == nullptr || row.*figure > leader->*figure)) leader = &row;
    return leader;
  };
  return fmt::format(
      "With {}, {} has the best Recall@20, {} the best NDCG@20 and {} the most "
      "diverse negatives.\n",
      model, best(&DemoRow::recall)->sampler, best(&DemoRow::ndcg)->sampler,
      best(&DemoRow::diversity)->sampler);
}

constexpr const char* kExplanation =
    "Recall@20 and NDCG@20 are measured on the test part. Diversity is that of the negatives\n"
    "drawn. False negatives are negatives that the user truly likes, which only synthetic data\n"
    "can tell. Negatives that are more diverse need not give a better model: one seed on one\n"
    "dataset decides nothing. `divns compare` measures several seeds with significance tests.\n"
    "\n"
    "Next: divns data prepare YOUR_FILE -o mine.divns\n"
    "      divns compare --data mine.divns --samplers rns,dns,divns --seeds 3 --out study\n";

Json to_json(const std::vector<DemoRow>& rows, double seconds) {
  Json json = {{"seconds", seconds}, {"runs", Json::array()}};
  for (const DemoRow& row : rows)
    json["runs"].push_back({{"model", row.model},
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
  std::vector<std::string> models = {"mf", "lightgcn"};
  std::vector<std::string> samplers = {"rns", "dns", "divns"};
  uint64_t seed = 1;
  Options options;

  explicit DemoVerb(Command verb) {
    options.add("models", models, "recommenders to train");
    options.add("samplers", samplers, "samplers of negatives");
    options.add("seed", seed, "seed of the data and of every training");
    common.declare(options);
    verb.options(options)
        .example("divns demo")
        .example("divns demo --models mf --samplers rns,pns,dns,dns_mn,divns --seed 2")
        .action([this] { run(); });
  }

  void run() {
    const Stopwatch watch;
    SynthOptions synth = synth_preset("demo");
    synth.seed = seed;
    const Dataset data = Dataset::synthetic(synth);
    say(common, "synthetic data: {} users, {} items in {} clusters, {} pairs, split 70 / 10 / 20",
        with_commas(synth.users), with_commas(synth.items), synth.clusters,
        with_commas(synth.pairs));
    std::vector<DemoRow> rows;
    for (const std::string& model : models)
      for (const std::string& sampler : samplers) {
        const auto row = train_row(data, model, sampler, seed, common.threads);
        if (!row) return mark_unfinished();
        rows.push_back(*row);
        say(common, "trained {} with {} in {:.1f} s", model, sampler, row->seconds);
      }
    if (common.json) return print_result(json_text(to_json(rows, watch.seconds())));
    std::string text = table(rows);
    for (const std::string& model : models) text += verdict(rows, model);
    text += fmt::format("Best of {} epochs by validation, seed {}; everything in {:.1f} s.\n\n",
                        kEpochs, seed, watch.seconds());
    print_result(text + kExplanation);
  }
};

}  // namespace

void add_demo_verb(Command root) {
  install<DemoVerb>(root.add_verb("demo", "train on built-in data with RNS, DNS and DivNS"));
}

}  // namespace divns::app
