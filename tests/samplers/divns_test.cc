// SPDX-License-Identifier: Apache-2.0
#include "samplers/divns/divns.h"

#include <gtest/gtest.h>

#include <set>

#include "divns/options.h"
#include "divns/tensors.h"
#include "models/registry.h"
#include "samplers/divns/candidate_ranking.h"
#include "support/errors.h"
#include "support/finite_differences.h"
#include "support/interactions.h"
#include "support/six_items.h"
#include "support/tables.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;
using testing::random_table;
using testing::SixItems;
using testing::TempFolder;
using DivNsSettings = std::vector<std::string>;

// A started sampler and vectors that do not move, so that epochs can be looked at one by one.
class Bench {
 public:
  Bench(const Interactions& train, Table users, Table items, const DivNsSettings& settings,
        int threads = 1, int negatives = 1, uint64_t seed = 3)
      : executor_(threads), train_(train), users_(std::move(users)), items_(std::move(items)) {
    sampler = make_divns();
    Options options;
    sampler->declare(options);
    for (const std::string& setting : settings)
      options.set_assignment("divns." + setting, OptionSource::kSet);
    sampler->start({.train = train,
                    .executor = executor_,
                    .seed = seed,
                    .dim = items_.dim(),
                    .negatives = negatives});
    for (uint32_t u = 0; u < train.users(); ++u)
      for (uint64_t p = train.offsets[u]; p < train.offsets[u + 1]; ++p) {
        if (train.row(u).size() == train.item_count) continue;
        batch_users.push_back(u);
        batch_items.push_back(train.items[p]);
        batch_pairs.push_back(p);
      }
  }

  EmbeddingView view() const {
    EmbeddingView view;
    view.users = users_.view();
    view.items = items_.view();
    return view;
  }
  // All pairs in batches of `size`, in the order of train.
  Negatives epoch(uint32_t number, size_t size = 7) {
    sampler->begin_epoch(number, sampler->reads_epoch_vectors() ? view() : EmbeddingView());
    Negatives all;
    for (size_t begin = 0; begin < batch_users.size(); begin += size) {
      const Negatives part = batch(number, begin, std::min(size, batch_users.size() - begin));
      all.per_row = part.per_row;
      all.terms_each = part.terms_each;
      all.broadcasts = part.broadcasts;
      all.terms.insert(all.terms.end(), part.terms.begin(), part.terms.end());
    }
    return all;
  }
  Negatives batch(uint32_t epoch, size_t begin, size_t size) {
    const Batch batch{.epoch = epoch,
                      .first_place = static_cast<uint32_t>(begin),
                      .users = std::span(batch_users).subspan(begin, size),
                      .positives = std::span(batch_items).subspan(begin, size),
                      .pairs = std::span(batch_pairs).subspan(begin, size)};
    RowsToRead rows;
    Negatives negatives;
    sampler->propose(batch, rows);
    sampler->choose(batch, view(), negatives);
    for (const Term& term : negatives.terms) {
      EXPECT_TRUE(std::find(rows.items.begin(), rows.items.end(), term.item) != rows.items.end());
    }
    return negatives;
  }

  std::unique_ptr<Sampler> sampler;
  std::vector<uint32_t> batch_users;
  std::vector<uint32_t> batch_items;
  std::vector<uint64_t> batch_pairs;

 private:
  Executor executor_;
  Interactions train_;
  Table users_;
  Table items_;
};

using Ids = std::vector<uint32_t>;

Ids items_of(const Negatives& negatives) {
  Ids items;
  for (const Term& term : negatives.terms) items.push_back(term.item);
  return items;
}

// With n = 5 every candidate list of the six items is all that the user misses.
Bench six_bench(DivNsSettings settings, int negatives = 1) {
  static const SixItems six;
  settings.insert(settings.begin(), "candidates=5");
  return {six.train.view(), six.users, six.items, settings, 1, negatives};
}

