// SPDX-License-Identifier: Apache-2.0
#include "io/model_file.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>
#include <vector>

#include "base/check.h"
#include "base/files.h"
#include "divns/aligned.h"
#include "divns/model.h"
#include "divns/table.h"
#include "divns/tensors.h"
#include "io/model_tensors.h"
#include "io/strings.h"

namespace divns {
namespace {

Table with_padding(const TensorReader& file, const std::string& name) {
  const auto [rows, dim] = file.matrix_shape(name);
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max() - kRowQuantum;
  if (rows > kMost || dim > kMost)
    fail("{} is damaged: '{}' has the shape {} x {}.", file.file_name(), name, rows, dim);
  const auto values = file.values<float>(name);
  // A shape such as 4e9 x 0 takes no bytes in the file but would take many here.
  if (dim == 0) fail("{} is damaged: '{}' has vectors of no width.", file.file_name(), name);
  Table table(static_cast<uint32_t>(rows), static_cast<uint32_t>(dim));
  for (uint32_t i = 0; i < table.rows(); ++i)
    std::copy_n(values.data() + size_t{i} * dim, dim, table.row(i));
  return table;
}

using Lookup = std::unordered_map<std::string_view, uint32_t>;

Lookup index_of(const PackedStringView& ids, uint32_t count, const std::string& file) {
  Lookup lookup;
  lookup.reserve(count);
  for (uint32_t i = 0; i < count; ++i)
    if (!lookup.emplace(ids[i], i).second)
      fail("{} is damaged: the id '{}' occurs twice.", file, ids[i]);
  return lookup;
}

// The model file of a run's folder. A folder without one gets a sentence that says what it is.
std::filesystem::path model_file_in(const std::filesystem::path& folder) {
  const auto holds = [&](std::string_view name) {
    std::error_code ignored;
    return std::filesystem::exists(folder / name, ignored);
  };
  std::filesystem::path path = folder / kModelFileName;
  if (holds(kModelFileName)) return path;
  const std::string name = folder.string();
  if (holds("run.json") && holds("metrics.json"))
    fail(
        "the run in {0} kept no model file, because a study does not keep item-item weights. Train "
        "the model with 'divns train --config {0}/config.toml'.",
        name);
  if (holds("run.json"))
    fail(
        "the run in {} is not finished and has no model yet; call the command that began it again, "
        "with --resume.",
        name);
  if (holds("dataset.json"))
    fail("{} is a prepared dataset, not a run; train a model on it with 'divns train'.", name);
  if (holds("request.json"))
    fail("{} is a study; name the folder of one of its runs, such as one of those in {}/runs.",
         name, name);
  fail("{} holds no {}; name the folder of a run, or a model file.", name, kModelFileName);
}

std::optional<uint32_t> find_in(const Lookup& lookup, std::string_view id) {
  const auto found = lookup.find(id);
  return found == lookup.end() ? std::nullopt : std::optional(found->second);
}

// As Dataset checks its own pairs: what comes from a file is not trusted.
void read_histories(const TensorReader& file, uint32_t item_count, std::vector<uint64_t>& offsets,
                    std::vector<uint32_t>& items) {
  const auto stored_offsets = file.values<int64_t>("histories_offsets");
  const auto stored_items = file.values<int32_t>("histories");
  const auto damaged = [&](std::string_view what) {
    fail("{} is damaged: the histories {}.", file.file_name(), what);
  };
  offsets.assign(stored_offsets.begin(), stored_offsets.end());
  items.assign(stored_items.begin(), stored_items.end());
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != items.size() ||
      !std::is_sorted(offsets.begin(), offsets.end()))
    damaged("do not begin where the previous ones end");
  for (size_t u = 0; u + 1 < offsets.size(); ++u)
    for (size_t n = offsets[u]; n < offsets[u + 1]; ++n)
      if (items[n] >= item_count || (n > offsets[u] && items[n] <= items[n - 1]))
        damaged("are not ascending numbers of items");
}

}  // namespace

struct TrainedModel::Contents {
  explicit Contents(const std::filesystem::path& path)
      : mapped(path), bytes(mapped.bytes()), file(bytes, path.string()) {}
  explicit Contents(std::span<const std::byte> given)
      : copied(given.begin(), given.end()), bytes(copied), file(bytes, "the model") {}

