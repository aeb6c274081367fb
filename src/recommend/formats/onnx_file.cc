// SPDX-License-Identifier: Apache-2.0
// ONNX files are messages of protocol buffers: fields of a number, a type and a value. The numbers
// of the fields are those of onnx.proto.
#include "recommend/formats/onnx_file.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/files.h"
#include "divns/version.h"

namespace divns {
namespace {

constexpr uint64_t kLargestMessage = (uint64_t{1} << 31) - 1;
constexpr int kFloat = 1;
constexpr int kInt64 = 7;

// A message under construction.
class ProtoMessage {
 public:
  ProtoMessage& number(int field, uint64_t value) {
    put_varint(static_cast<uint64_t>(field) << 3);
    put_varint(value);
    return *this;
  }
  ProtoMessage& text(int field, std::string_view value) {
    put_varint(static_cast<uint64_t>(field) << 3 | 2);
    put_varint(value.size());
    bytes_ += value;
    return *this;
  }
  ProtoMessage& message(int field, const ProtoMessage& value) { return text(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  // Seven bits per byte, the lowest first; all but the last byte have the highest bit set.
  void put_varint(uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>(value | 128);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

// A constant: dims (1), data_type (2), name (8), raw_data (9).
template <class T>
ProtoMessage tensor(const char* name, int type, std::initializer_list<uint64_t> shape,
                    const std::vector<T>& values) {
  ProtoMessage message;
  for (const uint64_t size : shape) message.number(1, size);
  std::string raw(values.size() * sizeof(T), '\0');
  std::memcpy(raw.data(), values.data(), raw.size());
  return message.number(2, static_cast<uint64_t>(type)).text(8, name).text(9, raw);
}

// An input or output; sizes that are not numbers are names.
ProtoMessage value_info(const char* name, int type, std::initializer_list<const char*> shape) {
  ProtoMessage dims;
  for (const char* size : shape) {
    ProtoMessage dim;
    if (size[0] == '1')
      dim.number(1, 1);
    else
      dim.text(2, size);
    dims.message(1, dim);
  }
  const ProtoMessage tensor_type =
      ProtoMessage().number(1, static_cast<uint64_t>(type)).message(2, dims);
  return ProtoMessage().text(1, name).message(2, ProtoMessage().message(1, tensor_type));
}

ProtoMessage operation(const char* type, std::initializer_list<const char*> inputs,
                       std::initializer_list<const char*> outputs) {
  ProtoMessage node;
  for (const char* input : inputs) node.text(1, input);
  for (const char* output : outputs) node.text(2, output);
  return node.text(3, type).text(4, type);
}

}  // namespace

void write_onnx(const std::filesystem::path& path, const VectorTable& users,
                const VectorTable& items) {
  const uint64_t bytes = 4 * uint64_t{users.dim} * (uint64_t{users.rows} + items.rows);
  if (bytes + 4096 > kLargestMessage)
    fail("The vectors take {} bytes; an ONNX file holds less than 2 GiB. Use --format npy.", bytes);
  std::vector<float> by_user;
  for (uint32_t user = 0; user < users.rows; ++user)
    by_user.insert(by_user.end(), users.row(user), users.row(user) + users.dim);
  std::vector<float> by_column;
  for (uint32_t k = 0; k < items.dim; ++k)
    for (uint32_t item = 0; item < items.rows; ++item) by_column.push_back(items.row(item)[k]);

  ProtoMessage graph;
  graph.message(1, operation("Gather", {"users", "user"}, {"vectors"}))
      .message(1, operation("MatMul", {"vectors", "item_columns"}, {"all_scores"}))
      .message(1, operation("TopK", {"all_scores", "k"}, {"scores", "items"}))
      .text(2, "recommend")
      .message(5, tensor("users", kFloat, {users.rows, users.dim}, by_user))
      .message(5, tensor("item_columns", kFloat, {items.dim, items.rows}, by_column))
      .message(5, tensor("k", kInt64, {1}, std::vector<int64_t>{10}))
      .message(11, value_info("user", kInt64, {"n"}))
      .message(11, value_info("k", kInt64, {"1"}))
      .message(12, value_info("items", kInt64, {"n", "k"}))
      .message(12, value_info("scores", kFloat, {"n", "k"}));
  const ProtoMessage model = ProtoMessage()
                                 .number(1, 7)  // version of the format
                                 .text(2, "divns")
                                 .text(3, kVersion)
                                 .message(7, graph)
                                 .message(8, ProtoMessage().text(1, "").number(2, 13));
  AtomicFile file(path, Target::kNew);
  file.write(model.bytes());
  file.commit();
}

}  // namespace divns
