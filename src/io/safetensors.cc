// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "divns/tensors.h"

namespace divns {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "the layout is little-endian");

constexpr uint64_t kMaxHeader = 100'000'000;
constexpr size_t kTensorAlignment = 64;
constexpr std::string_view kContentHashKey = "content_hash";

struct TypeName {
  TensorType type;
  std::string_view name;
  size_t size;
};
constexpr std::array kTypes = {
    TypeName{TensorType::kU8, "U8", 1},   TypeName{TensorType::kI32, "I32", 4},
    TypeName{TensorType::kI64, "I64", 8}, TypeName{TensorType::kU32, "U32", 4},
    TypeName{TensorType::kU64, "U64", 8}, TypeName{TensorType::kF32, "F32", 4},
    TypeName{TensorType::kF64, "F64", 8},
};

const TypeName& info(TensorType type) {
  return *std::find_if(kTypes.begin(), kTypes.end(),
                       [&](const TypeName& entry) { return entry.type == type; });
}

size_t aligned(size_t n) {
  return (n + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

// The header's own rule: a non-negative integer.
uint64_t whole_number(const json& value, const std::string& file, std::string_view what) {
  if (!value.is_number_unsigned())
    fail("{} is damaged: {} in its header is not a whole number.", file, what);
  return value.get<uint64_t>();
}

TensorReader::Tensor parse_tensor(const std::string& file, const std::string& name,
                                  const json& entry, std::span<const std::byte> data) {
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
      !entry.contains("data_offsets") || !entry["dtype"].is_string() ||
      !entry["shape"].is_array() || !entry["data_offsets"].is_array() ||
      entry["data_offsets"].size() != 2)
    fail("{} is damaged: tensor '{}' lacks dtype, shape or data_offsets.", file, name);
  const auto& dtype = entry["dtype"].get_ref<const std::string&>();
  const auto* type = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const TypeName& known) { return known.name == dtype; });
  if (type == kTypes.end())
    fail("{}: tensor '{}' has the type '{}', which is not one of U8, I32, I64, U32, U64, F32, F64.",
         file, name, dtype);
  TensorReader::Tensor tensor{type->type, {}, {}};
  uint64_t size = type->size;
  for (const json& extent : entry["shape"]) {
    tensor.shape.push_back(whole_number(extent, file, "a shape"));
    if (__builtin_mul_overflow(size, tensor.shape.back(), &size))
      fail("{} is damaged: the shape of tensor '{}' is larger than any memory.", file, name);
  }
  const uint64_t begin = whole_number(entry["data_offsets"][0], file, "an offset");
  const uint64_t end = whole_number(entry["data_offsets"][1], file, "an offset");
  if (begin > end || end > data.size())
    fail("{} is damaged or cut short: tensor '{}' is said to take bytes {} to {} of {}.", file,
         name, begin, end, data.size());
  if (end - begin != size)
    fail("{} is damaged: tensor '{}' has {} bytes where its shape needs {}.", file, name,
         end - begin, size);
  tensor.bytes = data.subspan(begin, end - begin);
  return tensor;
}

// A hash over all names, types, shapes, bytes and metadata but "content_hash" itself.
class TensorHash {
 public:
  template <class Tensor>
  void add(const std::string& name, const Tensor& tensor) {
    text_ += fmt::format("{}\n{} {}\n{}\n", name, info(tensor.type).name,
                         fmt::join(tensor.shape, ","), hash128_hex(tensor.bytes));
  }
  template <class Metadata>
  std::string hex(const Metadata& metadata) {
    for (const auto& [key, value] : metadata)
      if (key != kContentHashKey) text_ += fmt::format("{}\n{}\n", key, hash128_hex(value));
    return hash128_hex(text_);
  }

 private:
  std::string text_;
};

}  // namespace

size_t size_of(TensorType type) {
  return info(type).size;
}

void TensorWriter::add(const std::string& name, TensorType type, std::vector<uint64_t> shape,
                       std::span<const std::byte> bytes) {
  uint64_t size = size_of(type);
  for (const uint64_t extent : shape) size *= extent;
  DIVNS_ASSERT(size == bytes.size());
  const bool fresh = entries_.emplace(prefix_ + name, Entry{type, std::move(shape), bytes}).second;
  DIVNS_ASSERT(fresh);
}

std::string TensorWriter::content_hash() const {
  TensorHash hash;
  for (const auto& [name, entry] : entries_) hash.add(name, entry);
  return hash.hex(metadata_);
}

