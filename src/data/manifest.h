// SPDX-License-Identifier: Apache-2.0
// dataset.json: what a prepared folder holds, how it was made, and the hash of every file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace divns {

inline constexpr const char* kManifestName = "dataset.json";

struct ManifestFile {
  std::string name;
  uint64_t bytes = 0;
  std::string hash;  // XXH3, 128 bits
};

struct Manifest {
  std::string hash;
  std::vector<ManifestFile> files;
  std::string recipe_json = "{}";
  std::string statistics_json = "{}";

  const ManifestFile* find(std::string_view name) const;
};

// Every file that a prepared folder may hold, in the order in which they are hashed.
std::span<const std::string> manifest_file_names();
ManifestFile describe_file(const std::string& name, std::span<const std::byte> bytes);
// Name of the content: a hash over the names and hashes of the files. Recipe and statistics do not
// enter. Nor do titles, so that a dataset can get them later without becoming another one.
std::string content_hash(std::span<const ManifestFile> files);

std::string manifest_text(const Manifest& manifest);
// Throws Error; `path` is for its sentence.
Manifest parse_manifest(std::string_view text, const std::string& path);
// The files of a dataset by what its manifest says, the manifest among them, even if its hashes do
// not match any more; empty if the text is not a manifest.
std::vector<std::string> listed_files(std::string_view text);

}  // namespace divns
