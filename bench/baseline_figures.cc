// SPDX-License-Identifier: Apache-2.0
// Recall@20 and NDCG@20 of a baseline with each of several settings, on the validation part and,
// with --test, on the test part. Figures of docs/baselines.md.
//
//   baseline_figures DATASET MODEL [--test] [KEY=VALUE,KEY=VALUE...]...
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "divns/dataset.h"
#include "divns/evaluate.h"
#include "divns/options.h"
#include "divns/parallel.h"
#include "divns/stopwatch.h"
#include "models/registry.h"

namespace divns {
namespace {

Evaluation measure(const Scorer& scorer, const Interactions& train, const Interactions& relevant,
                   const Executor& executor) {
  return evaluate({.users = scorer.users,
                   .items = scorer.items,
                   .train = train,
                   .relevant = relevant,
                   .scores = scorer.source},
                  executor);
}

std::string pair_text(const Evaluation& evaluation) {
  return fmt::format("{:.4f} / {:.4f}", evaluation.mean("recall@20"), evaluation.mean("ndcg@20"));
}

void print_row(const Dataset& data, std::string_view name, std::string settings, bool with_test) {
  const FittedModelEntry* entry = find_fitted_model(name);
  if (entry == nullptr) fail("there is no fitted model '{}'.", name);
  const auto model = entry->make();
  Options options;
  model->declare(options);
  const std::string shown = settings.empty() ? "defaults" : settings;
  for (settings += ','; !settings.empty(); settings.erase(0, settings.find(',') + 1))
    if (settings.front() != ',')
      options.set_assignment(settings.substr(0, settings.find(',')), OptionSource::kSet);

  const Executor executor;
  const Stopwatch watch;
  FitContext context{data.train(), executor};
  context.validate = [&](const Scorer& scorer) {
    return measure(scorer, data.train(), data.valid(), executor).mean("recall@20");
  };
  const FitReport report = model->fit(context);
  const double seconds = watch.seconds();
  const Scorer scorer = model->scorer();
  const Evaluation valid = measure(scorer, data.train(), data.valid(), executor);
  std::string test = "sealed";
  if (with_test)
    test = pair_text(measure(scorer, data.train(), data.open_test().interactions(), executor));
  fmt::print("| {} | {} | {} | {} | {} | {:.1f} |\n", name, shown,
             report.epochs > 0 ? std::to_string(report.best_epoch + 1) : "", pair_text(valid), test,
             seconds);
  std::fflush(stdout);
}

}  // namespace
}  // namespace divns

int main(int argc, char** argv) {
  using namespace divns;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto test = std::find(arguments.begin(), arguments.end(), "--test");
  const bool with_test = test != arguments.end();
  if (with_test) arguments.erase(test);
  if (arguments.size() < 2) {
    fmt::print(stderr, "baseline_figures DATASET MODEL [--test] [KEY=VALUE,...]...\n");
    return 2;
  }
  try {
    const Dataset data = Dataset::open(arguments[0]);
    fmt::print(
        "| model | settings | epoch | valid R@20 / N@20 | test R@20 / N@20 | fit s |\n"
        "|---|---|---|---|---|---|\n");
    if (arguments.size() == 2) arguments.emplace_back();
    for (size_t a = 2; a < arguments.size(); ++a)
      print_row(data, arguments[1], arguments[a], with_test);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
