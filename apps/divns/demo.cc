// SPDX-License-Identifier: Apache-2.0
// The whole story in half a minute: clustered data whose truth is known, one table of what each
// sampler makes of them.
#include <algorithm>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/parallel.h"
#include "base/stopwatch.h"
#include "data/synth_dataset.h"
#include "divns/verbs.h"
#include "eval/evaluate.h"
#include "report/text_table.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace divns::app {
namespace {

// The same for every sampler; candidates, cache and mixing are the samplers' own defaults.
constexpr std::pair<const char*, const char*> kTraining[] = {
    {"learning_rate", "5e-3"}, {"l2", "1e-3"}, {"epochs", "20"}, {"eval_every", "1"}};

struct DemoRow {
  std::string model;
  std::string sampler;
  double recall = 0;  // of the test part, at the epoch that was best in validation
  double ndcg = 0;
  double diversity = 0;        // of the negatives, mean over the epochs
  double false_negatives = 0;  // share of the negatives that the user truly likes, likewise
  double seconds = 0;
};

class Demo {
 public:
  Demo(uint64_t seed, const Executor& executor) : seed_(seed), executor_(executor) {
    SynthOptions options = synth_preset("demo");
    options.seed = seed;
    data_ = generate_synth(options, executor);
    parts_ = split_synth(data_, {.seed = seed}, executor);
  }

  DemoRow train(const std::string& model, const std::string& sampler) const {
    TrainingSetup setup;
    Options options;
    setup.declare(options);
    for (const auto& [name, value] : kTraining) options.set(name, value, OptionSource::kPreset);
    options.set("model", model, OptionSource::kSet);
    options.set("sampler", sampler, OptionSource::kSet);
    options.set("seed", std::to_string(seed_), OptionSource::kSet);
    setup.resolve(options);
    Trainer trainer(
        setup.config(), setup.take_model(), setup.take_sampler(), parts_.part(kTrain),
        [&](const VectorTable& users, const VectorTable& items) {
          return evaluate(users, items, kValid).mean(Metric::kRecall, 20);
        },
        executor_);
    KnownLikes known;
    known.likes = [&](uint32_t user, uint32_t item) { return data_.truth.likes(user, item); };
    trainer.set_known_likes(std::move(known));

    DemoRow row{.model = model, .sampler = sampler};
    const Stopwatch watch;
    while (!trainer.finished()) {
      const EpochReport report = trainer.run_epoch();
      row.diversity += report.negatives->diversity.value_or(0);
      row.false_negatives += report.negatives->false_negatives.value_or(0);
    }
    row.seconds = watch.seconds();
    row.diversity /= trainer.epochs_done();
    row.false_negatives /= trainer.epochs_done();
    const auto [users, items] = trainer.finish();
    const Evaluation test = evaluate(users, items, kTest);
    row.recall = test.mean(Metric::kRecall, 20);
    row.ndcg = test.mean(Metric::kNdcg, 20);
    return row;
  }

  std::string description() const {
    return fmt::format("{} users, {} items in {} clusters, {} pairs, cut 70 / 10 / 20",
                       with_commas(data_.truth.users()), with_commas(data_.truth.items()),
                       data_.truth.cluster_spreads.size(), with_commas(data_.items.size()));
  }

 private:
  Evaluation evaluate(const VectorTable& users, const VectorTable& items, uint8_t part) const {
    return divns::evaluate({.users = users,
                            .items = items,
                            .train = parts_.part(kTrain),
                            .relevant = parts_.part(part)},
                           executor_);
  }

  uint64_t seed_;
  const Executor& executor_;
  SynthData data_;
  SynthSplit parts_;
};

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

// Who is ahead, also where it is not DivNS.
std::string verdict(const std::vector<DemoRow>& rows, const std::string& model) {
  const auto best = [&](auto figure) {
    const DemoRow* leader = nullptr;
    for (const DemoRow& row : rows)
      if (row.model == model && (leader == nullptr || row.*figure > leader->*figure)) leader = &row;
    return leader;
  };
  const auto own = std::find_if(rows.begin(), rows.end(), [&](const DemoRow& row) {
    return row.model == model && row.sampler == "divns";
  });
  const auto sentence = [&](auto figure, const char* name) {
    const DemoRow* leader = best(figure);
    if (own == rows.end() || leader == &*own)
      return fmt::format("{} has the best {}", leader->sampler, name);
    return fmt::format("{} has the best {} ({:.1f} % above divns)", leader->sampler, name,
                       100 * (leader->*figure / ((*own).*figure) - 1));
  };
  return fmt::format("With {}: {}; {}; {}.\n", model, sentence(&DemoRow::recall, "Recall@20"),
                     sentence(&DemoRow::ndcg, "NDCG@20"),
                     sentence(&DemoRow::diversity, "diversity"));
}

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
    options.add("samplers", samplers, "where their negatives come from");
    options.add("seed", seed, "seed of the data and of every training");
    common.declare(options);
    verb.options(options)
        .example("divns demo")
        .example("divns demo --models mf --samplers rns,pns,dns,dns_mn,divns --seed 2")
        .action([this] { run(); });
  }

  void run() {
    const Stopwatch watch;
    const Executor executor(common.threads);
    const Demo demo(seed, executor);
    say(common, "synthetic data: {}", demo.description());
    std::vector<DemoRow> rows;
    for (const std::string& model : models)
      for (const std::string& sampler : samplers) {
        rows.push_back(demo.train(model, sampler));
        say(common, "trained {} with {} in {:.1f} s", model, sampler, rows.back().seconds);
      }
    if (common.json) return print_result(json_text(to_json(rows, watch.seconds())));
    std::string text = table(rows);
    for (const std::string& model : models) text += verdict(rows, model);
    text += fmt::format(
        "Test part, best of 20 epochs by validation, seed {}; everything in {:.1f} s.\n", seed,
        watch.seconds());
    print_result(text);
  }
};

}  // namespace

void add_demo_verb(Command root) {
  install<DemoVerb>(root.add_verb("demo", "train on built-in data with RNS, DNS and DivNS"));
}

}  // namespace divns::app