  MappedFile mapped;  // or
  AlignedVector<std::byte> copied;
  std::span<const std::byte> bytes;  // of one of them
  TensorReader file;
  uint32_t users = 0;
  uint32_t items = 0;
  Table user_vectors;
  Table item_vectors;
  Table user_parameters;  // without rows where the vectors are the parameters
  Table item_parameters;
  // Of a model without vectors:
  VectorTable item_weights;  // in the file
  std::vector<uint64_t> history_offsets;
  std::vector<uint32_t> history_items;
  std::optional<ItemWeightScores> scores;
  PackedStringView user_ids;
  PackedStringView item_ids;
  PackedStringView item_names;
  Lookup users_by_id;
  Lookup items_by_id;
  uint64_t seed = 0;

  void read_vectors();
  void read_weights();
  void read_names();
  Interactions histories() const { return {history_offsets, history_items, items}; }
};

void TrainedModel::Contents::read_vectors() {
  user_vectors = with_padding(file, "user_vectors");
  item_vectors = with_padding(file, "item_vectors");
  if (user_vectors.dim() != item_vectors.dim())
    fail("{} is damaged: users have {} columns and items {}.", file.file_name(), user_vectors.dim(),
         item_vectors.dim());
  users = user_vectors.rows();
  items = item_vectors.rows();
  if (!file.has_metadata("parameters_hash")) return;
  HashOfParts hash;
  hash.add_tensors(file, kParameterTensors);
  if (hash.hex() != file.metadata("parameters_hash"))
    fail("{} is damaged: its parameters do not match the hash it carries.", file.file_name());
  user_parameters = with_padding(file, "user_parameters");
  item_parameters = with_padding(file, "item_parameters");
  const auto same_shape = [](const Table& a, const Table& b) {
    return a.rows() == b.rows() && a.dim() == b.dim();
  };
  if (!same_shape(user_parameters, user_vectors) || !same_shape(item_parameters, item_vectors))
    fail("{} is damaged: its parameters do not have the shape of its vectors.", file.file_name());
}

void TrainedModel::Contents::read_weights() {
  const auto [rows, columns] = file.matrix_shape("item_weights");
  if (rows != columns || rows > std::numeric_limits<uint32_t>::max() - kRowQuantum)
    fail("{} is damaged: 'item_weights' has the shape {} x {}.", file.file_name(), rows, columns);
  items = static_cast<uint32_t>(rows);
  item_weights = {file.values<float>("item_weights").data(), items, items, items};
  read_histories(file, items, history_offsets, history_items);
  users = histories().users();
  scores.emplace(histories(), item_weights);
}

void TrainedModel::Contents::read_names() {
  const std::string& name = file.file_name();
  user_ids = PackedStringView(file, "user_ids", users);
  item_ids = PackedStringView(file, "item_ids", items);
  item_names = PackedStringView(file, "item_names", items);
  users_by_id = index_of(user_ids, users, name);
  items_by_id = index_of(item_ids, items, name);
}

TrainedModel TrainedModel::load(const std::filesystem::path& path) {
  const bool is_folder = std::filesystem::is_directory(path);
  return opened(std::make_unique<Contents>(is_folder ? model_file_in(path) : path));
}

TrainedModel TrainedModel::from_bytes(std::span<const std::byte> bytes) {
  return opened(std::make_unique<Contents>(bytes));
}

void TrainedModel::save(const std::filesystem::path& path) const {
  AtomicFile file(path, Target::kNamed);
  file.write(contents_->bytes);
  file.commit();
}

std::span<const std::byte> TrainedModel::bytes() const {
  return contents_->bytes;
}

