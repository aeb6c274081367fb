// SPDX-License-Identifier: Apache-2.0
#include "train/snapshots.h"

#include <algorithm>

#include "divns/random.h"

namespace divns {
namespace {

constexpr size_t kRecordedPositives = 12;
constexpr size_t kFewestPositives = 4;

}  // namespace

bool is_recorded_epoch(uint32_t epoch) {
  const uint32_t number = epoch + 1;
  return number % (number <= 10 ? 1U : number <= 100 ? 10U : 100U) == 0;
}

std::vector<uint32_t> recorded_users(const Interactions& train, size_t count) {
  std::vector<uint32_t> users;
  for (uint32_t user = 0; user < train.users(); ++user)
    if (train.row(user).size() >= kFewestPositives && train.row(user).size() < train.item_count)
      users.push_back(user);
  Draws draws = Random(1, "record.users").draws();
  shuffle(draws, std::span(users));
  users.resize(std::min(count, users.size()));
  std::sort(users.begin(), users.end());
  return users;
}

std::vector<UserSnapshot> take_snapshots(const Sampler& sampler, uint32_t epoch,
                                         const std::vector<uint32_t>& users) {
  std::vector<UserSnapshot> snapshots;
  const auto* source = dynamic_cast<const SnapshotSource*>(&sampler);
  if (source == nullptr || !is_recorded_epoch(epoch)) return snapshots;
  for (const uint32_t user : users)
    snapshots.push_back(source->snapshot(epoch, user, kRecordedPositives));
  return snapshots;
}

}  // namespace divns