TEST(DivNs, FirstEpochUsesHardNegativesAlone) {
  Bench bench = six_bench({"cache_ratio=2"});
  const Negatives negatives = bench.epoch(0);
  EXPECT_EQ(negatives.terms_each, 1U);
  EXPECT_EQ(items_of(negatives), (Ids{4, 4, 1, 4, 4}));
  for (const Term& term : negatives.terms) EXPECT_EQ(term.weight, 1.0F);
}

TEST(DivNs, SecondEpochMixesWithDiverseItemsOfTheCache) {
  Bench bench = six_bench({"cache_ratio=2"});
  bench.epoch(0);
  const Negatives negatives = bench.epoch(1);
  ASSERT_EQ(negatives.terms_each, 2U);
  const Ids items = items_of(negatives);
  // User 0: cache {3, 2}; user 2: cache {0, 1}; both taken whole, in either order.
  EXPECT_EQ((std::set<uint32_t>{items[1], items[3]}), (std::set<uint32_t>{2, 3}));
  EXPECT_EQ((std::set<uint32_t>{items[7], items[9]}), (std::set<uint32_t>{0, 1}));
  // User 1: cache {0, 3} with q = .457, 1.537 against item 1.
  EXPECT_EQ(items[4], 1U);
  EXPECT_EQ(items[5], 3U);
  for (size_t i = 0; i < negatives.terms.size(); ++i) {
    EXPECT_EQ(negatives.terms[i].hop, kEveryHop);
    EXPECT_NEAR(negatives.terms[i].weight, i % 2 == 0 ? .7 : .3, 1e-6);
  }
  const auto diagnostics = bench.sampler->diagnostics();
  ASSERT_EQ(diagnostics.size(), 2U);
  EXPECT_NEAR(diagnostics[0].second, 6.0 / 5, 1e-12);  // ground sets of 2 for 2 + 1 + 2 pairs
  EXPECT_NEAR(diagnostics[1].second, 1, 1e-12);
}

TEST(DivNs, FewDiverseItemsAreUsedAgainOrNot) {
  Bench recycled = six_bench({"cache_ratio=1"});
  recycled.epoch(0);
  const Ids items = items_of(recycled.epoch(1));
  EXPECT_EQ(items[1], 3U);
  EXPECT_EQ(items[3], 3U);

  Bench unmixed = six_bench({"cache_ratio=1", "shortage=unmixed"});
  unmixed.epoch(0);
  const Negatives negatives = unmixed.epoch(1);
  const bool first = negatives.terms[1].weight == 0;
  EXPECT_NE(first, negatives.terms[3].weight == 0);
  EXPECT_EQ(negatives.terms[first ? 0 : 2].weight, 1.0F);
  EXPECT_NEAR(negatives.terms[first ? 3 : 1].weight, .3, 1e-6);
}

TEST(DivNs, StopsAtTheRankAndRecycles) {
  // Two dimensions: no more than two of a ground set of three, although three are needed.
  const OwnedInteractions data({{0, 1, 2}}, 8);
  Table users(1, 2);
  users.row(0)[0] = 1;
  Table items = random_table(8, 2, 6);
  const auto distinct = [&](const std::string& policy) {
    Bench bench(data.view(), users, items, {"candidates=5", "cache_ratio=4", policy});
    bench.epoch(0);
    const Ids ids = items_of(bench.epoch(1));
    return std::set<uint32_t>{ids[1], ids[3], ids[5]}.size();
  };
  EXPECT_EQ(distinct("rank_policy=jitter"), 3U);
  EXPECT_EQ(distinct("rank_policy=rounds"), 3U);
  EXPECT_EQ(distinct("rank_policy=stop"), 2U);
}

TEST(DivNs, PairsEnterTheLossTogether) {
  Bench bench = six_bench({"cache_ratio=2", "combine=pair"});
  EXPECT_EQ(bench.epoch(0).per_row, 1U);
  const Negatives negatives = bench.epoch(1);
  EXPECT_EQ(negatives.per_row, 2U);
  EXPECT_EQ(negatives.terms_each, 1U);
  EXPECT_EQ(negatives.terms[4].item, 1U);
  EXPECT_EQ(negatives.terms[5].item, 3U);
  for (const Term& term : negatives.terms) EXPECT_EQ(term.weight, 1.0F);
}

