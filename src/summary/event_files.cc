// SPDX-License-Identifier: Apache-2.0
#include "summary/event_files.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>

#include "base/files.h"
#include "summary/sections.h"

namespace divns {
namespace {

template <class T>
std::string little_endian(T value) {
  std::string bytes;
  for (size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7f) | 0x80);
  return bytes += static_cast<char>(value);
}

// Wire types of protocol buffers: 0 varint, 1 eight bytes, 2 with a length, 5 four bytes.
std::string tag_of(uint32_t field, uint32_t wire_type) {
  return varint(field << 3 | wire_type);
}

std::string with_length(uint32_t field, std::string_view content) {
  return (tag_of(field, 2) + varint(content.size())).append(content);
}

std::string record_of(const std::string& event) {
  const std::string length = little_endian(static_cast<uint64_t>(event.size()));
  return length + little_endian(masked_crc32c(length)) + event +
         little_endian(masked_crc32c(event));
}

std::string wall_time_of(double seconds) {
  return tag_of(1, 1) + little_endian(std::bit_cast<uint64_t>(seconds));
}

// A name that is one harmless part of a path.
std::string folder_name(const std::string& text) {
  std::string name;
  for (const char c : text.substr(0, 80)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ||
                       c == '=' || c == '+' || (c == '.' && !name.empty());
    name += plain ? c : '_';
  }
  return name.empty() ? "run" : name;
}

std::string event_file_of(const SourceRun& run) {
  std::string file = event_file_header();
  double seconds = 0;
  for (size_t e = 0; e < run.events.size(); ++e) {
    const RunEvent& event = run.events[e];
    seconds += event.seconds.total();
    std::vector<std::pair<std::string, double>> scalars;
    if (event.mean_loss) scalars.emplace_back("loss", *event.mean_loss);
    if (event.valid) scalars.emplace_back("valid/" + run.valid_name, *event.valid);
    if (event.hardness) scalars.emplace_back("negatives/hardness", *event.hardness);
    for (const auto& [name, value] : event.negatives)
      scalars.emplace_back("negatives/" + name, value);
    for (const Phase& phase : kPhases)
      scalars.emplace_back(fmt::format("seconds/{}", phase.name), event.seconds.*phase.seconds);
    file += event_record(seconds, static_cast<int64_t>(e + 1), scalars);
  }
  if (run.test.empty()) return file;
  SummaryValues scalars;
  for (const auto& [name, value] : run.test) scalars.emplace_back("test/" + name, value);
  return file += event_record(seconds, run.epochs, scalars);
}

}  // namespace

uint32_t masked_crc32c(std::string_view bytes) {
  constexpr uint32_t kPolynomial = 0x82f63b78;  // reversed
  uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? kPolynomial : 0);
  }
  return std::rotr(~crc, 15) + 0xa282ead8U;
}

std::string event_file_header() {
  return record_of(wall_time_of(0) + with_length(3, "brain.Event:2"));
}

std::string event_record(double wall_time, int64_t step,
                         const std::vector<std::pair<std::string, double>>& scalars) {
  std::string summary;
  for (const auto& [name, value] : scalars)
    summary +=
        with_length(1, with_length(1, name) + tag_of(2, 5) +
                           little_endian(std::bit_cast<uint32_t>(static_cast<float>(value))));
  return record_of(wall_time_of(wall_time) + tag_of(2, 0) + varint(static_cast<uint64_t>(step)) +
                   with_length(5, summary));
}

void write_event_files(const std::filesystem::path& folder, const Summary& summary) {
  make_folder(folder);
  for (const SummaryRow& row : summary.rows) {
    const auto of_row = folder / folder_name(row.series);
    make_own_folder(of_row);
    for (const SourceRun& run : row.runs) {
      const auto of_run = of_row / fmt::format("seed-{}", run.seed);
      make_own_folder(of_run);
      write_file_atomically(of_run / "events.out.tfevents.0.divns", event_file_of(run));
    }
  }
}

}  // namespace divns
