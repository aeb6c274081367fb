// SPDX-License-Identifier: Apache-2.0
#include "data/dataset_files.h"

#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "base/files.h"
#include "data/id_order.h"
#include "divns/aligned.h"

namespace divns {
namespace {

static_assert(std::endian::native == std::endian::little, "prepared files are mapped as they are");

constexpr uint32_t kVersion1 = 1;

// 64 bytes, so that what follows is aligned for any vector load.
struct Header {
  char magic[8];
  uint32_t version;
  uint32_t flags;
  uint64_t rows;     // users, or strings
  uint64_t columns;  // items, or bytes of text
  uint64_t entries;  // pairs, or 0
  uint64_t reserved[3];
};
static_assert(sizeof(Header) == 64);

constexpr char kPartMagic[9] = "DIVNSPRT";
constexpr char kStringsMagic[9] = "DIVNSSTR";
constexpr uint32_t kNumericOrder = 1;

Header read_header(std::span<const std::byte> file, const char* magic, const std::string& name) {
  Header header{};
  if (file.size() < sizeof header)
    fail("{} is damaged: it ends within its header; prepare the dataset again.", name);
  std::memcpy(&header, file.data(), sizeof header);
  if (std::memcmp(header.magic, magic, sizeof header.magic) != 0)
    fail("{} is damaged: it does not begin with {}; prepare the dataset again.", name, magic);
  if (header.version != kVersion1)
    fail("{} has version {}, but this divns reads version {}; prepare the dataset again.", name,
         header.version, kVersion1);
  return header;
}

template <class T>
std::span<const T> array_at(std::span<const std::byte> file, size_t offset, size_t count) {
  return {values_at<T>(file.data() + offset), count};
}

// Offsets that begin at 0, never descend and end at `total`.
void check_offsets(std::span<const uint64_t> offsets, uint64_t total, const std::string& name) {
  if (offsets.front() != 0 || offsets.back() != total ||
      !std::is_sorted(offsets.begin(), offsets.end()))
    fail("{} is damaged: its offsets are out of order; prepare the dataset again.", name);
}

}  // namespace

void write_part(AtomicFile file, const SlabStore& part, uint32_t items) {
  Header header{};
  std::memcpy(header.magic, kPartMagic, sizeof header.magic);
  header.version = kVersion1;
  header.rows = part.users();
  header.columns = items;
  header.entries = part.pairs();
  file.write(std::as_bytes(std::span(&header, 1)));
  const uint64_t zero = 0;
  file.write(std::as_bytes(std::span(&zero, 1)));
  part.for_each([&](const Slab& slab) {
    std::vector<uint64_t> shifted;
    std::span<const uint64_t> offsets = slab.rows.offsets;
    if (slab.first_pair > 0) {
      shifted.assign(offsets.begin(), offsets.end());
      for (uint64_t& offset : shifted) offset += slab.first_pair;
      offsets = shifted;
    }
    file.write_array(offsets.subspan(1));
  });
  part.for_each(
      [&](const Slab& slab) { file.write_array(std::span<const uint32_t>(slab.rows.items)); });
  file.commit();
}

Interactions view_part(std::span<const std::byte> file, const std::string& name) {
  const Header header = read_header(file, kPartMagic, name);
  constexpr uint64_t kMost = uint64_t{1} << 48;  // keeps the sum below from overflowing
  if (header.rows >= UINT32_MAX || header.columns >= UINT32_MAX || header.entries > kMost ||
      file.size() !=
          sizeof header + (header.rows + 1) * sizeof(uint64_t) + header.entries * sizeof(uint32_t))
    fail("{} is damaged: its size does not fit its header; prepare the dataset again.", name);
  Interactions rows;
  rows.offsets = array_at<uint64_t>(file, sizeof header, header.rows + 1);
  rows.items = array_at<uint32_t>(file, sizeof header + rows.offsets.size_bytes(), header.entries);
  rows.item_count = static_cast<uint32_t>(header.columns);
  check_offsets(rows.offsets, header.entries, name);
  bool sound = true;
  for (uint32_t user = 0; user < rows.users(); ++user) {
    const auto row = rows.row(user);
    for (size_t i = 1; i < row.size(); ++i) sound &= row[i - 1] < row[i];
    sound &= row.empty() || row.back() < rows.item_count;
  }
  if (!sound)
    fail("{} is damaged: a user's items are out of order or range; prepare the dataset again.",
         name);
  return rows;
}

void write_strings(AtomicFile file, const IdList& strings) {
  bool numeric = true;
  for (size_t i = 0; i < strings.size() && numeric; ++i) numeric = is_plain_decimal(strings[i]);
  Header header{};
  std::memcpy(header.magic, kStringsMagic, sizeof header.magic);
  header.version = kVersion1;
  header.flags = numeric ? kNumericOrder : 0;
  header.rows = strings.size();
  header.columns = strings.text().size();
  file.write(std::as_bytes(std::span(&header, 1)));
  const uint64_t zero = 0;
  file.write(std::as_bytes(std::span(&zero, 1)));
  file.write_array(strings.ends());
  file.write(strings.text());
  file.commit();
}

StringTable::StringTable(std::span<const std::byte> file, const std::string& name) {
  const Header header = read_header(file, kStringsMagic, name);
  if (header.rows >= UINT32_MAX || header.columns > file.size() ||
      file.size() != sizeof header + (header.rows + 1) * sizeof(uint64_t) + header.columns)
    fail("{} is damaged: its size does not fit its header; prepare the dataset again.", name);
  offsets_ = array_at<uint64_t>(file, sizeof header, header.rows + 1);
  check_offsets(offsets_, header.columns, name);
  text_ = reinterpret_cast<const char*>(file.data() + sizeof header + offsets_.size_bytes());
  numeric_ = (header.flags & kNumericOrder) != 0;
  if (!simdjson::validate_utf8(text_, header.columns))
    fail("{} is damaged: it is not valid UTF-8; prepare the dataset again.", name);
}

std::optional<uint32_t> StringTable::find(std::string_view text) const {
  uint32_t low = 0;
  uint32_t high = size();
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    const std::string_view here = (*this)[middle];
    if (numeric_ ? decimal_less(here, text) : here < text)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < size() && (*this)[low] == text) return low;
  return std::nullopt;
}

}  // namespace divns