TEST(DivNs, OffIsDns) {
  Bench bench = six_bench({"diverse=off", "cache_ratio=9"});
  EXPECT_FALSE(bench.sampler->reads_epoch_vectors());
  for (const uint32_t epoch : {0U, 1U, 5U}) {
    const Negatives negatives = bench.epoch(epoch);
    EXPECT_EQ(negatives.terms_each, 1U);
    EXPECT_EQ(items_of(negatives), (Ids{4, 4, 1, 4, 4}));
  }
}

TEST(DivNs, BatchByBatchPartnersComeFromTheLastEpoch) {
  Bench bench = six_bench({"cache_ratio=2", "timing=batch"});
  EXPECT_EQ(bench.epoch(0).terms_each, 1U);
  const Ids items = items_of(bench.epoch(1, 2));
  EXPECT_EQ((std::set<uint32_t>{items[1], items[3]}), (std::set<uint32_t>{2, 3}));
  EXPECT_EQ(items[5], 3U);
}

TEST(DivNs, SeveralNegativesHaveListsAndPartnersOfTheirOwn) {
  Bench bench = six_bench({"cache_ratio=2"}, 2);
  EXPECT_EQ(bench.epoch(0).terms.size(), 10U);
  const Negatives negatives = bench.epoch(1);
  EXPECT_EQ(negatives.per_row, 2U);
  const Ids items = items_of(negatives);
  // User 1 has a cache of two for the two negatives of its one pair.
  EXPECT_EQ((std::set<uint32_t>{items[9], items[11]}), (std::set<uint32_t>{0, 3}));
}

TEST(DivNs, HardNegativesFollowTheLawOfTheBestOfN) {
  // One user, 12 missing items scored by their number, n = 4 of them without replacement: the best
  // is the one of rank r (from 0) with probability C(11 - r, 3) / C(12, 4).
  const OwnedInteractions data({{0}}, 13);
  Table users(1, 1);
  users.row(0)[0] = 1;
  Table items(13, 1);
  for (uint32_t i = 0; i < 13; ++i) items.row(i)[0] = static_cast<float>(i);
  for (const std::string timing : {"timing=epoch", "timing=batch"}) {
    Bench bench(data.view(), users, items, {"candidates=4", "cache_ratio=1", timing});
    std::vector<double> counts(13);
    constexpr uint32_t kEpochs = 9900;
    for (uint32_t epoch = 0; epoch < kEpochs; ++epoch) ++counts[bench.epoch(epoch).terms[0].item];
    double chi2 = 0;
    for (uint32_t r = 0; r <= 8; ++r) {
      const double left = 11 - r;
      const double expected = kEpochs * left * (left - 1) * (left - 2) / 6 / 495;
      chi2 += (counts[12 - r] - expected) * (counts[12 - r] - expected) / expected;
    }
    EXPECT_LT(chi2, 26.1) << timing;  // 8 degrees of freedom, p = 0.001
  }
}

