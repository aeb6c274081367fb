// SPDX-License-Identifier: Apache-2.0
#include "divns/dataset.h"

#include "base/check.h"
#include "base/files.h"
#include "base/temporary_folder.h"
#include "data/dataset_files.h"
#include "data/manifest.h"

namespace divns {
namespace fs = std::filesystem;
namespace {

constexpr const char* kTruthName = "truth.bin";

// Opens a file of the folder after making sure that it is the one the manifest speaks of.
MappedFile open_verified(const fs::path& folder, const Manifest& manifest,
                         const std::string& name) {
  const fs::path path = folder / name;
  const ManifestFile* expected = manifest.find(name);
  if (expected == nullptr)
    fail("{} does not list {}; prepare the dataset again.", (folder / kManifestName).string(),
         name);
  MappedFile file(path, Links::kRefuse);
  if (describe_file(name, file.bytes()).hash != expected->hash)
    fail(
        "{} has been changed since the dataset was prepared (its hash does not match); prepare it "
        "again.",
        path.string());
  return file;
}

void require_shape(const Interactions& rows, uint32_t users, uint32_t items, const fs::path& path) {
  if (rows.users() != users || rows.item_count != items)
    fail("{} is for {} users and {} items, but the dataset has {} and {}; prepare it again.",
         path.string(), rows.users(), rows.item_count, users, items);
}

}  // namespace

struct Dataset::Contents {
  std::optional<TemporaryFolder> temporary;  // removed last
  fs::path folder;
  Manifest manifest;
  MappedFile train_file, valid_file, users_file, items_file, names_file;
  Interactions train, valid;
  StringTable user_ids, item_ids, item_names;
};

struct Dataset::TestPart::Contents {
  MappedFile file;
  Interactions rows;
};

Dataset::Dataset(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}
Dataset::~Dataset() = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

Dataset Dataset::open(const fs::path& folder) {
  const fs::path manifest_path = folder / kManifestName;
  if (!has_own_file(manifest_path))
    fail("{} is not a prepared dataset: it has no {}; make one with 'divns data prepare'.",
         folder.string(), kManifestName);
  auto contents = std::make_unique<Contents>();
  contents->folder = folder;
  contents->manifest =
      parse_manifest(read_text_file(manifest_path, Links::kRefuse), manifest_path.string());
  const auto open = [&](const char* name) {
    return open_verified(folder, contents->manifest, name);
  };
  const auto name_of = [&](const char* name) { return (folder / name).string(); };
  contents->users_file = open("users.bin");
  contents->items_file = open("items.bin");
  contents->train_file = open("train.bin");
  contents->valid_file = open("valid.bin");
  contents->user_ids = StringTable(contents->users_file.bytes(), name_of("users.bin"));
  contents->item_ids = StringTable(contents->items_file.bytes(), name_of("items.bin"));
  contents->train = view_part(contents->train_file.bytes(), name_of("train.bin"));
  contents->valid = view_part(contents->valid_file.bytes(), name_of("valid.bin"));
  if (contents->manifest.find("item_names.bin") != nullptr) {
    contents->names_file = open("item_names.bin");
    contents->item_names = StringTable(contents->names_file.bytes(), name_of("item_names.bin"));
    if (contents->item_names.size() != contents->item_ids.size())
      fail("{} has another number of items than the dataset; prepare it again.",
           name_of("item_names.bin"));
  }
  // The truth of synthetic data is read by others, but only if it is the dataset's own.
  if (contents->manifest.find(kTruthName) != nullptr)
    open(kTruthName);
  else if (fs::exists(fs::symlink_status(folder / kTruthName)))
    fail("{} does not belong to the dataset: {} does not list it. Remove it.", name_of(kTruthName),
         kManifestName);
  const uint32_t users = contents->user_ids.size();
  const uint32_t items = contents->item_ids.size();
  require_shape(contents->train, users, items, folder / "train.bin");
  require_shape(contents->valid, users, items, folder / "valid.bin");
  return Dataset(std::move(contents));
}

Dataset Dataset::make(const fs::path& folder, const std::function<void(const fs::path&)>& write) {
  if (!folder.empty()) {
    write(folder);
    return open(folder);
  }
  TemporaryFolder temporary;
  const fs::path inside = temporary.path() / "dataset";
  write(inside);
  Dataset data = open(inside);
  data.contents_->temporary = std::move(temporary);
  return data;
}

Dataset Dataset::prepare(const std::vector<std::string>& files, const PrepareOptions& options,
                         const fs::path& folder) {
  return make(folder, [&](const fs::path& path) { prepare_dataset(files, path, options); });
}

Dataset Dataset::from_pairs(const PairColumns& pairs, const PrepareOptions& options,
                            const fs::path& folder) {
  return make(folder, [&](const fs::path& path) { prepare_dataset(pairs, path, options); });
}

Dataset Dataset::from_parts(const PairColumns& train, const PairColumns& valid,
                            const PairColumns& test, const PrepareOptions& options,
                            const fs::path& folder) {
  return make(folder,
              [&](const fs::path& path) { prepare_dataset(train, valid, test, path, options); });
}

uint32_t Dataset::users() const {
  return contents_->user_ids.size();
}
uint32_t Dataset::items() const {
  return contents_->item_ids.size();
}
const Interactions& Dataset::train() const {
  return contents_->train;
}
const Interactions& Dataset::valid() const {
  return contents_->valid;
}
std::string_view Dataset::user_id(uint32_t user) const {
  return contents_->user_ids[user];
}
std::string_view Dataset::item_id(uint32_t item) const {
  return contents_->item_ids[item];
}
std::string_view Dataset::item_name(uint32_t item) const {
  return contents_->item_names.size() == 0 ? std::string_view() : contents_->item_names[item];
}
std::optional<uint32_t> Dataset::find_user(std::string_view id) const {
  return contents_->user_ids.find(id);
}
std::optional<uint32_t> Dataset::find_item(std::string_view id) const {
  return contents_->item_ids.find(id);
}
const std::string& Dataset::hash() const {
  return contents_->manifest.hash;
}
const fs::path& Dataset::folder() const {
  return contents_->folder;
}
const std::string& Dataset::recipe_json() const {
  return contents_->manifest.recipe_json;
}
const std::string& Dataset::statistics_json() const {
  return contents_->manifest.statistics_json;
}

DatasetStatistics Dataset::statistics(const Executor& executor) const {
  const TestPart test = open_test();
  const DatasetPart parts[] = {
      {"train", train()}, {"valid", valid()}, {"test", test.interactions()}};
  return compute_statistics(parts, executor);
}

Dataset::TestPart Dataset::open_test() const {
  auto part = std::make_unique<TestPart::Contents>();
  const fs::path path = contents_->folder / "test.bin";
  part->file = open_verified(contents_->folder, contents_->manifest, "test.bin");
  part->rows = view_part(part->file.bytes(), path.string());
  require_shape(part->rows, users(), items(), path);
  return TestPart(std::move(part));
}

Dataset::TestPart::TestPart(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}
Dataset::TestPart::~TestPart() = default;
Dataset::TestPart::TestPart(TestPart&&) noexcept = default;
const Interactions& Dataset::TestPart::interactions() const {
  return contents_->rows;
}

}  // namespace divns
