// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"
#include "study/comparison_report.h"

namespace divns {
namespace {

Json named(const NamedValues& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = value;
  return json;
}

Json by_column(const Comparison& comparison, const std::vector<double>& values) {
  Json json = Json::object();
  for (size_t c = 0; c < values.size(); ++c) json[comparison.columns[c]] = values[c];
  return json;
}

Json bootstrap_json(const BootstrapOptions& bootstrap) {
  return {{"resamples", bootstrap.resamples},
          {"confidence", bootstrap.confidence},
          {"seed", bootstrap.seed}};
}

Json seed_json(const RowResult::OfSeed& seed) {
  Json json = {{"seed", seed.seed}, {"run", seed.run.id}, {"epochs", seed.record.epochs}};
  if (seed.record.valid) {
    json["best_epoch"] = seed.record.best_epoch;
    json["valid_" + seed.record.valid_name] = *seed.record.valid;
  }
  json["test"] = named(seed.record.test);
  if (!seed.record.negatives.empty()) json["negatives"] = named(seed.record.negatives);
  return json;
}

Json row_json(const Comparison& comparison, const RowResult& row) {
  Json json = {{"group", row.row.group},
               {"model", row.row.model},
               {"label", row.row.label},
               {"sampler", row.row.sampler},
               {"reference", row.row.is_reference},
               {"config", row.config},
               {"mean", by_column(comparison, row.mean)},
               {"sd", by_column(comparison, row.sd)},
               {"seeds", Json::array()}};
  for (const RowResult::OfSeed& seed : row.seeds) json["seeds"].push_back(seed_json(seed));
  return json;
}

Json test_json(const PairTest& test) {
  return {{"group", test.group},
          {"metric", test.metric},
          {"reference", test.reference},
          {"other", test.other},
          {"over_users",
           {{"users", test.users.n},
            {"mean_difference", test.users.mean},
            {"interval", {test.interval.low, test.interval.high}},
            {"t_test", {{"t", test.users.t}, {"p", test.users.p}, {"p_holm", test.users_p_holm}}},
            {"wilcoxon",
             {{"nonzero", test.ranks.n},
              {"positive_ranks", test.ranks.positive},
              {"negative_ranks", test.ranks.negative},
              {"exact", test.ranks.exact},
              {"p", test.ranks.p},
              {"p_holm", test.ranks_p_holm}}},
            {"cohen_dz", test.users.dz},
            {"rank_biserial", test.ranks.rank_biserial}}},
          {"over_seeds",
           {{"seeds", test.seeds.n},
            {"mean_difference", test.seeds.mean},
            {"t", test.seeds.t},
            {"p", test.seeds.p},
            {"p_holm", test.seeds_p_holm},
            {"cohen_dz", test.seeds.dz}}}};
}

Json lead_json(const Lead& lead) {
  Json json = {{"group", lead.group},
               {"metric", lead.metric},
               {"best", lead.best},
               {"second", lead.second},
               {"best_over_second_percent", lead.best_over_second}};
  if (lead.reference_over_best_other) {
    json["best_other"] = lead.best_other;
    json["reference_over_best_other_percent"] = *lead.reference_over_best_other;
  }
  return json;
}

}  // namespace

Json request_json(const ComparisonRequest& request, const std::vector<NamedRun>& runs) {
  Json json = {{"seeds", request.seeds},
               {"metrics", request.metrics},
               {"cutoffs", request.cutoffs},
               {"bootstrap", bootstrap_json(request.bootstrap)},
               {"rows", Json::array()}};
  for (size_t r = 0; r < request.rows.size(); ++r)
    json["rows"].push_back({{"group", request.rows[r].group},
                            {"label", request.rows[r].label},
                            {"reference", request.rows[r].is_reference},
                            {"config", runs[r].run.config}});
  return json;
}

Json comparison_json(const ComparisonRequest& request, const Comparison& comparison) {
  Json json = {{"part", "test"},
               {"seeds", request.seeds},
               {"metrics", request.metrics},
               {"bootstrap", bootstrap_json(request.bootstrap)},
               {"rows", Json::array()},
               {"leads", Json::array()},
               {"tests", Json::array()}};
  for (const RowResult& row : comparison.rows) json["rows"].push_back(row_json(comparison, row));
  for (const Lead& lead : comparison.leads) json["leads"].push_back(lead_json(lead));
  for (const PairTest& test : comparison.tests) json["tests"].push_back(test_json(test));
  return json;
}

}  // namespace divns