TEST(DivNs, NeverAPositiveWhateverTheUserOwns) {
  std::vector<std::vector<uint32_t>> rows = {{}, {3}, {}, {}};
  for (uint32_t i = 0; i < 9; ++i) rows[2].push_back(i);  // everything
  for (uint32_t i = 0; i < 8; ++i) rows[3].push_back(i);  // all but one
  const OwnedInteractions data(rows, 9);
  for (const DivNsSettings& settings :
       {DivNsSettings{}, DivNsSettings{"timing=batch"}, DivNsSettings{"diverse=uniform"},
        DivNsSettings{"diverse=vanilla"}, DivNsSettings{"diverse=exact"},
        DivNsSettings{"diverse=opposite"}, DivNsSettings{"diverse=off"},
        DivNsSettings{"variant=released", "candidates=6"}, DivNsSettings{"diverse=hard"},
        DivNsSettings{"shortage=refill"}, DivNsSettings{"replacement=true"},
        DivNsSettings{"candidates=40"}}) {
    Bench bench(data.view(), random_table(4, 6, 1), random_table(9, 6, 2), settings, 2, 2);
    for (uint32_t epoch = 0; epoch < 3; ++epoch) {
      const Negatives negatives = bench.epoch(epoch);
      const size_t per_row = negatives.per_row * negatives.terms_each;
      for (size_t t = 0; t < negatives.terms.size(); ++t) {
        const auto owned = data.view().row(bench.batch_users[t / per_row]);
        const uint32_t item = negatives.terms[t].item;
        ASSERT_LT(item, 9U);
        EXPECT_FALSE(std::binary_search(owned.begin(), owned.end(), item));
      }
      for (size_t t = 0; t < negatives.terms.size(); t += negatives.terms_each) {
        float sum = 0;
        for (size_t k = 0; k < negatives.terms_each; ++k) sum += negatives.terms[t + k].weight;
        EXPECT_FLOAT_EQ(sum, 1);
      }
    }
  }
}

const std::vector<DivNsSettings>& option_sets() {
  static const std::vector<DivNsSettings> sets = {
      {},
      {"timing=batch"},
      {"variant=released"},
      {"variant=released", "opposite_to=hard"},
      {"variant=released", "keep_hard=false"},
      {"variant=released", "pairing=random"},
      {"diverse=vanilla", "random_ties=true"},
      {"diverse=exact", "distinct_hard=true"},
      {"diverse=uniform", "shortage=unmixed"},
      {"combine=pair", "replacement=true", "shortage=refill"},
      {"penalty=half", "unit_kernel=false", "rank_policy=rounds"},
      {"penalty=clip", "rank_policy=stop", "cached_vectors=true"},
      {"diverse=off"},
  };
  return sets;
}

TEST(DivNs, EveryOptionGivesTheSameForAnyThreadsAndAcrossSaveAndLoad) {
  const OwnedInteractions data = random_interactions(60, 80, 9, 4);
  const TempFolder folder;
  for (const DivNsSettings& settings : option_sets()) {
    const auto bench = [&](int threads) {
      return std::make_unique<Bench>(data.view(), random_table(60, 7, 1), random_table(80, 7, 2),
                                     settings, threads, 2);
    };
    const auto one = bench(1);
    auto parted = bench(7);
    for (uint32_t epoch = 0; epoch < 4; ++epoch) {
      const Ids expected = items_of(one->epoch(epoch));
      EXPECT_EQ(items_of(parted->epoch(epoch)), expected)
          << (settings.empty() ? "defaults" : settings[0]);
      TensorWriter out;
      parted->sampler->save(out);
      out.write(folder.path() / "state");
      parted = bench(2);
      parted->sampler->load(TensorReader(folder.path() / "state"));
    }
  }
}

TEST(DivNs, OptionsChangeWhatIsChosen) {
  const OwnedInteractions data = random_interactions(60, 80, 9, 4);
  std::set<Ids> results;
  for (const DivNsSettings& settings : option_sets()) {
    Bench bench(data.view(), random_table(60, 7, 1), random_table(80, 7, 2), settings);
    bench.epoch(0);
    EXPECT_TRUE(results.insert(items_of(bench.epoch(1))).second);
  }
}

TEST(DivNs, AHardPartnerIsTheHardNegativeOfDns) {
  const OwnedInteractions data = random_interactions(60, 80, 9, 4);
  Bench hard(data.view(), random_table(60, 7, 1), random_table(80, 7, 2), {"diverse=hard"});
  Bench off(data.view(), random_table(60, 7, 1), random_table(80, 7, 2), {"diverse=off"});
  const Negatives mixed = hard.epoch(0);
  const Negatives plain = off.epoch(0);
  ASSERT_EQ(mixed.terms.size(), 2 * plain.terms.size());
  for (size_t i = 0; i < plain.terms.size(); ++i)
    for (size_t part = 0; part < 2; ++part)
      EXPECT_EQ(mixed.terms[2 * i + part].item, plain.terms[i].item);
}

