// SPDX-License-Identifier: Apache-2.0
#include "io/model_file.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_map>
#include <vector>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"
#include "divns/aligned.h"
#include "divns/model.h"
#include "divns/table.h"
#include "divns/tensors.h"
#include "divns/version.h"
#include "io/strings.h"

namespace divns {
namespace {

constexpr std::string_view kModelFormat = "divns-model";
constexpr std::string_view kModelFormatVersion = "1";
constexpr std::string_view kHashedTensors[] = {
    "user_vectors", "item_vectors",     "user_ids",   "user_ids_offsets",
    "item_ids",     "item_ids_offsets", "item_names", "item_names_offsets"};

std::vector<float> without_padding(VectorTable table) {
  std::vector<float> packed;
  packed.reserve(size_t{table.rows} * table.dim);
  for (uint32_t i = 0; i < table.rows; ++i)
    packed.insert(packed.end(), table.row(i), table.row(i) + table.dim);
  return packed;
}

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

class HashOfParts {
 public:
  void add(std::span<const std::byte> bytes) { text_ += hash128_hex(bytes); }
  std::string hex() const { return hash128_hex(text_); }

 private:
  std::string text_;
};

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
    fail("the run in {} kept no model file: its model has no vectors.", name);
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

}  // namespace

void write_model_file(const std::filesystem::path& path, const ModelFile& model) {
  const std::vector<float> users = without_padding(model.user_vectors);
  const std::vector<float> items = without_padding(model.item_vectors);
  const auto user_ids = PackedStrings::pack(model.user_vectors.rows, model.user_id);
  const auto item_ids = PackedStrings::pack(model.item_vectors.rows, model.item_id);
  const auto item_names = PackedStrings::pack(model.item_vectors.rows, model.item_name);

  HashOfParts hash;
  hash.add(std::as_bytes(std::span(users)));
  hash.add(std::as_bytes(std::span(items)));
  for (const PackedStrings* strings : {&user_ids, &item_ids, &item_names}) {
    hash.add(std::as_bytes(std::span(strings->bytes)));
    hash.add(std::as_bytes(std::span(strings->offsets)));
  }

  TensorWriter file;
  file.add_matrix("user_vectors", std::span<const float>(users), model.user_vectors.rows,
                  model.user_vectors.dim);
  file.add_matrix("item_vectors", std::span<const float>(items), model.item_vectors.rows,
                  model.item_vectors.dim);
  user_ids.add_to(file, "user_ids");
  item_ids.add_to(file, "item_ids");
  item_names.add_to(file, "item_names");
  file.set_metadata("format", std::string(kModelFormat));
  file.set_metadata("version", std::string(kModelFormatVersion));
  file.set_metadata("divns_version", kVersion);
  file.set_metadata("model", model.model);
  file.set_metadata("sampler", model.sampler);
  file.set_metadata("seed", std::to_string(model.seed));
  file.set_metadata("dataset_hash", model.dataset_hash);
  file.set_metadata("config", model.config);
  file.set_metadata("content_hash", hash.hex());
  file.write(path);
}

struct TrainedModel::Contents {
  explicit Contents(const std::filesystem::path& path)
      : mapped(path), bytes(mapped.bytes()), file(bytes, path.string()) {}
  explicit Contents(std::span<const std::byte> given)
      : copied(given.begin(), given.end()), bytes(copied), file(bytes, "the model") {}

  MappedFile mapped;  // or
  AlignedVector<std::byte> copied;
  std::span<const std::byte> bytes;  // of one of them
  TensorReader file;
  Table user_vectors;
  Table item_vectors;
  PackedStringView user_ids;
  PackedStringView item_ids;
  PackedStringView item_names;
  Lookup users_by_id;
  Lookup items_by_id;
  uint64_t seed = 0;
};

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
  if (c.file.metadata("version") != kModelFormatVersion)
    fail("{} is a divns model of version {}; this program reads version {}. Use a newer divns.",
         name, c.file.metadata("version"), kModelFormatVersion);
  HashOfParts hash;
  for (const std::string_view tensor : kHashedTensors) {
    const auto found = c.file.tensors().find(tensor);
    if (found == c.file.tensors().end())
      fail("{} is damaged: it lacks the tensor '{}'.", name, tensor);
    hash.add(found->second.bytes);
  }
  if (hash.hex() != c.file.metadata("content_hash"))
    fail("{} is damaged: its contents do not match the hash it carries.", name);

  c.user_vectors = with_padding(c.file, "user_vectors");
  c.item_vectors = with_padding(c.file, "item_vectors");
  if (c.user_vectors.dim() != c.item_vectors.dim())
    fail("{} is damaged: users have {} columns and items {}.", name, c.user_vectors.dim(),
         c.item_vectors.dim());
  c.user_ids = PackedStringView(c.file, "user_ids", c.user_vectors.rows());
  c.item_ids = PackedStringView(c.file, "item_ids", c.item_vectors.rows());
  c.item_names = PackedStringView(c.file, "item_names", c.item_vectors.rows());
  c.users_by_id = index_of(c.user_ids, c.user_vectors.rows(), name);
  c.items_by_id = index_of(c.item_ids, c.item_vectors.rows(), name);
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
  return contents_->user_vectors.rows();
}
uint32_t TrainedModel::items() const {
  return contents_->item_vectors.rows();
}
VectorTable TrainedModel::user_vectors() const {
  return contents_->user_vectors.view();
}
VectorTable TrainedModel::item_vectors() const {
  return contents_->item_vectors.view();
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
const std::string& TrainedModel::dataset_hash() const {
  return contents_->file.metadata("dataset_hash");
}
const std::string& TrainedModel::config() const {
  return contents_->file.metadata("config");
}

}  // namespace divns
