// SPDX-License-Identifier: Apache-2.0
#include "run/block_run.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"
#include "blocks/block_trainer.h"
#include "blocks/graph_trainer.h"

namespace divns {
namespace {

std::string text_of(const std::vector<std::byte>& bytes) {
  return {static_cast<const char*>(static_cast<const void*>(bytes.data())), bytes.size()};
}

// Ranks that do not do the same work would compute nonsense or wait for each other for ever. Rank 0
// refuses; the others go on only when it does.
void require_same_job(Communicator& ranks, const RunRequest& request, const RunData& data) {
  if (ranks.size() == 1) return;
  const std::string program = hash128_hex(MappedFile("/proc/self/exe").bytes());
  const std::pair<const char*, std::string> facts[] = {
      {"program", program}, {"options", request.config_text}, {"data", data.hash}};
  const std::string name = ranks.name();
  const auto names = ranks.gather(std::as_bytes(std::span(name)));
  for (const auto& [what, mine] : facts) {
    const auto all = ranks.gather(std::as_bytes(std::span(mine)));
    const auto other = std::ranges::find_if(all, [&](const auto& one) { return one != all[0]; });
    if (other == all.end()) continue;
    if (ranks.rank() == 0)
      fail(
          "{} and {} do not have the same {}: start every rank with the same program, the same "
          "options and the same prepared dataset.",
          text_of(names[0]), text_of(names[static_cast<size_t>(other - all.begin())]), what);
    uint8_t never = 0;
    ranks.broadcast(0, std::as_writable_bytes(std::span(&never, 1)));
  }
}

}  // namespace

RunResult run_blocks(const RunRequest& request, const RunData& data,
                     std::function<TrainerParts()> make_parts, ValidateUsers validate,
                     const Executor& executor, const TrainCallbacks& hooks) {
  SingleProcess alone;
  Communicator& ranks = request.ranks != nullptr ? *request.ranks : alone;
  require_same_job(ranks, request, data);
  const bool is_graph = make_parts().model->hops() > 1;
  const BlockTraining training{
      request.config, std::move(make_parts), data.train, std::move(validate), executor,
      ranks,          request.scratch};
  std::unique_ptr<RankedTrainer> trainer;
  if (is_graph)
    trainer = std::make_unique<GraphTrainer>(training);
  else
    trainer = std::make_unique<BlockTrainer>(training);
  if (ranks.rank() != 0) {
    trainer->follow();
    return {};
  }
  const RunResult result = run_epochs(request, data, *trainer, executor, hooks);
  if (!trainer->in_epoch()) trainer->end();
  return result;
}

}  // namespace divns
