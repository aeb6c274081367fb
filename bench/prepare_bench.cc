// SPDX-License-Identifier: Apache-2.0
// Preparing a TSV file of 20 million synthetic pairs, sorted by user and in random order, compared
// with `wc -l` and a plain read() of the same file, and with the two steps that cannot be avoided:
// parsing the lines, and writing and syncing the result. Likewise with a memory limit, and the
// parsing of the same pairs in four files, plain and compressed, together and one by one. Every
// measurement is a process of its own, so that peak memory is that of the measured work.
//
//   bench_prepare [pairs] [threads] [memory limit]
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <vector>

#include "base/files.h"
#include "data/reader.h"
#include "divns/dataset.h"
#include "divns/prepare.h"
#include "divns/stopwatch.h"
#include "synth/synth.h"
#include "synth/tsv.h"

namespace {

namespace fs = std::filesystem;

struct Measured {
  double seconds = 0;
  double peak_mb = 0;
  double user = 0;  // processor seconds of all threads
  double system = 0;
};

// Runs the work in a child process; its seconds come back through a pipe, its peak memory from the
// kernel.
Measured in_child(const std::function<double()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) std::exit(1);
  const pid_t child = ::fork();
  if (child == 0) {
    const double seconds = work();
    const bool sent = ::write(ends[1], &seconds, sizeof seconds) == sizeof seconds;
    ::_exit(sent ? 0 : 1);
  }
  ::close(ends[1]);
  Measured result;
  rusage usage{};
  int status = 0;
  const bool got = ::read(ends[0], &result.seconds, sizeof result.seconds) == sizeof result.seconds;
  ::close(ends[0]);
  if (::wait4(child, &status, 0, &usage) != child || status != 0 || !got) {
    fmt::print(stderr, "a measurement failed\n");
    std::exit(1);
  }
  result.peak_mb = static_cast<double>(usage.ru_maxrss) / 1024;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  result.user = seconds(usage.ru_utime);
  result.system = seconds(usage.ru_stime);
  return result;
}

