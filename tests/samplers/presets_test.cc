// SPDX-License-Identifier: Apache-2.0
// What the registry says of a sampler besides its name: settings of its authors, files it needs.
#include <gtest/gtest.h>

#include "divns/options.h"
#include "divns/registry.h"
#include "run/resolved_setup.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

std::string value_with(Settings settings, const std::string& sampler, std::string_view option) {
  settings.push_back({"sampler", sampler});
  settings.push_back({"allow_extensions", "true"});
  return ResolvedSetup(settings).options.find(option)->value();
}

TEST(AuthorsPreset, SetsWhatIsNotSetOtherwise) {
  EXPECT_EQ(value_with({}, "adasir", "negatives"), "1");
  EXPECT_EQ(value_with({{"preset", "authors"}}, "adasir", "negatives"), "5");
  EXPECT_EQ(value_with({{"preset", "authors"}, {"negatives", "2"}}, "adasir", "negatives"), "2");
  EXPECT_EQ(value_with({{"preset", "authors"}}, "rns", "negatives"), "1");
  // A preset may name a protocol, which has values of its own.
  EXPECT_EQ(value_with({{"preset", "authors"}}, "ahns", "drop_last"), "true");
}

TEST(AuthorsPreset, EverySettingIsAnOption) {
  for (const SamplerEntry& entry : samplers())
    for (const auto& [name, value] : entry.authors)
      EXPECT_EQ(value_with({{"preset", "authors"}}, entry.name, name), value) << entry.name;
}

TEST(FastPreset, SetsWhatIsNotSetOtherwise) {
  const auto fast = [](Settings settings, std::string_view option) {
    settings.push_back({"preset", "fast"});
    return ResolvedSetup(settings).options.find(option)->value();
  };
  EXPECT_EQ(fast({}, "model"), "mf");
  EXPECT_EQ(fast({}, "sampler"), "shared");
  EXPECT_EQ(fast({}, "loss"), "bsl");
  EXPECT_EQ(fast({}, "similarity"), "cosine");
  EXPECT_EQ(fast({}, "init"), "svd");
  EXPECT_EQ(fast({{"sampler", "mixed"}}, "sampler"), "mixed");
  EXPECT_EQ(fast({{"model", "lightgcn"}, {"embedding_dim", "32"}}, "embedding_dim"), "32");
}

TEST(InputFiles, TheirContentsIdentifyARun) {
  const testing::TempFolder folder;
  const std::string path = folder.write("lists.csv", "0,1\n");
  const Settings settings = {{"sampler", "file"}, {"file.path", path}};
  const std::string before = ResolvedSetup(settings).config_text();
  EXPECT_EQ(ResolvedSetup(settings).config_text(), before);
  folder.write("lists.csv", "0,2\n");
  EXPECT_NE(ResolvedSetup(settings).config_text(), before);
  // They do not matter to another sampler, but groups of items are an input of the training.
  EXPECT_EQ(ResolvedSetup({{"file.path", path}}).config_text().find("content"), std::string::npos);
  const Settings groups = {{"item_groups", path}};
  EXPECT_NE(ResolvedSetup(groups).config_text().find("# content: "), std::string::npos);
  const Settings missing = {{"item_groups", path + "x"}};
  EXPECT_ERROR(ResolvedSetup(missing).config_text(), "lists.csvx");
}

TEST(InputFiles, NeedsNamesAnOption) {
  for (const SamplerEntry& entry : samplers()) {
    if (!entry.needs.empty()) {
      EXPECT_NO_THROW(value_with({}, entry.name, entry.needs)) << entry.name;
    }
  }
}

}  // namespace
}  // namespace divns
