#include <fmt/format.h>
#include <cstdlib>
#include "base/stopwatch.h"
#include "base/hash.h"
#include "selection_workload.h"
using namespace divns;
int main(int argc, char** argv) {
  std::string which = argc > 1 ? argv[1] : "ml-1m";
  int threads = argc > 2 ? atoi(argv[2]) : 1;
  Stopwatch w;
  auto work = bench::make_selection_workload(std::string(getenv("DIVNS_DATA_DIR")) + "/" + which + "/interactions.tsv.gz", 10, which == "ml-1m" ? 6 : 4, argc > 3 ? atoi(argv[3]) : 5, 1);
  double kn = 0, sk = 0;
  for (size_t s = 0; s < work.sizes.size(); ++s) { double N = double(work.candidate_offsets[s+1]-work.candidate_offsets[s]); double k = std::min<double>(work.sizes[s], N); kn += k * N; sk += k; }
  fmt::print("made {:.2f}s users {} candidates {} picks {} sum kN {:.3g}\n", w.seconds(), work.sizes.size(), work.candidates.size(), sk, kn);
  std::vector<uint32_t> chosen(work.against.size()), counts(work.sizes.size());
  for (auto algo : {DppAlgorithm::kLazy, DppAlgorithm::kUpdates, DppAlgorithm::kCholesky, DppAlgorithm::kAuto}) {
    if (algo == DppAlgorithm::kCholesky && which == "ml-1m") continue;
    DppConfig c; c.algorithm = algo;
    DppSelector sel(c, threads);
    for (int r = 0; r < 3; ++r) {
      std::fill(chosen.begin(), chosen.end(), 0);
      Stopwatch t; sel.select(work.table(), work.sets(), chosen, counts);
      fmt::print("algo {} {:.3f}s hash {:x}\n", int(algo), t.seconds(), hash64(std::as_bytes(std::span(chosen))));
      if (algo == DppAlgorithm::kUpdates && which=="ml-1m") break;
    }
  }
}
