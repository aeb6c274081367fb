// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "divns/tensors.h"
#include "divns/version.h"
#include "io/model_file.h"
#include "io/model_tensors.h"
#include "io/strings.h"

namespace divns {
namespace {

std::vector<float> without_padding(VectorTable table) {
  std::vector<float> packed;
  packed.reserve(size_t{table.rows} * table.dim);
  for (uint32_t i = 0; i < table.rows; ++i)
    packed.insert(packed.end(), table.row(i), table.row(i) + table.dim);
  return packed;
}

// A table without its padding, which lives until the file is written.
struct PackedTable {
  explicit PackedTable(const VectorTable& table)
      : rows(table.rows), dim(table.dim), values(without_padding(table)) {}

  void add_to(TensorWriter& file, std::string_view name, HashOfParts& hash) const {
    file.add_matrix(std::string(name), std::span(values), rows, dim);
    hash.add_values(values);
  }

  uint64_t rows;
  uint64_t dim;
  std::vector<float> values;
};

// The training items of the users, as the signed numbers that other readers of safetensors know.
struct PackedHistories {
  explicit PackedHistories(const Interactions& histories)
      : items(histories.items.begin(), histories.items.end()),
        offsets(histories.offsets.begin(), histories.offsets.end()) {}

  std::vector<int32_t> items;
  std::vector<int64_t> offsets;
};

}  // namespace

void write_model_file(const std::filesystem::path& path, const ModelFile& model) {
  const ModelContents& contents = model.contents;
  const bool has_vectors = contents.has_vectors();
  const uint32_t user_count = has_vectors ? contents.user_vectors.rows : contents.histories.users();
  const uint32_t item_count =
      has_vectors ? contents.item_vectors.rows : contents.histories.item_count;
  const auto user_ids = PackedStrings::pack(user_count, model.user_id);
  const auto item_ids = PackedStrings::pack(item_count, model.item_id);
  const auto item_names = PackedStrings::pack(item_count, model.item_name);
  const PackedTable vectors[] = {PackedTable(contents.user_vectors),
                                 PackedTable(contents.item_vectors)};
  const PackedTable parameters[] = {PackedTable(contents.user_parameters),
                                    PackedTable(contents.item_parameters)};
  const PackedHistories histories(contents.histories);

  HashOfParts hash;
  TensorWriter file;
  if (has_vectors) {
    for (const int side : {0, 1}) vectors[side].add_to(file, kVectorTensors[side], hash);
  } else {
    file.add_matrix("item_weights", contents.item_weights, item_count, item_count);
    file.add("histories", histories.items);
    file.add("histories_offsets", histories.offsets);
    hash.add(std::as_bytes(contents.item_weights));
    hash.add_values(histories.items);
    hash.add_values(histories.offsets);
  }
  for (const PackedStrings* strings : {&user_ids, &item_ids, &item_names}) {
    hash.add(std::as_bytes(std::span(strings->bytes)));
    hash.add(std::as_bytes(std::span(strings->offsets)));
  }
  if (contents.user_parameters.data != nullptr) {
    HashOfParts parameters_hash;
    for (const int side : {0, 1})
      parameters[side].add_to(file, kParameterTensors[side], parameters_hash);
    file.set_metadata("parameters_hash", parameters_hash.hex());
  }
  user_ids.add_to(file, "user_ids");
  item_ids.add_to(file, "item_ids");
  item_names.add_to(file, "item_names");
  file.set_metadata("format", std::string(kModelFormat));
  file.set_metadata("version", std::string(has_vectors ? kVectorsVersion : kWeightsVersion));
  file.set_metadata("divns_version", kVersion);
  file.set_metadata("model", model.model);
  file.set_metadata("sampler", model.sampler);
  file.set_metadata("seed", std::to_string(model.seed));
  file.set_metadata("dataset_hash", model.dataset_hash);
  file.set_metadata("config", model.config);
  file.set_metadata("content_hash", hash.hex());
  file.write(path);
}

}  // namespace divns
