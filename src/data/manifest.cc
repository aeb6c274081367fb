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
constexpr int kDatasetFormatVersion = 1;

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
  std::string list;
  for (const ManifestFile& file : files) list += file.name + " " + file.hash + "\n";
  return hash128_hex(list);
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
    if (json.at("version") != kDatasetFormatVersion)
      fail("{} has version {}, but this divns reads version {}; prepare the dataset again.", path,
           json_line(json.at("version")), kDatasetFormatVersion);
    Manifest manifest;
    manifest.hash = json.at("hash").get<std::string>();
    for (const auto& [name, entry] : json.at("files").items())
      manifest.files.push_back(
          {name, entry.at("bytes").get<uint64_t>(), entry.at("xxh3_128").get<std::string>()});
    manifest.recipe_json = json_line(json.at("recipe"));
    manifest.statistics_json = json_line(json.at("statistics"));
    if (content_hash(manifest.files) != manifest.hash)
      fail("{} is damaged: its hash is not that of the files it lists; prepare the dataset again.",
           path);
    return manifest;
  } catch (const Json::exception& error) {
    fail("{} is damaged: {}; prepare the dataset again.", path, error.what());
  }
}

}  // namespace divns
