// SPDX-License-Identifier: Apache-2.0
#include "samplers/rns.h"

#include <gtest/gtest.h>

#include "divns/registry.h"
#include "support/errors.h"
#include "support/interactions.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;

std::vector<uint32_t> negatives_of(int threads, uint32_t first_place, size_t size) {
  const OwnedInteractions data = random_interactions(40, 30, 6, 2);
  std::vector<uint32_t> users;
  std::vector<uint32_t> positives;
  std::vector<uint64_t> pairs;
  for (uint32_t u = 0; u < 40; ++u)
    for (uint64_t p = data.offsets[u]; p < data.offsets[u + 1]; ++p) {
      users.push_back(u);
      positives.push_back(data.items[p]);
      pairs.push_back(p);
    }
  const Executor executor(threads);
  const auto sampler = make_rns();
  sampler->start({.train = data.view(), .executor = executor, .seed = 9, .negatives = 3});
  const Batch batch{.epoch = 4,
                    .first_place = first_place,
                    .users = std::span(users).subspan(first_place, size),
                    .positives = std::span(positives).subspan(first_place, size),
                    .pairs = std::span(pairs).subspan(first_place, size)};
  RowsToRead rows;
  Negatives negatives;
  sampler->propose(batch, rows);
  sampler->choose(batch, {}, negatives);
  EXPECT_EQ(negatives.terms.size(), size * 3);
  std::vector<uint32_t> items;
  for (size_t i = 0; i < negatives.terms.size(); ++i) {
    const auto owned = data.view().row(batch.users[i / 3]);
    EXPECT_FALSE(std::binary_search(owned.begin(), owned.end(), negatives.terms[i].item));
    items.push_back(negatives.terms[i].item);
  }
  return items;
}

TEST(Rns, SameItemsForAnyThreadsAndAnyBatching) {
  const auto whole = negatives_of(1, 0, 200);
  EXPECT_EQ(whole, negatives_of(7, 0, 200));
  const auto part = negatives_of(2, 50, 100);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 150));
}

TEST(Registry, UnknownNamesGetTheNearestKnownOne) {
  EXPECT_EQ(find_sampler("rns").name, "rns");
  EXPECT_ERROR(find_sampler("rnz"), "rns");
}

}  // namespace
}  // namespace divns
