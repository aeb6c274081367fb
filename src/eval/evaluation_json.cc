// SPDX-License-Identifier: Apache-2.0
#include "eval/evaluation_json.h"

#include "base/json.h"
#include "divns/evaluate.h"

namespace divns {
namespace {

Json by_column(const Evaluation& evaluation, const std::vector<double>& means) {
  Json json = Json::object();
  for (size_t c = 0; c < means.size(); ++c) json[evaluation.per_user.columns[c]] = means[c];
  return json;
}

}  // namespace

Json evaluation_values(const Evaluation& evaluation) {
  Json json;
  json["users"] = evaluation.evaluated_users();
  json["metrics"] = by_column(evaluation, evaluation.means);
  if (evaluation.exposure.empty()) return json;
  for (size_t c = 0; c < evaluation.cutoffs.size(); ++c) {
    const Exposure& exposure = evaluation.exposure[c];
    json["exposure"][std::to_string(evaluation.cutoffs[c])] = {{"coverage", exposure.coverage},
                                                               {"gini", exposure.gini},
                                                               {"popularity", exposure.popularity},
                                                               {"novelty", exposure.novelty}};
  }
  for (const UserGroupResult& group : evaluation.by_activity)
    json["by_activity"].push_back({{"low", group.activity.low},
                                   {"high", group.activity.high},
                                   {"users", group.activity.members},
                                   {"metrics", by_column(evaluation, group.means)}});
  for (const ItemGroupResult& group : evaluation.by_popularity) {
    Json entry = {{"low", group.popularity.low},
                  {"high", group.popularity.high},
                  {"items", group.popularity.members},
                  {"relevant", group.relevant}};
    for (size_t c = 0; c < evaluation.cutoffs.size(); ++c)
      entry["at"][std::to_string(evaluation.cutoffs[c])] = {{"recall", group.at[c].recall},
                                                            {"share", group.at[c].share}};
    json["by_popularity"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace divns
