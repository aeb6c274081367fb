// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "divns/synth.h"
#include "support/errors.h"

namespace divns {
namespace {

using testing::error_of;

TEST(SynthOptions, PresetsHaveTheirSizes) {
  const SynthOptions& ml = synth_preset("ml-1m-like");
  EXPECT_EQ(ml.users, 6'040U);
  EXPECT_EQ(ml.items, 3'706U);
  EXPECT_EQ(ml.pairs, 1'000'209U);
  const SynthOptions& yelp = synth_preset("yelp2022-scale");
  EXPECT_EQ(yelp.users, 287'116U);
  EXPECT_EQ(yelp.items, 148'523U);
  EXPECT_EQ(yelp.pairs, 4'392'169U);
  EXPECT_NE(error_of([] { synth_preset("ml-1m-lik"); }).find("Did you mean 'ml-1m-like'?"),
            std::string::npos);
}

TEST(SynthOptions, PresetsCanBeMet) {
  for (const SynthPreset& preset : synth_presets())
    EXPECT_EQ(error_of([&] { preset.options.check(); }), "(no error)") << preset.name;
}

TEST(SynthOptions, SaysWhatCannotBeMet) {
  const auto complaint = [](auto&& change) {
    SynthOptions options;
    change(options);
    return error_of([&] { options.check(); });
  };
  EXPECT_NE(complaint([](SynthOptions& o) { o.pairs = 100; }).find("need 16000"),
            std::string::npos);
  EXPECT_NE(complaint([](SynthOptions& o) { o.pairs = 2'000'000; }).find("hold 1500000"),
            std::string::npos);
  EXPECT_NE(complaint([](SynthOptions& o) { o.clusters = 1'501; }).find("only 1500 items"),
            std::string::npos);
  EXPECT_EQ(complaint([](SynthOptions& o) { o.users = 0; }),
            "users is '0', but 1 to 2000000000 is expected.");
  EXPECT_NE(complaint([](SynthOptions& o) { o.spread_min = 2; }).find("spread_min is 2"),
            std::string::npos);
  EXPECT_NE(complaint([](SynthOptions& o) { o.minimum_degree = 1'501; }).find("only 1500 items"),
            std::string::npos);
}

TEST(SynthOptions, HeadsBeyondReasonAreRefused) {
  SynthOptions options;
  options.popularity_head = 1e300;
  EXPECT_ERROR(options.check(), "popularity_head");
}

}  // namespace
}  // namespace divns
