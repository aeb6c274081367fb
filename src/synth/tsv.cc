// SPDX-License-Identifier: Apache-2.0
#include "synth/tsv.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "base/files.h"
#include "divns/random.h"

namespace divns {
namespace {

// Collects lines and writes them to the file one megabyte at a time.
class LineWriter {
 public:
  explicit LineWriter(const std::filesystem::path& path)
      : file_(path, Target::kNamed), buffer_(kSize, '\0') {}

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

struct Line {
  uint32_t user;
  uint32_t item;
  uint32_t rating;
  uint32_t time;
};

template <class Visit>
void for_each_line(const SynthData& data, const SynthTsvOptions& options, Visit&& visit) {
  for (uint32_t user = 0; user < data.truth.users(); ++user)
    for (uint64_t pair = data.offsets[user]; pair < data.offsets[user + 1]; ++pair) {
      const uint32_t item = data.items[pair];
      const double affinity = options.ratings ? data.truth.affinity(user, item) : 0;
      visit(Line{user, item, 1 + std::min(4U, static_cast<uint32_t>(5 * affinity)),
                 data.times[pair]});
    }
}

// A uniformly random order: lines are distributed to random piles, and each pile is shuffled. This
// gives the same distribution as a shuffle of the whole, without its cache misses.
std::vector<Line> shuffled_lines(const SynthData& data, const SynthTsvOptions& options,
                                 uint64_t seed) {
  constexpr int kPileBits = 10;
  const Random random(seed, "synth.lines");
  Draws choose_pile = random.draws(0);
  std::vector<size_t> ends((size_t{1} << kPileBits) + 1);
  for (size_t k = 0; k < data.items.size(); ++k)
    ++ends[(choose_pile.u32() >> (32 - kPileBits)) + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());

  // From here on ends[p] is the position of the next line of pile p; in the end it is the end of
  // the pile.
  std::vector<Line> lines(data.items.size());
  choose_pile = random.draws(0);
  for_each_line(data, options, [&](const Line& line) {
    lines[ends[choose_pile.u32() >> (32 - kPileBits)]++] = line;
  });
  Draws order = random.draws(1);
  size_t begin = 0;
  for (const size_t end : ends) {
    shuffle(order, std::span(lines).subspan(begin, end - begin));
    begin = end;
  }
  return lines;
}

}  // namespace

void write_synth_tsv(const std::filesystem::path& path, const SynthData& data,
                     const SynthTsvOptions& options, uint64_t seed) {
  LineWriter out(path);
  const bool third_column = options.ratings || options.times;
  const auto write = [&](const Line& line) {
    out.number(line.user, '\t');
    out.number(line.item, third_column ? '\t' : '\n');
    if (third_column) out.number(line.rating, options.times ? '\t' : '\n');
    if (options.times) out.number(line.time, '\n');
  };
  if (options.shuffled) {
    for (const Line& line : shuffled_lines(data, options, seed)) write(line);
  } else {
    for_each_line(data, options, write);
  }
  out.commit();
}

}  // namespace divns
