// SPDX-License-Identifier: Apache-2.0
#include "data/dataset_writer.h"

#include <functional>

#include "base/check.h"
#include "data/dataset_files.h"
#include "data/manifest.h"

namespace divns {
namespace fs = std::filesystem;

WrittenDataset write_prepared(const StagedFolder& staging, const PreparedContents& contents,
                              const Executor& executor) {
  const fs::path& folder = staging.path();
  const DatasetPart parts[] = {
      {"train", contents.train}, {"valid", contents.valid}, {"test", contents.test}};
  WrittenDataset written;
  // The largest first; the others are done beside it, and counting while the disk is at work.
  const std::function<void()> tasks[] = {
      [&] { write_part(AtomicFile(staging, "train.bin"), contents.train); },
      [&] { write_part(AtomicFile(staging, "test.bin"), contents.test); },
      [&] { write_part(AtomicFile(staging, "valid.bin"), contents.valid); },
      [&] { write_strings(AtomicFile(staging, "users.bin"), contents.user_ids); },
      [&] { write_strings(AtomicFile(staging, "items.bin"), contents.item_ids); },
      [&] {
        if (!contents.item_names.empty())
          write_strings(AtomicFile(staging, "item_names.bin"), contents.item_names);
      },
      [&] { written.statistics = compute_statistics(parts, executor, contents.overlap); }};
  executor.run(std::size(tasks), [&](int, size_t k) { tasks[k](); });

  Manifest manifest;
  manifest.recipe_json = contents.recipe_json;
  manifest.statistics_json = statistics_json(written.statistics);
  for (const std::string& name : manifest_file_names())
    if (fs::exists(folder / name)) manifest.files.push_back({name, 0, {}});
  executor.run(manifest.files.size(), [&](int, size_t k) {
    const std::string name = manifest.files[k].name;
    manifest.files[k] = describe_file(name, MappedFile(staging, name).bytes());
  });
  written.hash = manifest.hash = content_hash(manifest.files);
  AtomicFile file(staging, kManifestName);
  file.write(manifest_text(manifest));
  file.commit();
  return written;
}

std::vector<std::string> replaceable_files(const fs::path& folder, bool overwrite) {
  if (!fs::exists(folder)) return {};
  if (!fs::is_directory(folder))
    fail("{} is a file; name a folder for the prepared dataset.", folder.string());
  if (fs::is_empty(folder)) return {};
  const fs::path manifest = folder / kManifestName;
  // By its content: a file of this name may be anybody's.
  std::vector<std::string> files;
  if (has_own_file(manifest)) files = listed_files(read_text_file(manifest, Links::kRefuse));
  if (files.empty())
    fail("{} already holds something that is not a prepared dataset; name another folder.",
         folder.string());
  if (!overwrite)
    fail(
        "{} already holds a prepared dataset; name another folder, or add --overwrite to replace "
        "it.",
        folder.string());
  return files;
}

}  // namespace divns
