// SPDX-License-Identifier: Apache-2.0
// The safetensors layout: 8 bytes little-endian header length, a JSON header (name -> dtype, shape,
// data_offsets; string-only __metadata__), then raw row-major tensors. Files read are hostile
// input: every size, offset and overlap is checked before anything is used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace divns {

class MappedFile;
enum class Links;

enum class TensorType { kU8, kI32, kI64, kU32, kU64, kF32, kF64 };

size_t size_of(TensorType type);
template <class T>
constexpr TensorType tensor_type_of();
template <>
constexpr TensorType tensor_type_of<uint8_t>() {
  return TensorType::kU8;
}
template <>
constexpr TensorType tensor_type_of<int32_t>() {
  return TensorType::kI32;
}
template <>
constexpr TensorType tensor_type_of<int64_t>() {
  return TensorType::kI64;
}
template <>
constexpr TensorType tensor_type_of<uint32_t>() {
  return TensorType::kU32;
}
template <>
constexpr TensorType tensor_type_of<uint64_t>() {
  return TensorType::kU64;
}
template <>
constexpr TensorType tensor_type_of<float>() {
  return TensorType::kF32;
}
template <>
constexpr TensorType tensor_type_of<double>() {
  return TensorType::kF64;
}

// Collects views of tensors and strings, then writes them in one go. What add() is given must stay
// alive until write(); the order of the bytes depends on the names alone.
class TensorWriter {
 public:
  template <class T>
  void add(const std::string& name, std::span<const T> values) {
    add(name, tensor_type_of<T>(), {values.size()}, std::as_bytes(values));
  }
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    add(name, std::span<const T>(values));
  }
  template <class T>
  void add_matrix(const std::string& name, std::span<const T> values, uint64_t rows,
                  uint64_t columns) {
    add(name, tensor_type_of<T>(), {rows, columns}, std::as_bytes(values));
  }
  // Copies, for what does not live long enough.
  template <class T>
  void add_copy(const std::string& name, std::span<const T> values) {
    const auto bytes = std::as_bytes(values);
    copies_.emplace_back(bytes.begin(), bytes.end());
    add(name, tensor_type_of<T>(), {values.size()}, copies_.back());
  }
  void set_metadata(const std::string& key, std::string value) {
    metadata_[key] = std::move(value);
  }
  // Names added from now on get this in front: the way to keep several owners apart.
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }

  // Hash of all tensors and metadata so far, but for the metadata "content_hash" itself.
  std::string content_hash() const;
  void write(const std::filesystem::path& path) const;

 private:
  struct Entry {
    TensorType type;
    std::vector<uint64_t> shape;
    std::span<const std::byte> bytes;
  };
  void add(const std::string& name, TensorType type, std::vector<uint64_t> shape,
           std::span<const std::byte> bytes);

  std::string prefix_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, std::string> metadata_;
  std::vector<std::vector<std::byte>> copies_;
};

class TensorReader {
 public:
  struct Tensor {
    TensorType type;
    std::vector<uint64_t> shape;
    std::span<const std::byte> bytes;
  };

  // Opens the file and checks its header. Every refusal is an Error that names the file.
  explicit TensorReader(const std::filesystem::path& path) : TensorReader(path, Links()) {}
  TensorReader(const std::filesystem::path& path, Links links);
  // The same on bytes in memory, which must outlive the reader; `name` is for messages.
  TensorReader(std::span<const std::byte> bytes, std::string name);

  // As TensorWriter::content_hash.
  std::string content_hash() const;

  bool has(std::string_view name) const;
  const std::string& metadata(std::string_view key) const;
  bool has_metadata(std::string_view key) const;
  const std::map<std::string, Tensor, std::less<>>& tensors() const { return tensors_; }

  // The values of a tensor of this type; refuses a missing one or another type. Data that some
  // other writer left unaligned are refused too.
  template <class T>
  std::span<const T> values(std::string_view name) const {
    const Tensor& tensor = checked(name, tensor_type_of<T>());
    return {static_cast<const T*>(static_cast<const void*>(tensor.bytes.data())),
            tensor.bytes.size() / sizeof(T)};
  }
  // Copies into `out`; refuses another number of values.
  template <class T>
  void read(std::string_view name, std::span<T> out) const {
    const std::span<const T> found = values<T>(name);
    require_count(name, found.size(), out.size());
    std::copy(found.begin(), found.end(), out.begin());
  }
  // The shape of a matrix; refuses any other.
  std::pair<uint64_t, uint64_t> matrix_shape(std::string_view name) const;

  // A view whose names carry this prefix.
  TensorReader with_prefix(std::string prefix) const;
  const std::string& file_name() const { return name_; }

 private:
  TensorReader() = default;
  void parse(std::span<const std::byte> bytes);
  const Tensor& find(std::string_view name) const;
  const Tensor& checked(std::string_view name, TensorType type) const;
  void require_count(std::string_view name, size_t found, size_t expected) const;

  std::shared_ptr<const MappedFile> file_;
  std::string name_;
  std::string prefix_;
  std::map<std::string, Tensor, std::less<>> tensors_;
  std::map<std::string, std::string, std::less<>> metadata_;
};

}  // namespace divns
