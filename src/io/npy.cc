// SPDX-License-Identifier: Apache-2.0
#include "io/npy.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/check.h"
#include "base/files.h"

namespace divns {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kNpyMagic = "\x93NUMPY";
// The data starts at a multiple of this, so that a mapped file is aligned.
constexpr size_t kNpyAlignment = 64;

struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  int dimensions = 0;
  size_t shape[2] = {0, 1};
};

// Reads the Python dictionary literal of a header: only strings, True/False and tuples of whole
// numbers occur there.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  NpyHeader parse() {
    NpyHeader header;
    unsigned seen = 0;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        header.descr = quoted();
        seen |= 1U;
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
        seen |= 2U;
      } else if (key == "shape") {
        shape(header);
        seen |= 4U;
      } else {
        damaged();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    if (seen != 7U) damaged();
    return header;
  }

 private:
  [[noreturn]] void damaged() const {
    fail("{}: the .npy header is damaged; save the array again with numpy.save.", path_);
  }
  void skip_spaces() {
    const size_t first = rest_.find_first_not_of(" \n\t\r");
    rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
  }
  bool accept(char wanted) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) damaged();
  }
  std::string quoted() {
    skip_spaces();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) damaged();
    const size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) damaged();
    std::string inside(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return inside;
  }
  bool boolean() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    damaged();
  }
  void shape(NpyHeader& header) {
    expect('(');
    while (!accept(')')) {
      skip_spaces();
      uint64_t length = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
      if (error != std::errc()) damaged();
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      if (header.dimensions < 2) header.shape[header.dimensions] = length;
      ++header.dimensions;
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string_view rest_;
  const std::string& path_;
};

// The header's text and where the data starts.
std::pair<std::string_view, size_t> locate_header(std::string_view file, const std::string& path) {
  if (!file.starts_with(kNpyMagic) || file.size() < kNpyMagic.size() + 4)
    fail("{}: not a .npy file; expected one written by numpy.save.", path);
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(file[i]); };
  const unsigned version = byte(6);
  if (version < 1 || version > 3)
    fail("{}: .npy format version {} is unknown; expected 1, 2 or 3.", path, version);
  const size_t length_bytes = version == 1 ? 2 : 4;
  const size_t start = 8 + length_bytes;
  if (file.size() < start) fail("{}: the .npy file is cut off inside its header.", path);
  size_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i) length |= size_t{byte(8 + i)} << (8 * i);
  if (length > file.size() - start) fail("{}: the .npy file is cut off inside its header.", path);
  return {file.substr(start, length), start + length};
}

template <class From, class To>
void convert(std::string_view bytes, AlignedVector<To>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    From value;
    std::memcpy(&value, bytes.data() + i * sizeof(From), sizeof(From));
    values[i] = static_cast<To>(value);
  }
}

template <class T>
constexpr char kind_letter() {
  if constexpr (std::is_floating_point_v<T>) return 'f';
  return std::is_signed_v<T> ? 'i' : 'u';
}

template <class T>
std::string header_text(const std::string& shape) {
  std::string text = fmt::format("{{'descr': '<{}{}', 'fortran_order': False, 'shape': {}, }}",
                                 kind_letter<T>(), sizeof(T), shape);
  const size_t before = kNpyMagic.size() + 4;
  text.append(kNpyAlignment - 1 - (before + text.size()) % kNpyAlignment, ' ');
  text.push_back('\n');
  const size_t length = text.size();
  std::string whole(kNpyMagic);
  whole += {'\x01', '\x00', static_cast<char>(length & 0xFFU), static_cast<char>(length >> 8U)};
  return whole + text;
}

}  // namespace

template <class T>
NpyArray<T> read_npy(const std::filesystem::path& path) {
  return parse_npy<T>(MappedFile(path).text(), path.string());
}

template <class T>
NpyArray<T> parse_npy(std::string_view file, const std::string& name) {
  const auto [text, data_start] = locate_header(file, name);
  const NpyHeader header = HeaderParser(text, name).parse();
  if (header.descr != "<f4" && header.descr != "<f8")
    fail(
        "{}: holds elements of type '{}'; expected float32 ('<f4') or float64 ('<f8'): convert it "
        "with array.astype('float32').",
        name, header.descr);
  if (header.dimensions != 1 && header.dimensions != 2)
    fail("{}: holds an array of {} dimensions; expected 1 or 2.", name, header.dimensions);
  if (header.fortran_order && header.dimensions == 2)
    fail("{}: is stored column after column; save numpy.ascontiguousarray(array) instead.", name);

  NpyArray<T> array;
  array.dimensions = header.dimensions;
  array.rows = header.shape[0];
  array.columns = header.shape[1];
  const size_t width = header.descr == "<f4" ? sizeof(float) : sizeof(double);
  const std::string_view bytes = file.substr(data_start);
  const size_t available = bytes.size() / width;
  // Division, because hostile lengths could overflow the product.
  const bool fits = array.rows == 0 || array.columns <= available / array.rows;
  if (!fits || array.rows * array.columns * width != bytes.size())
    fail("{}: the header promises {} x {} elements of {} bytes, but {} bytes of data follow.", name,
         array.rows, array.columns, width, bytes.size());
  array.values.resize(array.rows * array.columns);
  if (width == sizeof(float)) {
    convert<float>(bytes, array.values);
  } else {
    convert<double>(bytes, array.values);
  }
  return array;
}

template <class T>
void write_npy(const std::filesystem::path& path, std::span<const T> values) {
  AtomicFile file(path);
  file.write(header_text<T>(fmt::format("({},)", values.size())));
  file.write_array(values);
  file.commit();
}

template <class T>
void write_npy(const std::filesystem::path& path, std::span<const T> values, size_t rows,
               size_t columns, size_t stride) {
  DIVNS_ASSERT(stride >= columns);
  DIVNS_ASSERT(rows == 0 || values.size() >= (rows - 1) * stride + columns);
  AtomicFile file(path);
  file.write(header_text<T>(fmt::format("({}, {})", rows, columns)));
  if (stride == columns) {
    file.write_array(values.first(rows * columns));
  } else {
    for (size_t i = 0; i < rows; ++i) file.write_array(values.subspan(i * stride, columns));
  }
  file.commit();
}

template NpyArray<float> read_npy(const std::filesystem::path&);
template NpyArray<double> read_npy(const std::filesystem::path&);
template NpyArray<float> parse_npy(std::string_view, const std::string&);
template NpyArray<double> parse_npy(std::string_view, const std::string&);

#define DIVNS_INSTANTIATE(T)                                                 \
  template void write_npy(const std::filesystem::path&, std::span<const T>); \
  template void write_npy(const std::filesystem::path&, std::span<const T>, size_t, size_t, size_t);
DIVNS_INSTANTIATE(float)
DIVNS_INSTANTIATE(double)
DIVNS_INSTANTIATE(int32_t)
DIVNS_INSTANTIATE(int64_t)
DIVNS_INSTANTIATE(uint32_t)
DIVNS_INSTANTIATE(uint64_t)
#undef DIVNS_INSTANTIATE

}  // namespace divns
