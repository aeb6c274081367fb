// SPDX-License-Identifier: Apache-2.0
#include "data/prepared.h"

#include <functional>

#include "base/check.h"
#include "base/files.h"
#include "data/manifest.h"
#include "data/prepared_files.h"

namespace divns {
namespace fs = std::filesystem;

std::string write_prepared(const fs::path& staging, const PreparedContents& contents,
                           const Executor& executor) {
  // The largest first; the others are done beside it.
  const std::function<void()> writers[] = {
      [&] { write_part(staging / "train.bin", contents.train); },
      [&] { write_part(staging / "test.bin", contents.test); },
      [&] { write_part(staging / "valid.bin", contents.valid); },
      [&] { write_strings(staging / "users.bin", contents.user_ids); },
      [&] { write_strings(staging / "items.bin", contents.item_ids); },
      [&] {
        if (!contents.item_names.empty())
          write_strings(staging / "item_names.bin", contents.item_names);
      }};
  executor.run(std::size(writers), [&](int, size_t k) { writers[k](); });

  Manifest manifest;
  manifest.recipe_json = contents.recipe_json;
  manifest.statistics_json = contents.statistics_json;
  for (const std::string& name : manifest_file_names())
    if (fs::exists(staging / name)) manifest.files.push_back({name, 0, {}});
  executor.run(manifest.files.size(), [&](int, size_t k) {
    const std::string name = manifest.files[k].name;
    manifest.files[k] = describe_file(name, MappedFile(staging / name).bytes());
  });
  manifest.hash = content_hash(manifest.files);
  write_file_atomically(staging / kManifestName, manifest_text(manifest));
  return manifest.hash;
}

void require_replaceable(const fs::path& folder, bool overwrite) {
  if (!fs::exists(folder)) return;
  if (!fs::is_directory(folder))
    fail("{} is a file; name a folder for the prepared dataset.", folder.string());
  if (fs::is_empty(folder)) return;
  if (!fs::exists(folder / kManifestName))
    fail("{} already holds something that is not a prepared dataset; name another folder.",
         folder.string());
  if (!overwrite)
    fail(
        "{} already holds a prepared dataset; name another folder, or add --overwrite to replace "
        "it.",
        folder.string());
}

}  // namespace divns