void TensorWriter::write(const std::filesystem::path& path) const {
  json header = json::object();
  if (!metadata_.empty()) header["__metadata__"] = metadata_;
  // Largest elements first would align without gaps; instead each tensor starts on its own natural
  // boundary because bytes are laid out from wide types to narrow ones.
  std::vector<const std::pair<const std::string, Entry>*> order;
  for (const auto& entry : entries_) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return size_of(a->second.type) > size_of(b->second.type);
  });
  uint64_t offset = 0;
  for (const auto* entry : order) {
    const uint64_t end = offset + entry->second.bytes.size();
    header[entry->first] = {{"dtype", info(entry->second.type).name},
                            {"shape", entry->second.shape},
                            {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump(-1, ' ', false, json::error_handler_t::replace);
  text.resize(aligned(8 + text.size()) - 8, ' ');

  AtomicFile file(path);
  const uint64_t length = text.size();
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(text);
  for (const auto* entry : order) file.write(entry->second.bytes);
  file.commit();
}

TensorReader::TensorReader(const std::filesystem::path& path, Links links)
    : file_(std::make_shared<MappedFile>(path, links)), name_(path.string()) {
  parse(file_->bytes());
}

TensorReader::TensorReader(std::span<const std::byte> bytes, std::string name)
    : name_(std::move(name)) {
  parse(bytes);
}

void TensorReader::parse(std::span<const std::byte> bytes) {
  uint64_t length = 0;
  if (bytes.size() < sizeof length)
    fail("{} is not a safetensors file: it has only {} bytes.", name_, bytes.size());
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kMaxHeader || length > bytes.size() - sizeof length)
    fail("{} is not a safetensors file, or it is cut short: its header is said to take {} bytes.",
         name_, length);
  const auto* text = reinterpret_cast<const char*>(bytes.data()) + sizeof length;
  const auto data = bytes.subspan(sizeof length + length);
  // The layout is an object of objects of arrays.
  constexpr int kDeepestHeader = 3;
  if (!is_json_within({text, length}, kDeepestHeader, SIZE_MAX))
    fail("{} is damaged: its header is nested too deeply.", name_);
  const json header = json::parse(text, text + length, nullptr, false);
  if (header.is_discarded()) fail("{} is damaged: its header is not JSON.", name_);
  if (!header.is_object()) fail("{} is damaged: its header is not a JSON object.", name_);
  for (const auto& [key, value] : header.items()) {
    if (key != "__metadata__") {
      tensors_.emplace(key, parse_tensor(name_, key, value, data));
      continue;
    }
    if (!value.is_object()) fail("{} is damaged: its metadata is not an object.", name_);
    for (const auto& [name, content] : value.items()) {
      if (!content.is_string()) fail("{} is damaged: metadata '{}' is not a string.", name_, name);
      metadata_.emplace(name, content.get<std::string>());
    }
  }
  // Tensors must tile the data without overlap, as the layout demands.
  std::vector<std::span<const std::byte>> parts;
  for (const auto& entry : tensors_) parts.push_back(entry.second.bytes);
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return std::pair(a.data(), a.size()) < std::pair(b.data(), b.size());
  });
  const std::byte* expected = data.data();
  for (const auto& part : parts) {
    if (part.data() != expected) fail("{} is damaged: its tensors overlap or leave gaps.", name_);
    expected = part.data() + part.size();
  }
  if (expected != data.data() + data.size())
    fail("{} is damaged: bytes follow its last tensor.", name_);
}

std::string TensorReader::content_hash() const {
  TensorHash hash;
  for (const auto& [name, tensor] : tensors_) hash.add(name, tensor);
  return hash.hex(metadata_);
}

bool TensorReader::has(std::string_view name) const {
  return tensors_.contains(prefix_ + std::string(name));
}

bool TensorReader::has_metadata(std::string_view key) const {
  return metadata_.contains(key);
}

const std::string& TensorReader::metadata(std::string_view key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end()) fail("{} holds no metadata '{}'.", name_, key);
  return found->second;
}

const TensorReader::Tensor& TensorReader::find(std::string_view name) const {
  const auto found = tensors_.find(prefix_ + std::string(name));
  if (found == tensors_.end()) fail("{} holds no tensor '{}{}'.", name_, prefix_, name);
  return found->second;
}

const TensorReader::Tensor& TensorReader::checked(std::string_view name, TensorType type) const {
  const Tensor& tensor = find(name);
  if (tensor.type != type)
    fail("{}: tensor '{}{}' has the type {} where {} was expected.", name_, prefix_, name,
         info(tensor.type).name, info(type).name);
  if (reinterpret_cast<uintptr_t>(tensor.bytes.data()) % size_of(type) != 0)
    fail("{}: tensor '{}{}' does not start on a multiple of its element size.", name_, prefix_,
         name);
  return tensor;
}

void TensorReader::require_count(std::string_view name, size_t found, size_t expected) const {
  if (found != expected)
    fail("{}: tensor '{}{}' has {} values where {} were expected.", name_, prefix_, name, found,
         expected);
}

std::pair<uint64_t, uint64_t> TensorReader::matrix_shape(std::string_view name) const {
  const Tensor& tensor = find(name);
  if (tensor.shape.size() != 2) fail("{}: tensor '{}{}' is not a matrix.", name_, prefix_, name);
  return {tensor.shape[0], tensor.shape[1]};
}

TensorReader TensorReader::with_prefix(std::string prefix) const {
  TensorReader other = *this;
  other.prefix_ = std::move(prefix);
  return other;
}

}  // namespace divns
