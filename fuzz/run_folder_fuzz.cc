// SPDX-License-Identifier: Apache-2.0
// A run folder of which one file holds any bytes: the run is resumed, opened and evaluated.
#include "base/temporary_folder.h"
#include "damaged_file.h"
#include "divns/error.h"
#include "divns/evaluate.h"
#include "divns/saved_run.h"
#include "divns/train.h"

namespace {

struct World {
  divns::TemporaryFolder root;
  divns::Dataset data = divns::fuzz::tiny_dataset();
  divns::TrainOptions options{.sampler = "dns", .embedding_dim = 2, .epochs = 1};
  std::vector<std::filesystem::path> files;

  World() {
    options.folder = root.path() / "run";
    options.resume = true;
    options.threads = 1;
    divns::train(data, options);
    for (const char* name :
         {"run.json", "metrics.json", "config.toml", "events.jsonl", "model.safetensors"})
      files.push_back(options.folder / name);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const World world;
  if (size == 0) return 0;
  const divns::fuzz::DamagedFile damaged(world.files, data, size);
  try {
    divns::train(world.data, world.options);
  } catch (const divns::Error&) {
  }
  try {
    const divns::SavedRun run = divns::open_run(world.options.folder);
    divns::evaluate(run.model, world.data, {.topk = {5}, .threads = 1});
    run.open_dataset();
  } catch (const divns::Error&) {
  }
  return 0;
}
