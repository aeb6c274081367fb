// SPDX-License-Identifier: Apache-2.0
// A finished study of which one file holds any bytes: the study is made again from its runs.
#include "base/temporary_folder.h"
#include "damaged_file.h"
#include "divns/error.h"
#include "divns/study.h"

namespace {

struct World {
  divns::TemporaryFolder root;
  divns::Dataset data = divns::fuzz::tiny_dataset();
  divns::CompareOptions options;
  std::vector<std::filesystem::path> files;

  World() {
    const std::filesystem::path folder = root.path() / "study";
    options.out = folder.string();
    options.samplers = "rns,dns";
    options.seeds = 1;
    options.threads = 1;
    options.resamples = 100;
    options.topk = {5};
    options.metrics = {"recall@5"};
    options.settings = {{"epochs", "1"}, {"embedding_dim", "2"}, {"valid_metric", "recall@5"}};
    divns::compare(data, options);
    files.push_back(folder / "request.json");
    const auto run = std::filesystem::directory_iterator(folder / "runs")->path();
    for (const char* name : {"metrics.json", "metrics_test.json", "events.jsonl", "run.json",
                             "per_user_test.safetensors"})
      files.push_back(run / name);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const World world;
  if (size == 0) return 0;
  const divns::fuzz::DamagedFile damaged(world.files, data, size);
  try {
    divns::compare(world.data, world.options);
  } catch (const divns::Error&) {
  }
  return 0;
}
