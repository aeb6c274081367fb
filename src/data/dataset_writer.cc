// SPDX-License-Identifier: Apache-2.0
#include "data/dataset_writer.h"

#include <functional>

#include "base/check.h"
#include "base/hash.h"
#include "data/dataset_files.h"
#include "data/manifest.h"
#include "data/part_degrees.h"

namespace divns {
namespace fs = std::filesystem;

namespace {

constexpr const char* kPartNames[] = {"train", "valid", "test"};

DatasetStatistics statistics_of_contents(const PreparedContents& contents,
                                         const Executor& executor) {
  const auto items = static_cast<uint32_t>(contents.item_ids.size());
  std::vector<PartDegrees> degrees;
  for (size_t p = 0; p < contents.parts.size(); ++p) {
    PartDegrees& part = degrees.emplace_back(PartDegrees{.name = kPartNames[p]});
    contents.parts[p].for_each(
        [&](const Slab& slab) { part.add(slab.rows.view(items), executor); });
  }
  std::vector<Leakage> leakages;
  for (size_t later = 1; later < contents.parts.size(); ++later)
    for (size_t earlier = 0; earlier < later; ++earlier) {
      if (contents.overlap == Overlap::kImpossible) continue;
      Leakage& leakage = leakages.emplace_back();
      leakage.first = kPartNames[earlier];
      leakage.second = kPartNames[later];
      Slab buffer;
      Slab other_buffer;
      for (size_t k = 0; k < contents.parts[later].slabs(); ++k) {
        const Slab& slab = contents.parts[later].read(k, buffer);
        const Slab& other = contents.parts[earlier].read(k, other_buffer);
        leakage.pairs.add(other.rows.view(items), slab.rows.view(items), slab.first_user, executor);
      }
    }
  return statistics_of(degrees, leakages);
}

ManifestFile describe_file(const StagedFolder& staging, const std::string& name) {
  ManifestFile file{name, 0, {}};
  StreamHash128 hash;
  read_in_pieces(staging, name, [&](std::span<const std::byte> bytes) {
    file.bytes += bytes.size();
    hash.add(bytes);
  });
  file.hash = hash.hex();
  return file;
}

}  // namespace

WrittenDataset write_prepared(const StagedFolder& staging, const PreparedContents& contents,
                              const Executor& executor) {
  const auto items = static_cast<uint32_t>(contents.item_ids.size());
  WrittenDataset written;
  // The largest first; the others are done beside it, and counting while the disk is at work.
  const std::function<void()> tasks[] = {
      [&] { write_part(AtomicFile(staging, "train.bin"), contents.parts[0], items); },
      [&] { write_part(AtomicFile(staging, "test.bin"), contents.parts[2], items); },
      [&] { write_part(AtomicFile(staging, "valid.bin"), contents.parts[1], items); },
      [&] { write_strings(AtomicFile(staging, "users.bin"), contents.user_ids); },
      [&] { write_strings(AtomicFile(staging, "items.bin"), contents.item_ids); },
      [&] {
        if (!contents.item_names.empty())
          write_strings(AtomicFile(staging, "item_names.bin"), contents.item_names);
      },
      [&] { written.statistics = statistics_of_contents(contents, executor); }};
  executor.run(std::size(tasks), [&](int, size_t k) { tasks[k](); });

  Manifest manifest;
  manifest.recipe_json = contents.recipe_json;
  manifest.statistics_json = statistics_json(written.statistics);
  for (const std::string& name : manifest_file_names())
    if (fs::exists(staging.path() / name)) manifest.files.push_back({name, 0, {}});
  executor.run(manifest.files.size(), [&](int, size_t k) {
    manifest.files[k] = describe_file(staging, manifest.files[k].name);
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