TEST(DivNs, TheFirstEpochOfASamplerWithPartnersIsNotBroadcast) {
  const OwnedInteractions data = random_interactions(60, 80, 9, 4);
  Bench released(data.view(), random_table(60, 7, 1), random_table(80, 7, 2), {"variant=released"});
  EXPECT_FALSE(released.epoch(0).broadcasts);
  EXPECT_TRUE(released.epoch(1).broadcasts);
  Bench off(data.view(), random_table(60, 7, 1), random_table(80, 7, 2), {"diverse=off"});
  EXPECT_TRUE(off.epoch(0).broadcasts);
}

TEST(DivNs, VariantSetsWhatIsNotSetOtherwise) {
  const auto sampler = make_divns();
  Options options;
  sampler->declare(options);
  const auto value = [&](const char* name) { return options.find(name)->value(); };
  EXPECT_EQ(value("divns.lambda"), "0.7");
  options.set("divns.cache_ratio", "3", OptionSource::kFlag);
  options.set("divns.variant", "released", OptionSource::kFile);
  EXPECT_EQ(value("divns.lambda"), "0.8");
  EXPECT_EQ(value("divns.cache_ratio"), "3");
  EXPECT_EQ(value("divns.diverse"), "opposite");
  EXPECT_EQ(value("divns.timing"), "batch");
  EXPECT_EQ(value("divns.opposite_to"), "positions");
  options.set("divns.variant", "paper", OptionSource::kFlag);
  EXPECT_EQ(value("divns.opposite_to"), "hard");
  EXPECT_EQ(value("divns.lambda"), "0.7");
  EXPECT_EQ(value("divns.diverse"), "augmented");
}

TEST(DivNs, RefusesWhatDoesNotGoTogether) {
  EXPECT_ERROR(six_bench({"cache_ratio=5"}), "of divns.candidates = 5 only 4 are left");
  EXPECT_ERROR(six_bench({"cache_ratio=1", "timing=batch", "cached_vectors=true"}),
               "timing = epoch only");
  EXPECT_ERROR(six_bench({"cache_ratio=1", "opposite_to=positions"}), "diverse = opposite");
  EXPECT_ERROR(six_bench({"cache_ratio=1", "diverse=opposite", "opposite_to=positions"}),
               "timing = batch");
}

TEST(DivNs, RefusesAStateWithItemsThatDoNotExist) {
  const TempFolder folder;
  Bench bench = six_bench({"cache_ratio=2"});
  bench.epoch(0);
  TensorWriter out;
  const Ids cache(10, 6);
  out.add("cache", cache);
  out.write(folder.path() / "state");
  EXPECT_ERROR(bench.sampler->load(TensorReader(folder.path() / "state")), "names item 6");
}

TEST(DivNs, LossOfBothModelsHasTheGradientsOfFiniteDifferences) {
  const OwnedInteractions data({{0, 1}, {1, 2, 5}, {1, 3}, {}}, 9);
  for (const char* name : {"mf", "lightgcn"})
    for (const DivNsSettings& settings : {DivNsSettings{}, DivNsSettings{"combine=pair"}}) {
      const Executor executor(1);
      const auto model = find_model(name).make();
      model->start({data.view(), executor, 5});
      const Table users = random_table(4, 5, 1);
      const Table items = random_table(9, 5, 2);
      std::copy_n(users.data(), users.size(), model->user_parameters().data());
      std::copy_n(items.data(), items.size(), model->item_parameters().data());
      DivNsSettings all = {"candidates=4", "cache_ratio=2"};
      all.insert(all.end(), settings.begin(), settings.end());
      Bench bench(data.view(), users, items, all);
      bench.epoch(0);
      const Negatives negatives = bench.epoch(1, 100);
      ASSERT_EQ(negatives.per_row * negatives.terms_each, 2U);
      const Batch batch{.users = bench.batch_users, .positives = bench.batch_items};
      testing::expect_gradients(*model, data.view(), false, {.l2 = 0.1}, batch, negatives,
                                executor);
    }
}

}  // namespace
}  // namespace divns