struct Contender {
  const char* name;
  std::function<double()> work;
  std::vector<Measured> rounds = {};
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class Value>
double median_of(const std::vector<Measured>& rounds, Value&& value) {
  std::vector<double> values;
  for (size_t round = 0; round < rounds.size(); ++round) values.push_back(value(round));
  return median(values);
}

double plain_read(const std::string& path) {
  std::vector<char> buffer(1 << 20);
  const divns::Stopwatch watch;
  const int file = ::open(path.c_str(), O_RDONLY);
  while (::read(file, buffer.data(), buffer.size()) > 0) {
  }
  ::close(file);
  return watch.seconds();
}

double count_lines(const std::string& path) {
  const divns::Stopwatch watch;
  const int status = std::system(fmt::format("wc -l {} > /dev/null", path).c_str());
  return status == 0 ? watch.seconds() : 0;
}

// Writes the files of a prepared dataset from memory.
double write_again(const std::string& dataset, const std::string& path) {
  std::string bytes;
  for (const auto& file : fs::directory_iterator(dataset))
    bytes += divns::read_text_file(file.path());
  const divns::Stopwatch watch;
  divns::write_file_atomically(path, bytes);
  return watch.seconds();
}

// Cuts a file at line breaks into four, and compresses copies of them.
void write_quarters(const std::string& path, const std::string& folder) {
  const std::string text = divns::read_text_file(path);
  size_t begin = 0;
  for (size_t k = 0; k < 4; ++k) {
    const size_t end = k == 3 ? text.size() : text.find('\n', (k + 1) * text.size() / 4) + 1;
    divns::write_file_atomically(fmt::format("{}/{}.tsv", folder, k),
                                 std::string_view(text).substr(begin, end - begin));
    begin = end;
  }
  if (std::system(fmt::format("gzip -k -1 {}/[0-3].tsv", folder).c_str()) != 0) std::exit(1);
}

// Reads and parses files, all at the same time or one after another.
double parse(const std::vector<std::string>& paths, bool together, int threads) {
  const divns::Executor executor(threads);
  divns::ScratchSpace disk(fs::temp_directory_path());
  const divns::Stopwatch watch;
  divns::PairReader reader({}, disk, executor);
  for (size_t k = 0; k < paths.size(); k += together ? paths.size() : 1)
    reader.read(std::span(paths).subspan(k, together ? paths.size() : 1));
  return watch.seconds();
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t pairs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000'000;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 2;
  const std::string limit = argc > 3 ? argv[3] : "256M";
  constexpr int kRounds = 9;
  std::string folder = (fs::temp_directory_path() / "divns-bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const std::string tsv = folder + "/pairs.tsv";
  const std::string shuffled = folder + "/shuffled.tsv";
  const std::string out = folder + "/out";

  in_child([&] {
    divns::SynthOptions options = divns::synth_preset("yelp2022-scale");
    options.pairs = pairs;
    const divns::Stopwatch watch;
    const divns::SynthData data = divns::generate_synth(options, divns::Executor(threads));
    divns::write_synth_tsv(tsv, data);
    divns::write_synth_tsv(shuffled, data, {.shuffled = true});
    write_quarters(shuffled, folder);
    return watch.seconds();
  });
  std::vector<std::string> plain;
  std::vector<std::string> compressed;
  for (int k = 0; k < 4; ++k) {
    plain.push_back(fmt::format("{}/{}.tsv", folder, k));
    compressed.push_back(plain.back() + ".gz");
  }
  const double megabytes = static_cast<double>(fs::file_size(tsv)) / 1e6;
  fmt::print("{} pairs, {:.0f} MB, {} threads, medians of {} rounds\n", pairs, megabytes, threads,
             kRounds);
  const auto prepare = [&](const std::string& input, const std::string& memory_limit = {}) {
    fs::remove_all(out);
    divns::PrepareOptions options;
    options.memory_limit = memory_limit;
    const divns::Stopwatch watch;
    divns::prepare_dataset({input}, out, options, divns::Executor(threads));
    return watch.seconds();
  };
  std::vector<Contender> contenders = {
      {"read()", [&] { return plain_read(tsv); }},
      {"wc -l", [&] { return count_lines(tsv); }},
      {"prepare, by user", [&] { return prepare(tsv); }},
      {"prepare, shuffled", [&] { return prepare(shuffled); }},
      {"prepare, limited", [&] { return prepare(shuffled, limit); }},
      {"  parse alone", [&] { return parse({tsv}, true, threads); }},
      {"  4 files in turn", [&] { return parse(plain, false, threads); }},
      {"  4 files together", [&] { return parse(plain, true, threads); }},
      {"  4 gzip in turn", [&] { return parse(compressed, false, threads); }},
      {"  4 gzip together", [&] { return parse(compressed, true, threads); }},
      {"  write alone", [&] { return write_again(out, folder + "/copy"); }},
      {"open", [&] {
         const divns::Stopwatch watch;
         const divns::Dataset data = divns::Dataset::open(out);
         return watch.seconds();
       }}};
  // The machine's speed drifts, so all measurements alternate, and a ratio is that of one round.
  // The first of two runs warms up: memory that a virtual machine has not used recently is slow to
  // touch.
  for (int round = 0; round < kRounds; ++round)
    for (Contender& contender : contenders) {
      in_child(contender.work);
      contender.rounds.push_back(in_child(contender.work));
    }
  const std::vector<Measured>& read = contenders[0].rounds;
  for (const Contender& contender : contenders) {
    const std::vector<Measured>& rounds = contender.rounds;
    const double seconds = median_of(rounds, [&](size_t k) { return rounds[k].seconds; });
    fmt::print(
        "{:<20}{:>9.3f} s ({:.3f} user, {:.3f} system) {:>8.0f} MB/s {:>7.1f} M pairs/s {:>6.0f} "
        "MB peak {:>6.1f} x read()\n",
        contender.name, seconds, median_of(rounds, [&](size_t k) { return rounds[k].user; }),
        median_of(rounds, [&](size_t k) { return rounds[k].system; }), megabytes / seconds,
        static_cast<double>(pairs) / seconds / 1e6,
        median_of(rounds, [&](size_t k) { return rounds[k].peak_mb; }),
        median_of(rounds, [&](size_t k) { return rounds[k].seconds / read[k].seconds; }));
  }
  fs::remove_all(folder);
  return 0;
}
