// SPDX-License-Identifier: Apache-2.0
// Reads columns of a table through the Arrow C stream interface
// (https://arrow.apache.org/docs/format/CStreamInterface.html). Values are copied once.
#include <cstring>
#include <map>
#include <memory>

#include "bindings.h"

// The structures of the interface, as its specification gives them.
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace divns::python {
namespace {

template <class T>
struct Released : T {
  Released() : T{} {}
  ~Released() {
    if (this->release != nullptr) this->release(this);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
};

[[noreturn]] void refuse(const std::string& column, const std::string& problem) {
  throw Error("the column '" + column + "' " + problem);
}

// The slots [begin, begin + count) of an array, its own offset included.
struct Slots {
  const ArrowArray* array;
  int64_t begin;
  int64_t count;

  template <class T>
  const T* buffer(int number) const {
    return static_cast<const T*>(array->buffers[number]);
  }
  bool has_nulls() const {
    if (array->null_count == 0 || array->n_buffers == 0 || array->buffers[0] == nullptr)
      return false;
    for (int64_t n = begin; n < begin + count; ++n)
      if ((buffer<uint8_t>(0)[n / 8] >> (n % 8) & 1) == 0) return true;
    return false;
  }
};

// A column that grows by the batches of the stream. One of the three vectors is used.
struct GrowingColumn {
  std::string name;
  std::vector<int64_t> integers = {};
  std::vector<double> numbers = {};
  nb::list texts = {};
  char kind = 0;  // 'i', 'f' or 'u'; 0 before the first batch

  void add(const ArrowSchema& schema, const Slots& slots);
  nb::object finish();

 private:
  template <class T>
  void add_integers(const Slots& slots, int64_t multiply = 1, int64_t divide = 1) {
    kind = 'i';
    const T* values = slots.buffer<T>(1);
    for (int64_t n = slots.begin; n < slots.begin + slots.count; ++n) {
      if constexpr (std::is_same_v<T, uint64_t>)
        if (values[n] > INT64_MAX) refuse(name, "holds a number that does not fit into 64 bits.");
      const auto value = static_cast<int64_t>(values[n]);
      // Rounded down, so that times before 1970 keep their order.
      const int64_t part = value / divide - (value % divide < 0 ? 1 : 0);
      integers.push_back(part * multiply);
    }
  }
  template <class T>
  void add_numbers(const Slots& slots) {
    kind = 'f';
    const T* values = slots.buffer<T>(1);
    numbers.insert(numbers.end(), values + slots.begin, values + slots.begin + slots.count);
  }
  void add_text(const char* bytes, size_t size) {
    const auto text =
        nb::steal<nb::object>(PyUnicode_DecodeUTF8(bytes, static_cast<Py_ssize_t>(size), nullptr));
    if (!text.is_valid()) throw nb::python_error();
    texts.append(text);
  }
  template <class Offset>
  void add_texts(const Slots& slots) {
    kind = 'u';
    const Offset* ends = slots.buffer<Offset>(1);
    const char* bytes = slots.buffer<char>(2);
    for (int64_t n = slots.begin; n < slots.begin + slots.count; ++n)
      add_text(bytes + ends[n], static_cast<size_t>(ends[n + 1] - ends[n]));
  }
  // A view has 16 bytes: the length, then up to 12 bytes of text, or prefix, buffer and offset.
  void add_text_views(const Slots& slots) {
    kind = 'u';
    for (int64_t n = slots.begin; n < slots.begin + slots.count; ++n) {
      const char* view = slots.buffer<char>(1) + n * 16;
      int32_t place[4];
      std::memcpy(place, view, sizeof place);
      const char* bytes = place[0] <= 12 ? view + 4 : slots.buffer<char>(2 + place[2]) + place[3];
      add_text(bytes, static_cast<size_t>(place[0]));
    }
  }
  void add_dictionary(const ArrowSchema& schema, const Slots& slots);
};

void GrowingColumn::add_dictionary(const ArrowSchema& schema, const Slots& slots) {
  const ArrowArray& values = *slots.array->dictionary;
  GrowingColumn entries{.name = name};
  entries.add(*schema.dictionary, {&values, values.offset, values.length});
  ArrowSchema plain = schema;
  plain.dictionary = nullptr;
  GrowingColumn numbers_of{.name = name};
  numbers_of.add(plain, slots);
  if (entries.kind != 'u' || numbers_of.kind != 'i')
    refuse(name, "is a dictionary of something other than strings; convert it first.");
  kind = 'u';
  for (const int64_t number : numbers_of.integers) {
    if (number < 0 || number >= values.length) refuse(name, "has an entry outside its dictionary.");
    texts.append(entries.texts[static_cast<size_t>(number)]);
  }
}

void GrowingColumn::add(const ArrowSchema& schema, const Slots& slots) {
  if (slots.count == 0) return;
  if (slots.has_nulls()) refuse(name, "holds missing values; remove them first.");
  if (schema.dictionary != nullptr) return add_dictionary(schema, slots);
  const std::string_view format = schema.format;
  constexpr int64_t kDay = 86'400;
  const std::map<std::string_view, int64_t> units = {
      {"tss", 1}, {"tsm", 1'000}, {"tsu", 1'000'000}, {"tsn", 1'000'000'000}};
  if (const auto unit = units.find(format.substr(0, 3)); unit != units.end())
    return add_integers<int64_t>(slots, 1, unit->second);
  if (format == "c") return add_integers<int8_t>(slots);
  if (format == "C") return add_integers<uint8_t>(slots);
  if (format == "s") return add_integers<int16_t>(slots);
  if (format == "S") return add_integers<uint16_t>(slots);
  if (format == "i") return add_integers<int32_t>(slots);
  if (format == "I") return add_integers<uint32_t>(slots);
  if (format == "l") return add_integers<int64_t>(slots);
  if (format == "L") return add_integers<uint64_t>(slots);
  if (format == "tdD") return add_integers<int32_t>(slots, kDay);
  if (format == "tdm") return add_integers<int64_t>(slots, 1, 1'000);
  if (format == "f") return add_numbers<float>(slots);
  if (format == "g") return add_numbers<double>(slots);
  if (format == "u") return add_texts<int32_t>(slots);
  if (format == "U") return add_texts<int64_t>(slots);
  if (format == "vu") return add_text_views(slots);
  refuse(name, "has the Arrow type '" + std::string(format) +
                   "'; expected integers, floats, strings or times.");
}

nb::object GrowingColumn::finish() {
  if (kind == 'u') return texts;
  if (kind == 'f') return nb::cast(column_of(std::move(numbers)));
  return nb::cast(column_of(std::move(integers)));
}

void check(int code, ArrowArrayStream* stream) {
  if (code == 0) return;
  const char* sentence = stream->get_last_error(stream);
  throw Error(std::string("the Arrow stream failed: ") + (sentence ? sentence : "no reason given"));
}

// The named columns of a table: int64 arrays, float64 arrays or lists of str.
std::vector<nb::object> arrow_columns(const nb::capsule& capsule,
                                      const std::vector<std::string>& names) {
  auto* stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  if (stream->release == nullptr) throw Error("the Arrow stream was read before.");
  Released<ArrowSchema> schema;
  check(stream->get_schema(stream, &schema), stream);
  if (std::string_view(schema.format) != "+s")
    throw Error("the Arrow stream holds no table; expected named columns.");
  std::vector<GrowingColumn> columns;
  std::vector<int64_t> places;
  for (const std::string& name : names) {
    int64_t place = 0;
    while (place < schema.n_children && schema.children[place]->name != name) ++place;
    if (place == schema.n_children) refuse(name, "does not exist in the table.");
    places.push_back(place);
    columns.push_back({.name = name});
  }
  while (true) {
    Released<ArrowArray> batch;
    check(stream->get_next(stream, &batch), stream);
    if (batch.release == nullptr) break;
    for (size_t c = 0; c < columns.size(); ++c) {
      const ArrowArray& child = *batch.children[places[c]];
      columns[c].add(*schema.children[places[c]],
                     {&child, child.offset + batch.offset, batch.length});
    }
  }
  std::vector<nb::object> found;
  for (GrowingColumn& column : columns) found.push_back(column.finish());
  return found;
}

}  // namespace

void bind_arrow(nb::module_& m) {
  m.def("arrow_columns", &arrow_columns, nb::arg("stream"), nb::arg("names"));
}

}  // namespace divns::python
