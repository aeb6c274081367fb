// SPDX-License-Identifier: Apache-2.0
#include "study/variants.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "divns/registry.h"
#include "study/ablation.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

TEST(Variants, NamesAndSettings) {
  const std::vector<Variant> variants =
      parse_variants("rns,divns:divns.lambda=0.5,l2=0.01,dns,divns");
  ASSERT_EQ(variants.size(), 4U);
  EXPECT_EQ(variants[0].label, "rns");
  EXPECT_EQ(variants[1].label, "divns (lambda=0.5, l2=0.01)");
  EXPECT_EQ(variants[1].sampler, "divns");
  EXPECT_EQ(variants[1].settings, (Settings{{"divns.lambda", "0.5"}, {"l2", "0.01"}}));
  EXPECT_EQ(variants[2].label, "dns");
  EXPECT_TRUE(variants[3].settings.empty());
  const auto needs_nothing = [](const SamplerEntry& entry) { return entry.needs.empty(); };
  EXPECT_EQ(
      parse_variants("all").size(),
      static_cast<size_t>(std::count_if(samplers().begin(), samplers().end(), needs_nothing)));
}

TEST(Variants, BadListsAreSentences) {
  EXPECT_ERROR(parse_variants("rns,dsn"), "Did you mean 'dns'");
  EXPECT_ERROR(parse_variants("rns,rns"), "'rns' is listed twice");
  EXPECT_ERROR(parse_variants("l2=0.01"), "follows no sampler");
  EXPECT_ERROR(parse_variants("rns,l2=0.01"), "follows no sampler");
  EXPECT_ERROR(parse_variants("divns:lambda"), "name=value");
  EXPECT_ERROR(parse_variants(""), "no sampler was named");
  EXPECT_ERROR(parse_variants("absent.toml"), "absent.toml");
}

TEST(Variants, FilesKeepTheirOrderAndComeBackTheSame) {
  const testing::TempFolder folder;
  const std::string file = folder.write("tuned.toml",
                                        "[mf.rns]\n"
                                        "l2 = 0.02\n"
                                        "[mf.\"soft, dns\"]\n"
                                        "sampler = \"dns\"\n"
                                        "learning_rate = 1e-3\n"
                                        "dns.candidates = 40\n"
                                        "[lightgcn.divns]\n"
                                        "divns.diverse = \"vanilla\"\n"
                                        "divns.unit_kernel = false\n");
  const std::vector<Variant> variants = parse_variants(file);
  ASSERT_EQ(variants.size(), 3U);
  EXPECT_EQ(variants[0].label, "rns");
  EXPECT_EQ(variants[1].label, "soft, dns");
  EXPECT_EQ(variants[1].sampler, "dns");
  EXPECT_EQ(variants[1].settings, (Settings{{"learning_rate", "0.001"}, {"dns.candidates", "40"}}));
  EXPECT_EQ(variants[2].model, "lightgcn");

  const std::vector<Variant> again =
      parse_variants(folder.write("again.toml", variants_toml(variants)));
  ASSERT_EQ(again.size(), variants.size());
  for (size_t v = 0; v < variants.size(); ++v) {
    EXPECT_EQ(again[v].label, variants[v].label);
    EXPECT_EQ(again[v].sampler, variants[v].sampler);
    EXPECT_EQ(again[v].model, variants[v].model);
    EXPECT_EQ(again[v].settings, variants[v].settings);
  }
  EXPECT_ERROR(parse_variants(folder.write("flat.toml", "l2 = 0.1\n")), "as in [mf.divns]");
  EXPECT_ERROR(parse_variants(folder.write("model.toml", "[lightgnc.rns]\nl2 = 0.1\n")),
               "Did you mean 'lightgcn'");
}

TEST(Variants, RowsLeaveOutWhatDoesNotFitAndSaySo) {
  const StudyRows rows = make_rows({"mf", "lightgcn"}, parse_variants("rns,mixgcf:l2=0.3"),
                                   {"popularity"}, {{"l2", "0.1"}});
  ASSERT_EQ(rows.rows.size(), 4U);
  EXPECT_EQ(rows.rows[0].group, "mf");
  EXPECT_EQ(rows.rows[2].label, "mixgcf (l2=0.3)");
  EXPECT_EQ(rows.rows[2].settings, (Settings{{"l2", "0.1"}, {"l2", "0.3"}}));
  EXPECT_EQ(rows.rows[3].model, "popularity");
  EXPECT_EQ(rows.rows[3].group, kBaselineGroup);
  EXPECT_TRUE(rows.rows[3].sampler.empty());
  ASSERT_EQ(rows.notes.size(), 1U);
  EXPECT_NE(rows.notes[0].find("mixgcf (l2=0.3) is left out with mf"), std::string::npos);
  EXPECT_EQ(
      make_rows({"mf"}, parse_variants("mixgcf"), {}, {{"allow_extensions", "true"}}).rows.size(),
      1U);
}

TEST(Variants, UnknownModelsAndBaselines) {
  const std::vector<Variant> rns = parse_variants("rns");
  EXPECT_ERROR(make_rows({"lightgnc"}, rns, {}, {}), "Did you mean 'lightgcn'");
  EXPECT_ERROR(make_rows({"ials"}, rns, {}, {}), "--baselines ials");
  EXPECT_ERROR(make_rows({"mf"}, rns, {"eases"}, {}), "Did you mean 'ease'");
}

TEST(Variants, SettingsThatAStudyWouldNotObeyAreRefused) {
  EXPECT_ERROR(parse_variants("dns:model=lightgcn"), "use --model ");
  EXPECT_ERROR(parse_variants("dns:seed=3"), "use --seeds");
  EXPECT_ERROR(parse_variants("dns:sampler=rns"), "use --samplers");
  EXPECT_ERROR(parse_axis("model=mf/lightgcn"), "cannot be an axis");
}

}  // namespace
}  // namespace divns
