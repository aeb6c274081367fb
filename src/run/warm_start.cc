// SPDX-License-Identifier: Apache-2.0
#include "run/warm_start.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "models/registry.h"

namespace divns {
namespace {

template <class Id, class Find>
std::vector<uint32_t> matched(uint32_t count, Id&& id, Find&& find) {
  std::vector<uint32_t> rows(count);
  for (uint32_t i = 0; i < count; ++i) rows[i] = find(id(i)).value_or(InitialRows::kNone);
  return rows;
}

bool none_matches(const std::vector<uint32_t>& rows) {
  return std::ranges::all_of(rows, [](uint32_t row) { return row == InitialRows::kNone; });
}

}  // namespace

InitialRows rows_of_earlier(const TrainedModel& earlier, const RunData& data,
                            const TrainConfig& config) {
  if (earlier.model_name() != config.model)
    fail(
        "the initial model is a model '{}', but a model '{}' is to be trained; both must be of the "
        "same kind.",
        earlier.model_name(), config.model);
  InitialRows rows = {.users = earlier.user_parameters(), .items = earlier.item_parameters()};
  if (rows.users.dim != static_cast<uint32_t>(config.embedding_dim))
    fail(
        "the initial model has vectors of {} columns, but embedding_dim is {}. Train with "
        "embedding_dim = {}, or with all options of the earlier run (its config.toml).",
        rows.users.dim, config.embedding_dim, rows.users.dim);
  if (!earlier.has_parameters() && find_model(config.model).make()->hops() > 1)
    fail(
        "the initial model was written by an earlier version of divns, which did not keep the "
        "parameters of a model '{}'. Train it again with this version.",
        config.model);
  rows.user_rows = matched(data.train.users(), data.user_id,
                           [&](std::string_view id) { return earlier.find_user(id); });
  rows.item_rows = matched(data.train.item_count, data.item_id,
                           [&](std::string_view id) { return earlier.find_item(id); });
  if (none_matches(rows.user_rows) && none_matches(rows.item_rows))
    fail(
        "the initial model and the dataset have no user and no item in common; ids are compared as "
        "text.");
  return rows;
}

}  // namespace divns
