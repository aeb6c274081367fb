// SPDX-License-Identifier: Apache-2.0
#include "data/manifest.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/hash.h"
#include "base/json.h"
#include "divns/version.h"

namespace divns {
namespace {

constexpr const char* kDatasetFormat = "divns-dataset";
// The hash of version 1 covers the titles as well.
constexpr int kDatasetFormatVersion = 2;
constexpr int kOldestDatasetFormat = 1;
constexpr const char* kTitlesName = "item_names.bin";

std::string hash_of_files(std::span<const ManifestFile> files, bool with_titles) {
  std::string list;
  for (const ManifestFile& file : files)
    if (with_titles || file.name != kTitlesName) list += file.name + " " + file.hash + "\n";
  return hash128_hex(list);
}

bool is_dataset_file(const std::string& name) {
  const auto names = manifest_file_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

const ManifestFile* Manifest::find(std::string_view name) const {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const ManifestFile& f) { return f.name == name; });
  return found == files.end() ? nullptr : &*found;
}

std::span<const std::string> manifest_file_names() {
  static const std::array<std::string, 7> names = {"train.bin", "valid.bin", "test.bin",
                                                   "users.bin", "items.bin", "item_names.bin",
                                                   "truth.bin"};
  return names;
}

ManifestFile describe_file(const std::string& name, std::span<const std::byte> bytes) {
  return {name, bytes.size(), hash128_hex(bytes)};
}

std::string content_hash(std::span<const ManifestFile> files) {
  return hash_of_files(files, false);
}

std::string manifest_text(const Manifest& manifest) {
  Json json;
  json["format"] = kDatasetFormat;
  json["version"] = kDatasetFormatVersion;
  json["divns"] = kVersion;
  json["hash"] = manifest.hash;
  for (const ManifestFile& file : manifest.files)
    json["files"][file.name] = {{"bytes", file.bytes}, {"xxh3_128", file.hash}};
  json["recipe"] = parse_json(manifest.recipe_json);
  json["statistics"] = parse_json(manifest.statistics_json);
  return json_text(json) + "\n";
}

Manifest parse_manifest(std::string_view text, const std::string& path) {
  try {
    const auto json = parse_json(text);
    if (json.at("format") != kDatasetFormat) fail("{} does not describe a divns dataset.", path);
    const uint32_t version = json_count(json, "version", 0, path);
    if (version < kOldestDatasetFormat || version > kDatasetFormatVersion)
      fail("{} has version {}, but this divns reads versions {} to {}; prepare the dataset again.",
           path, version, kOldestDatasetFormat, kDatasetFormatVersion);
    Manifest manifest;
    manifest.hash = json.at("hash").get<std::string>();
    for (const auto& [name, entry] : json.at("files").items())
      manifest.files.push_back(
          {name, entry.at("bytes").get<uint64_t>(), entry.at("xxh3_128").get<std::string>()});
    manifest.recipe_json = json_line(json.at("recipe"));
    manifest.statistics_json = json_line(json.at("statistics"));
    for (const ManifestFile& file : manifest.files)
      if (!is_dataset_file(file.name))
        fail("{} lists '{}', which is no file of a dataset.", path, file.name);
    if (hash_of_files(manifest.files, version == 1) != manifest.hash)
      fail("{} is damaged: its hash is not that of the files it lists; prepare the dataset again.",
           path);
    return manifest;
  } catch (const Json::exception&) {
    fail("{} is damaged: it is not the JSON document that divns wrote; prepare the dataset again.",
         path);
  }
}

std::vector<std::string> listed_files(std::string_view text) {
  const Json json = parse_json_if_valid(text);
  if (!json.is_object() || json.value("format", Json()) != kDatasetFormat) return {};
  std::vector<std::string> names = {kManifestName};
  const auto files = json.find("files");
  if (files != json.end() && files->is_object())
    for (const auto& [name, entry] : files->items())
      if (is_dataset_file(name)) names.push_back(name);
  return names;
}

}  // namespace divns
