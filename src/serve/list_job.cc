// SPDX-License-Identifier: Apache-2.0
#include "serve/list_job.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "recommend/list_json.h"

namespace divns {
namespace {

// An allowed set is ranked by itself: its items are packed for this job.
TopItems rank_allowed(const ServedModel& served, const ListJob& job, const UserProfiles& users,
                      const Interactions& excluded) {
  return recommend(served.run.model, users,
                   {.k = job.k, .seen = excluded, .allowed = job.allowed, .threads = 1});
}

}  // namespace

void ListJob::add(std::string label, std::span<const uint32_t> seen,
                  std::span<const uint32_t> denied) {
  labels.push_back(std::move(label));
  std::set_union(seen.begin(), seen.end(), denied.begin(), denied.end(),
                 std::back_inserter(excluded));
  offsets.push_back(excluded.size());
}

std::vector<std::string> make_lists(const ServedModel& served, std::span<const ListJob> jobs) {
  const TrainedModel& model = served.run.model;
  UserProfiles users;
  std::vector<uint64_t> offsets = {0};
  std::vector<uint32_t> excluded;
  uint32_t k = 0;
  for (const ListJob& job : jobs) {
    DIVNS_ASSERT(!job.allowed || jobs.size() == 1);
    users.append(job.profiles);
    for (size_t i = 1; i < job.offsets.size(); ++i)
      offsets.push_back(excluded.size() + job.offsets[i]);
    excluded.insert(excluded.end(), job.excluded.begin(), job.excluded.end());
    k = std::max(k, job.k);
  }
  const Interactions left_out = {offsets, excluded, model.items()};
  const TopItems lists = jobs[0].allowed ? rank_allowed(served, jobs[0], users, left_out)
                                         : served.recommender.recommend(users, left_out, k);
  const ListNames names = {"user", "item", model.items(),
                           [&](uint32_t i) { return model.item_id(i); },
                           [&](uint32_t i) { return model.item_name(i); }};
  std::vector<std::string> bodies;
  size_t row = 0;
  for (const ListJob& job : jobs) {
    std::string& body = bodies.emplace_back(job.single ? "" : "{\"lists\":[");
    for (size_t i = 0; i < job.lists(); ++i, ++row) {
      if (i > 0) body += ',';
      append_list_json(names, job.labels[i], lists, row, job.k, body);
    }
    body += job.single ? "\n" : "]}\n";
  }
  return bodies;
}

}  // namespace divns
