// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "base/files.h"
#include "divns/dataset.h"
#include "divns/error.h"
#include "divns/recommend.h"
#include "io/model_file.h"
#include "summary/sections.h"

namespace divns {
namespace {

constexpr size_t kModelsShown = 4;
constexpr size_t kUsersShown = 5;
constexpr uint32_t kItemsShown = 10;

// The dataset that the runs recorded, if it is still there and still the same.
std::optional<Dataset> dataset_of_runs(const SourceRun& run) {
  if (run.data_folder.empty() || !std::filesystem::exists(run.data_folder)) return std::nullopt;
  try {
    Dataset data = Dataset::open(run.data_folder);
    if (data.hash() == run.dataset_hash) return data;
  } catch (const Error&) {  // not needed for anything else: the report goes on without it
  }
  return std::nullopt;
}

// From the least to the most active, at even distances.
std::vector<uint32_t> users_by_activity(const Interactions& train) {
  std::vector<uint32_t> users(train.users());
  std::iota(users.begin(), users.end(), 0U);
  std::erase_if(users, [&](uint32_t user) { return train.row(user).empty(); });
  std::stable_sort(users.begin(), users.end(), [&](uint32_t a, uint32_t b) {
    return train.row(a).size() < train.row(b).size();
  });
  std::vector<uint32_t> chosen;
  for (size_t i = 0; i < kUsersShown && !users.empty(); ++i)
    chosen.push_back(users[(2 * i + 1) * users.size() / (2 * kUsersShown)]);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

// The title, or the id, of the item at a rank; empty beyond the end.
std::string name_at(const Dataset& data, std::span<const uint32_t> items, size_t rank) {
  if (rank >= items.size()) return {};
  const std::string_view title = data.item_name(items[rank]);
  return shown_text(title.empty() ? data.item_id(items[rank]) : title, 80);
}

}  // namespace

ReportSection recommendations_section(const Summary& summary) {
  ReportSection section{.id = "recommendations", .title = "Example recommendations"};
  if (summary.rows.empty()) return section;
  const std::optional<Dataset> data = dataset_of_runs(summary.rows.front().runs.front());
  if (!data) return section;
  const std::vector<uint32_t> users = users_by_activity(data->train());
  std::vector<Column> columns = {{"user"}, {"rank"}, {"trained on"}};
  std::vector<TopItems> lists;
  for (const SummaryRow& row : summary.rows) {
    const auto& folder = row.runs.front().folder;
    if (lists.size() == kModelsShown || folder.empty() || !has_own_file(folder / kModelFileName))
      continue;
    const TrainedModel model = TrainedModel::load(folder);
    if (model.dataset_hash() != data->hash()) continue;
    columns.push_back({row.series});
    lists.push_back(recommend(model.scorer(), users, {.k = kItemsShown, .seen = data->train()}));
  }
  if (lists.empty()) return section;
  ReportTable table("Recommendations", columns);
  for (size_t u = 0; u < users.size(); ++u) {
    const auto history = data->train().row(users[u]);
    const std::string user = shown_text(data->user_id(users[u]), 60) + " (" +
                             std::to_string(history.size()) + " training pairs)";
    for (uint32_t rank = 0; rank < kItemsShown; ++rank) {
      std::vector<Cell> cells;
      cells.emplace_back(user);
      cells.emplace_back(Figure{.value = rank + 1.0, .digits = 0});
      cells.push_back(shown_cell(name_at(*data, history, rank)));
      for (const TopItems& list : lists)
        cells.push_back(shown_cell(name_at(*data, list.items_of(u), rank)));
      table.add(std::move(cells));
    }
  }
  section.add_table(
      "Top items", std::move(table),
      "Users from the least to the most active. First seed of each row; training items "
      "are left out. 'Trained on' shows items that the user had.",
      "user");
  return section;
}

}  // namespace divns
