// SPDX-License-Identifier: Apache-2.0
// Speed of generating and writing synthetic data. Usage: bench_synth [folder for the files]
#include <fmt/format.h>

#include <filesystem>

#include "base/files.h"
#include "divns/parallel.h"
#include "divns/stopwatch.h"
#include "synth/synth.h"
#include "synth/tsv.h"

namespace {

using divns::SynthOptions;

void report(const char* what, double seconds, uint64_t pairs) {
  fmt::print("  {:<22} {:7.2f} s {:12.0f} pairs/s\n", what, seconds,
             static_cast<double>(pairs) / seconds);
}

void measure(std::string_view name, const SynthOptions& options,
             const std::filesystem::path& folder) {
  const divns::Executor executor;
  fmt::print("{}: {} users, {} items, {} pairs, {} threads\n", name, options.users, options.items,
             options.pairs, executor.threads());
  divns::Stopwatch watch;
  const divns::SynthData data = divns::generate_synth(options, executor);
  report("generate", watch.lap(), options.pairs);
  divns::write_synth_truth(divns::AtomicFile(folder / "truth.bin"), data.truth);
  report("write truth.bin", watch.lap(), options.pairs);
  divns::read_synth_truth(folder / "truth.bin");
  report("read truth.bin", watch.lap(), options.pairs);
  divns::write_synth_tsv(folder / "pairs.tsv", data);
  report("write tsv", watch.lap(), options.pairs);
  divns::write_synth_tsv(folder / "pairs.tsv", data,
                         {.ratings = true, .times = true, .shuffled = true});
  report("write shuffled tsv, 4", watch.lap(), options.pairs);
}

SynthOptions twenty_million_pairs() {
  SynthOptions options = divns::synth_preset("yelp2022-scale");
  options.users = 400'000;
  options.items = 200'000;
  options.pairs = 20'000'000;
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path parent =
      argc > 1 ? std::filesystem::path(argv[1]) : std::filesystem::temp_directory_path();
  const std::filesystem::path folder = parent / "divns-bench-synth";
  std::filesystem::create_directories(folder);
  for (const divns::SynthPreset& preset : divns::synth_presets())
    measure(preset.name, preset.options, folder);
  measure("twenty million", twenty_million_pairs(), folder);
  std::filesystem::remove_all(folder);
}