TrainedModel TrainedModel::opened(std::unique_ptr<Contents> contents) {
  Contents& c = *contents;
  const std::string& name = c.file.file_name();
  if (!c.file.has_metadata("format") || c.file.metadata("format") != kModelFormat)
    fail("{} is a safetensors file but not a divns model.", name);
  const std::string& version = c.file.metadata("version");
  const bool has_vectors = version == kVectorsVersion;
  if (!has_vectors && version != kWeightsVersion)
    fail(
        "{} is a divns model of version {}; this program reads versions {} and {}. Use a newer "
        "divns.",
        name, version, kVectorsVersion, kWeightsVersion);
  HashOfParts hash;
  if (has_vectors)
    hash.add_tensors(c.file, kVectorTensors);
  else
    hash.add_tensors(c.file, kWeightTensors);
  hash.add_tensors(c.file, kNameTensors);
  if (hash.hex() != c.file.metadata("content_hash"))
    fail("{} is damaged: its contents do not match the hash it carries.", name);

  if (has_vectors)
    c.read_vectors();
  else
    c.read_weights();
  c.read_names();
  const std::string& seed = c.file.metadata("seed");
  const auto parsed = std::from_chars(seed.data(), seed.data() + seed.size(), c.seed);
  if (parsed.ec != std::errc() || parsed.ptr != seed.data() + seed.size())
    fail("{} is damaged: its seed is '{}'.", name, seed);
  for (const std::string_view key : {"model", "sampler", "dataset_hash", "config"})
    c.file.metadata(key);
  return TrainedModel(std::move(contents));
}

TrainedModel::TrainedModel(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}
TrainedModel::~TrainedModel() = default;
TrainedModel::TrainedModel(TrainedModel&&) noexcept = default;
TrainedModel& TrainedModel::operator=(TrainedModel&&) noexcept = default;

uint32_t TrainedModel::users() const {
  return contents_->users;
}
uint32_t TrainedModel::items() const {
  return contents_->items;
}
Scorer TrainedModel::scorer() const {
  return {contents_->user_vectors.view(), contents_->item_vectors.view(),
          has_vectors() ? nullptr : &*contents_->scores};
}
uint32_t TrainedModel::columns() const {
  return has_vectors() ? contents_->item_vectors.dim() : items();
}
bool TrainedModel::has_vectors() const {
  return !contents_->scores;
}
void TrainedModel::require_vectors() const {
  if (!has_vectors())
    fail("{} is a model '{}': it ranks by item-item weights and has no vectors of users or items.",
         contents_->file.file_name(), model_name());
}
VectorTable TrainedModel::user_vectors() const {
  require_vectors();
  return contents_->user_vectors.view();
}
VectorTable TrainedModel::item_vectors() const {
  require_vectors();
  return contents_->item_vectors.view();
}
bool TrainedModel::has_parameters() const {
  return contents_->user_parameters.dim() > 0;
}
VectorTable TrainedModel::user_parameters() const {
  return has_parameters() ? contents_->user_parameters.view() : user_vectors();
}
VectorTable TrainedModel::item_parameters() const {
  return has_parameters() ? contents_->item_parameters.view() : item_vectors();
}
VectorTable TrainedModel::item_weights() const {
  return contents_->item_weights;
}
Interactions TrainedModel::histories() const {
  return has_vectors() ? Interactions() : contents_->histories();
}
std::string_view TrainedModel::user_id(uint32_t user) const {
  return contents_->user_ids[user];
}
std::string_view TrainedModel::item_id(uint32_t item) const {
  return contents_->item_ids[item];
}
std::string_view TrainedModel::item_name(uint32_t item) const {
  return contents_->item_names[item];
}
std::optional<uint32_t> TrainedModel::find_user(std::string_view id) const {
  return find_in(contents_->users_by_id, id);
}
std::optional<uint32_t> TrainedModel::find_item(std::string_view id) const {
  return find_in(contents_->items_by_id, id);
}
const std::string& TrainedModel::model_name() const {
  return contents_->file.metadata("model");
}
const std::string& TrainedModel::sampler_name() const {
  return contents_->file.metadata("sampler");
}
uint64_t TrainedModel::seed() const {
  return contents_->seed;
}
const std::string& TrainedModel::content_hash() const {
  return contents_->file.metadata("content_hash");
}
const std::string& TrainedModel::dataset_hash() const {
  return contents_->file.metadata("dataset_hash");
}
const std::string& TrainedModel::config() const {
  return contents_->file.metadata("config");
}

}  // namespace divns
