// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "divns/options.h"
#include "divns/registry.h"
#include "support/errors.h"
#include "train/setup.h"

namespace divns {
namespace {

TEST(Registration, RefusesEntriesWithoutAName) {
  EXPECT_ERROR(register_sampler({"", "", "", find_sampler("rns").make}),
               "a registered sampler needs a name");
  EXPECT_ERROR(register_loss({"", "", "", find_loss("bpr").make}),
               "a registered loss needs a name");
}

TEST(Registration, RefusesEntriesWithoutAFunction) {
  EXPECT_ERROR(register_sampler({"mine", "", "", {}}), "'mine' needs a function that makes it");
  EXPECT_ERROR(register_loss({"mine", "", "", {}}), "'mine' needs a function that makes it");
  EXPECT_ERROR(find_sampler("mine"), "there is no sampler 'mine'");
  EXPECT_ERROR(find_loss("mine"), "there is no loss 'mine'");
}

TEST(Registration, RefusesNamesThatAreTaken) {
  const size_t before = samplers().size();
  EXPECT_ERROR(register_sampler({"dns", "", "", find_sampler("rns").make}),
               "there is a sampler 'dns' already");
  EXPECT_ERROR(register_loss({"bpr", "", "", find_loss("bpr").make}),
               "there is a loss 'bpr' already");
  EXPECT_EQ(samplers().size(), before);
}

TEST(Registration, SuggestsTheNearestName) {
  EXPECT_ERROR(find_sampler("divn"), "Did you mean 'divns'?");
  EXPECT_ERROR(find_loss("bpq"), "Did you mean 'bpr'?");
}

TEST(Registration, RegisteredNamesWorkLikeBuiltInOnes) {
  const auto make_sampler = find_sampler("rns").make;
  const auto make_loss = find_loss("bpr").make;
  register_sampler({"registered_sampler", "", "", make_sampler});
  register_loss({"registered_loss", "", "", make_loss});
  EXPECT_EQ(samplers().back().name, "registered_sampler");
  EXPECT_EQ(losses().back().name, "registered_loss");
  EXPECT_ERROR(register_loss({"registered_loss", "", "", make_loss}), "already");
  TrainConfig config;
  config.loss = "registered_loss";
  config.sampler = "registered_sampler";
  EXPECT_NE(find_sampler(config.sampler).make(), nullptr);
  EXPECT_NE(find_loss(config.loss).make(), nullptr);
}

}  // namespace
}  // namespace divns
