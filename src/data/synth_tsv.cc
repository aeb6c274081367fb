// SPDX-License-Identifier: Apache-2.0
#include "data/synth_tsv.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "base/files.h"
#include "base/random.h"

namespace divns {
namespace {

// Gathers lines and hands them to the file a megabyte at a time.
class LineWriter {
 public:
  explicit LineWriter(const std::filesystem::path& path) : file_(path), buffer_(kSize, '\0') {}

  // Numbers of one line, each followed by `end`.
  void number(uint32_t value, char end) {
    char* at = std::to_chars(buffer_.data() + used_, buffer_.data() + kSize, value).ptr;
    *at = end;
    used_ = static_cast<size_t>(at + 1 - buffer_.data());
    if (used_ > kSize - kLongestNumber) flush();
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  static constexpr size_t kSize = size_t{1} << 20;
  static constexpr size_t kLongestNumber = 16;

  void flush() {
    file_.write(std::string_view(buffer_.data(), used_));
    used_ = 0;
  }

  AtomicFile file_;
  std::string buffer_;
  size_t used_ = 0;
};

uint32_t rating(const SynthTruth& truth, uint32_t user, uint32_t item) {
  return 1 + std::min(4U, static_cast<uint32_t>(5 * truth.affinity(user, item)));
}

}  // namespace

void write_synth_tsv(const std::filesystem::path& path, const SynthData& data,
                     const SynthTsvOptions& options) {
  LineWriter out(path);
  const auto write_line = [&](uint32_t user, uint64_t pair) {
    const uint32_t item = data.items[pair];
    const bool three_columns = options.ratings || options.times;
    out.number(user, '\t');
    out.number(item, three_columns ? '\t' : '\n');
    if (three_columns)
      out.number(options.ratings ? rating(data.truth, user, item) : 1, options.times ? '\t' : '\n');
    if (options.times) out.number(data.times[pair], '\n');
  };

  const uint32_t users = data.truth.users();
  if (!options.shuffled) {
    for (uint32_t user = 0; user < users; ++user)
      for (uint64_t pair = data.offsets[user]; pair < data.offsets[user + 1]; ++pair)
        write_line(user, pair);
  } else {
    struct Line {
      uint32_t user;
      uint32_t pair;
    };
    std::vector<Line> lines;
    lines.reserve(data.items.size());
    for (uint32_t user = 0; user < users; ++user)
      for (uint64_t pair = data.offsets[user]; pair < data.offsets[user + 1]; ++pair)
        lines.push_back({user, static_cast<uint32_t>(pair)});
    Draws draws = Random(options.seed, "synth.lines").draws();
    shuffle(draws, std::span(lines));
    for (const Line& line : lines) write_line(line.user, line.pair);
  }
  out.commit();
}

}  // namespace divns
