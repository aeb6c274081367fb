// SPDX-License-Identifier: Apache-2.0
#include "eval/per_user_file.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/check.h"
#include "base/hash.h"
#include "divns/tensors.h"

namespace divns {
namespace {

std::string join(const std::vector<std::string>& columns) {
  return fmt::format("{}", fmt::join(columns, ","));
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> columns;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    columns.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return columns;
}

std::string content_hash(const PerUserMetrics& metrics) {
  return hash128_hex(hash128_hex(std::as_bytes(std::span(metrics.users))) +
                     hash128_hex(std::as_bytes(std::span(metrics.values))) + join(metrics.columns));
}

}  // namespace

void write_per_user_file(const std::filesystem::path& path, const PerUserFile& file) {
  TensorWriter writer;
  writer.add("users", file.metrics.users);
  for (size_t c = 0; c < file.metrics.columns.size(); ++c)
    writer.add(file.metrics.columns[c], file.metrics.column(c));
  writer.set_metadata("format", std::string(kPerUserFormat));
  writer.set_metadata("version", "1");
  writer.set_metadata("columns", join(file.metrics.columns));
  writer.set_metadata("dataset_hash", file.dataset_hash);
  writer.set_metadata("part", file.part);
  writer.set_metadata("mask", file.mask);
  writer.set_metadata("content_hash", content_hash(file.metrics));
  writer.write(path);
}

PerUserFile read_per_user_file(const std::filesystem::path& path) {
  return read_per_user_file(TensorReader(path));
}

PerUserFile read_per_user_file(const TensorReader& tensors) {
  const std::string& name = tensors.file_name();
  if (!tensors.has_metadata("format") || tensors.metadata("format") != kPerUserFormat)
    fail("{}: not a file of per-user metrics (its format is not '{}').", name, kPerUserFormat);
  if (tensors.metadata("version") != "1")
    fail("{}: version '{}' of the format; this program reads version 1.", name,
         tensors.metadata("version"));
  PerUserFile file;
  file.dataset_hash = tensors.metadata("dataset_hash");
  file.part = tensors.metadata("part");
  file.mask = tensors.metadata("mask");
  PerUserMetrics& metrics = file.metrics;
  metrics.columns = split(tensors.metadata("columns"));
  // Names must be distinct, so that a small file cannot request a large table.
  const std::set<std::string> distinct(metrics.columns.begin(), metrics.columns.end());
  if (distinct.size() != metrics.columns.size())
    fail("{}: a column is listed twice; the file is damaged.", name);
  const std::span<const uint32_t> users = tensors.values<uint32_t>("users");
  metrics.users.assign(users.begin(), users.end());
  if (std::adjacent_find(users.begin(), users.end(), std::greater_equal<>()) != users.end())
    fail("{}: the users are not in ascending order; the file is damaged.", name);
  for (const std::string& column : metrics.columns) {
    const std::span<const float> values = tensors.values<float>(column);
    if (values.size() != users.size())
      fail("{}: column '{}' has {} values for {} users; the file is damaged.", name, column,
           values.size(), users.size());
    metrics.values.insert(metrics.values.end(), values.begin(), values.end());
  }
  if (content_hash(metrics) != tensors.metadata("content_hash"))
    fail("{}: the content does not match its hash; the file is damaged.", name);
  return file;
}

}  // namespace divns
