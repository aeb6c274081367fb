// SPDX-License-Identifier: Apache-2.0
// What every sampler owes the trainer, checked for each row of the registry on each model. A new
// row is taken up without a change here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "divns/options.h"
#include "divns/registry.h"
#include "divns/tensors.h"
#include "models/registry.h"
#include "support/double_model.h"
#include "support/errors.h"
#include "support/interactions.h"
#include "support/losses.h"
#include "support/tables.h"
#include "support/temp_folder.h"
#include "support/watching_sampler.h"
#include "train/setup.h"
#include "train/trainer.h"

namespace divns {
namespace {

using testing::OwnedInteractions;
using testing::random_interactions;
using testing::TempFolder;
using testing::WatchingSampler;

constexpr uint32_t kItems = 23;
using CaseSettings = std::map<std::string, std::string>;

// Users who own nothing, one item, all but one and all items stand beside ordinary ones.
const OwnedInteractions& awkward_train() {
  static const OwnedInteractions train = [] {
    const OwnedInteractions plain = random_interactions(50, kItems, 4, 3);
    std::vector<std::vector<uint32_t>> rows(1);
    for (uint32_t u = 0; u < 50; ++u)
      rows.emplace_back(plain.view().row(u).begin(), plain.view().row(u).end());
    rows.push_back({7});
    std::vector<uint32_t> all(kItems);
    for (uint32_t i = 0; i < kItems; ++i) all[i] = i;
    rows.push_back(all);
    all.erase(all.begin() + 11);
    rows.push_back(all);
    return OwnedInteractions(rows, kItems);
  }();
  return train;
}

bool owns(uint32_t user, uint32_t item) {
  const auto row = awkward_train().view().row(user);
  return std::binary_search(row.begin(), row.end(), item);
}

// What samplers need beyond the pairs: groups of items, and a file of lists for most users.
const SideInputs& side_inputs() {
  static const SideInputs inputs = [] {
    SideInputs made;
    made.item_groups.names = {"a", "b", "c"};
    for (uint32_t i = 0; i < kItems; ++i) made.item_groups.group_of.push_back(i % 3);
    return made;
  }();
  return inputs;
}

const std::string& file_of_lists() {
  static const TempFolder folder;
  static const std::string path = [] {
    std::string text;
    for (uint32_t user = 1; user <= 51; ++user)
      for (const uint32_t item : {7 * user % kItems, (5 * user + 3) % kItems})
        text += std::to_string(user) + "," + std::to_string(item) + "\n";
    return folder.write("lists.csv", text);
  }();
  return path;
}

struct SamplerCase {
  std::string sampler;
  std::string model;
};

TrainConfig config_of(const SamplerCase& c) {
  TrainConfig config;
  config.model = c.model;
  config.sampler = c.sampler;
  config.embedding_dim = 8;
  config.batch_size = 64;
  config.epochs = 3;
  config.optimizer.learning_rate = 0.01;
  config.init = Initialisation::kNormal;
  config.init_std = 0.5;
  return config;
}

std::unique_ptr<Sampler> sampler_with(const std::string& name, const CaseSettings& settings) {
  auto sampler = find_sampler(name).make();
  Options options;
  sampler->declare(options);
  // A smaller network changes nothing of what is looked at here but the seconds.
  if (name == "scone") options.set("scone.score_dims", "8,16", OptionSource::kSet);
  if (name == "file") options.set("file.path", file_of_lists(), OptionSource::kSet);
  // Fewer than there are items, so that there is something to choose.
  if (sampler->shares_negatives())
    for (const Option& option : options.all())
      if (option.name() == name + ".size" || option.name() == name + ".hardest")
        options.set(option.name(), option.name() == name + ".size" ? "6" : "3", OptionSource::kSet);
  for (const auto& [key, value] : settings) options.set(key, value, OptionSource::kSet);
  return sampler;
}

std::unique_ptr<Sampler> watched(std::unique_ptr<Sampler> sampler, WatchingSampler::See see) {
  if (!see) return sampler;
  return std::make_unique<WatchingSampler>(std::move(sampler), std::move(see));
}

class TrainingRun {
 public:
  // With `see` the sampler is watched, which needs the batches of the general schedule. Without it
  // the trainer is free to choose its schedule (DirectBatches where they fit).
  explicit TrainingRun(const TrainConfig& config, int threads = 2,
                       const CaseSettings& settings = {}, WatchingSampler::See see = {})
      : executor_(threads, threads > 2 ? 5 : 0),
        trainer(config,
                {.model = find_model(config.model).make(),
                 .sampler = watched(sampler_with(config.sampler, settings), std::move(see)),
                 .inputs = side_inputs()},
                awkward_train().view(), {}, executor_) {}

  std::vector<double> train_all() {
    std::vector<double> losses;
    while (!trainer.finished()) losses.push_back(trainer.run_epoch().loss);
    return losses;
  }
  std::vector<float> result() {
    const auto [users, items] = trainer.finish();
    std::vector<float> all(users.data, users.data + size_t{users.rows} * users.stride);
    all.insert(all.end(), items.data, items.data + size_t{items.rows} * items.stride);
    return all;
  }

 private:
  Executor executor_;

 public:
  Trainer trainer;
};

// Shapes, ranges and sums that hold whatever the options are.
void check_shared(const SharedNegatives& shared) {
  for (const uint32_t item : shared.items) ASSERT_LT(item, kItems);
  ASSERT_TRUE(shared.log_weights.empty() || shared.log_weights.size() == shared.items.size());
  for (const float weight : shared.log_weights) ASSERT_LE(std::abs(weight), 40.0F);
  ASSERT_LE(shared.hardest, shared.items.size());
}

void check_form(const Batch& batch, const EmbeddingView& view, const Negatives& negatives) {
  if (!negatives.shared.items.empty()) {
    ASSERT_TRUE(negatives.terms.empty());
    check_shared(negatives.shared);
    return;
  }
  const size_t count = batch.size() * negatives.per_row;
  ASSERT_GE(negatives.per_row, 1U);
  if (negatives.free_vectors) {
    ASSERT_GE(negatives.vectors.rows(), count);
    for (size_t n = 0; n < count; ++n)
      for (uint32_t c = 0; c < negatives.vectors.dim(); ++c)
        ASSERT_TRUE(std::isfinite(negatives.vectors.row(n)[c]));
  } else {
    ASSERT_EQ(negatives.terms.size(), count * negatives.terms_each);
  }
  for (const Term& term : negatives.terms) {
    ASSERT_LT(term.item, kItems);
    ASSERT_GE(term.hop, kEveryHop);
    ASSERT_LT(term.hop, static_cast<int>(view.item_hops.size()));  // see reads_single_hops()
    ASSERT_GE(term.weight, 0.0F);
  }
  // At every hop the terms of a negative make one whole vector.
  for (size_t n = 0; n < count && !negatives.free_vectors; ++n)
    for (int hop = 0; hop < static_cast<int>(view.pool_weights.size()); ++hop) {
      float sum = 0;
      for (size_t t = n * negatives.terms_each; t < (n + 1) * negatives.terms_each; ++t)
        if (negatives.terms[t].hop == hop || negatives.terms[t].hop == kEveryHop)
          sum += negatives.terms[t].weight;
      ASSERT_NEAR(sum, 1, 1e-6);
    }
  if (!negatives.importance.empty()) {
    ASSERT_EQ(negatives.importance.size(), count);
    for (size_t b = 0; b < batch.size(); ++b) {
      float sum = 0;
      for (size_t k = 0; k < negatives.per_row; ++k)
        sum += negatives.importance[b * negatives.per_row + k];
      ASSERT_NEAR(sum, 1, 1e-5);
    }
  }
  if (!negatives.row_weights.empty()) {
    ASSERT_EQ(negatives.row_weights.size(), batch.size());
    for (const float weight : negatives.row_weights) ASSERT_GT(weight, 0.0F);
  }
}

// No term is a training item of the user, save the row's own positive where it is mixed in with
// less than its whole weight.
void check_no_positives(const Batch& batch, const Negatives& negatives) {
  for (size_t t = 0; t < negatives.terms.size(); ++t) {
    const Term& term = negatives.terms[t];
    if (term.weight == 0) continue;
    const size_t b = t / (negatives.terms_each * negatives.per_row);
    if (negatives.terms_each > 1 && term.item == batch.positives[b]) {
      ASSERT_LT(term.weight, 1.0F);
    } else {
      ASSERT_FALSE(owns(batch.users[b], term.item)) << batch.users[b] << " " << term.item;
    }
  }
}

class EverySampler : public ::testing::TestWithParam<SamplerCase> {};

TEST_P(EverySampler, GivesProperNegatives) {
  for (const int negatives : {1, 3}) {
    TrainConfig config = config_of(GetParam());
    config.negatives = negatives;
    size_t rows = 0;
    TrainingRun run(config, 2, {},
                    [&](const Batch& batch, const EmbeddingView& view, const Negatives& n) {
                      check_form(batch, view, n);
                      check_no_positives(batch, n);
                      rows += batch.size();
                    });
    run.train_all();
    // All rows but those of the user who owns everything.
    EXPECT_EQ(rows, 3 * (awkward_train().items.size() - kItems));
    for (const float x : run.result()) ASSERT_TRUE(std::isfinite(x));
  }
}

TEST_P(EverySampler, GivesTheSameForAnyNumberOfThreads) {
  TrainConfig config = config_of(GetParam());
  config.negatives = 2;
  // One run at a time: the smallest of the live executors limits all.
  const auto outcome = [&](int threads) {
    TrainingRun run(config, threads);
    auto losses = run.train_all();
    return std::pair(std::move(losses), run.result());
  };
  const auto expected = outcome(1);
  for (const int threads : {2, 7}) EXPECT_EQ(outcome(threads), expected);
}

TEST_P(EverySampler, GivesTheSameWhenSavedAndLoadedAfterEveryEpoch) {
  TrainConfig config = config_of(GetParam());
  config.epochs = 4;
  TrainingRun straight(config);
  const auto losses = straight.train_all();
  const TempFolder folder;
  auto parted = std::make_unique<TrainingRun>(config);
  std::vector<double> parted_losses;
  while (!parted->trainer.finished()) {
    parted_losses.push_back(parted->trainer.run_epoch().loss);
    TensorWriter out;
    parted->trainer.save(out);
    out.write(folder.path() / "state");
    parted = std::make_unique<TrainingRun>(config, 1);
    parted->trainer.load(TensorReader(folder.path() / "state"));
  }
  EXPECT_EQ(parted_losses, losses);
  EXPECT_EQ(parted->result(), straight.result());
}

// What a sampler gives for the same rows and the same vectors with this seed.
std::vector<float> negatives_with_seed(const SamplerCase& c, uint64_t seed) {
  const Interactions train = awkward_train().view();
  const Executor executor(1);
  const auto model = find_model(c.model).make();
  model->start({train, executor, 8});
  const Table users = testing::random_table(train.users(), 8, 1);
  const Table items = testing::random_table(kItems, 8, 2);
  std::copy_n(users.data(), users.size(), model->user_parameters().data());
  std::copy_n(items.data(), items.size(), model->item_parameters().data());
  model->forward({}, {});
  std::vector<uint32_t> rows;
  std::vector<uint32_t> positives;
  std::vector<uint64_t> pairs;
  for (uint32_t user = 1; user < 51; ++user) {
    const uint64_t pair = train.offsets[user];
    if (pair == train.offsets[user + 1]) continue;
    rows.push_back(user);
    positives.push_back(train.items[pair]);
    pairs.push_back(pair);
  }
  const auto sampler = sampler_with(c.sampler, {});
  sampler->start({.train = train,
                  .executor = executor,
                  .seed = seed,
                  .dim = 8,
                  .hops = model->hops(),
                  .negatives = 2,
                  .batch_size = rows.size(),
                  .inputs = &side_inputs()});
  const Batch batch{.users = rows, .positives = positives, .pairs = pairs};
  RowsToRead to_read;
  Negatives negatives;
  sampler->begin_epoch(0, model->view());
  sampler->propose(batch, to_read);
  sampler->choose(batch, model->view(), negatives);
  std::vector<float> all(negatives.shared.items.begin(), negatives.shared.items.end());
  for (const Term& term : negatives.terms) {
    all.push_back(static_cast<float>(term.item));
    all.push_back(term.weight);
  }
  if (negatives.free_vectors)
    for (size_t n = 0; n < rows.size() * negatives.per_row; ++n)
      all.insert(all.end(), negatives.vectors.row(n), negatives.vectors.row(n) + 8);
  return all;
}

TEST_P(EverySampler, AnotherSeedGivesOtherNegatives) {
  if (GetParam().sampler == "in_batch") GTEST_SKIP() << "its negatives are those of the batch";
  EXPECT_EQ(negatives_with_seed(GetParam(), 1), negatives_with_seed(GetParam(), 1));
  EXPECT_NE(negatives_with_seed(GetParam(), 1), negatives_with_seed(GetParam(), 2));
}

// The general schedule and the one that the trainer chooses when nobody watches give the same bits.
TEST_P(EverySampler, GivesTheSameForEverySchedule) {
  TrainConfig config = config_of(GetParam());
  config.negatives = 2;
  config.objective = {.l2 = 0.01, .l2_user = 0.02, .l2_positive = 0.003};
  TrainingRun watched_run(config, 2, {}, [](const auto&...) {});
  TrainingRun free_run(config);
  EXPECT_EQ(free_run.train_all(), watched_run.train_all());
  EXPECT_EQ(free_run.result(), watched_run.result());
}

// What a choice needs beside it; any other is tried with the defaults of all options.
CaseSettings with_companions(const std::string& name, const std::string& value) {
  CaseSettings settings = {{name, value}};
  if (name == "divns.opposite_to" && value == "positions") {
    settings["divns.diverse"] = "opposite";
    settings["divns.timing"] = "batch";
  }
  return settings;
}

// Each value of each choice and switch, one at a time, from its defaults.
TEST_P(EverySampler, TrainsWithEveryChoice) {
  Options declared;
  const auto sampler = find_sampler(GetParam().sampler).make();
  sampler->declare(declared);
  for (const Option& option : declared.all()) {
    std::vector<std::string> values = option.choice_names();
    if (option.is_flag()) values = {option.default_text() == "true" ? "false" : "true"};
    for (const std::string& value : values) {
      SCOPED_TRACE(option.name() + " = " + value);
      TrainConfig config = config_of(GetParam());
      config.negatives = 2;
      config.epochs = 2;
      TrainingRun run(config, 2, with_companions(option.name(), value),
                      [&](const Batch& batch, const EmbeddingView& view, const Negatives& n) {
                        check_form(batch, view, n);
                        if (!option.name().ends_with("reject_positives"))
                          check_no_positives(batch, n);
                      });
      run.train_all();
      for (const float x : run.result()) ASSERT_TRUE(std::isfinite(x));
    }
  }
}

// The ranking loss by finite differences in float64, with the choice held fixed. Losses and
// gradients that a sampler brings itself are the matter of its own tests.
TEST_P(EverySampler, ItsLossHasTheGradientOfFiniteDifferences) {
  const TrainConfig config = config_of(GetParam());
  const Interactions train = awkward_train().view();
  const Executor executor(2);
  const auto model = find_model(config.model).make();
  model->start({train, executor, 8});
  const Table users = testing::random_table(train.users(), 8, 1);
  const Table items = testing::random_table(kItems, 8, 2);
  std::copy_n(users.data(), users.size(), model->user_parameters().data());
  std::copy_n(items.data(), items.size(), model->item_parameters().data());
  model->forward({}, {});

  const auto sampler = sampler_with(config.sampler, {});
  sampler->start({.train = train,
                  .executor = executor,
                  .seed = 3,
                  .dim = 8,
                  .hops = model->hops(),
                  .negatives = 2,
                  .batch_size = 6,
                  .inputs = &side_inputs()});
  std::vector<uint32_t> batch_users;
  std::vector<uint32_t> positives;
  std::vector<uint64_t> pairs;
  for (uint64_t pair = 5; pair < 11; ++pair) {
    const auto next = std::upper_bound(train.offsets.begin(), train.offsets.end(), pair);
    batch_users.push_back(static_cast<uint32_t>(next - train.offsets.begin() - 1));
    positives.push_back(train.items[pair]);
    pairs.push_back(pair);
  }
  const Batch batch{.users = batch_users, .positives = positives, .pairs = pairs};
  RowsToRead rows;
  Negatives negatives;
  sampler->begin_epoch(0, model->view());
  sampler->propose(batch, rows);
  sampler->choose(batch, model->view(), negatives);
  if (sampler->shares_negatives()) GTEST_SKIP() << "see tests/train/shared_gradients_test.cc";
  if (negatives.free_vectors) GTEST_SKIP() << "its negatives are vectors of its own making";

  const ObjectiveOptions loss{.l2 = 0.1};
  BatchGradients gradients(loss, testing::default_loss(), train.users(), kItems, 8, model->hops(),
                           executor);
  gradients.score(batch, negatives, model->view());
  gradients.accumulate(batch, negatives, model->view(), {});
  ParameterGradients user_result;
  ParameterGradients item_result;
  model->backward(gradients.users(), gradients.items(), user_result, item_result);

  testing::DoubleModel reference(train, model->hops() - 1, false);
  for (const Table* table : {&users, &items})
    for (uint32_t i = 0; i < table->rows(); ++i)
      reference.parameters.emplace_back(table->row(i), table->row(i) + 8);
  EXPECT_NEAR(gradients.loss(), reference_loss(reference, loss, batch, negatives), 1e-5);
  const auto found = [](const ParameterGradients& result, uint32_t row, uint32_t c) {
    if (result.all) return result.values->row(row)[c];
    const auto at = std::find(result.rows.begin(), result.rows.end(), row);
    if (at == result.rows.end()) return 0.0F;
    return result.values->row(static_cast<size_t>(at - result.rows.begin()))[c];
  };
  // Along random directions in the space of all parameters: a mistake at any of them shows.
  for (uint32_t n = 0; n < 6; ++n) {
    const Table direction = testing::random_table(train.users() + kItems, 8, 9 + n);
    const auto moved = [&](double step) {
      testing::DoubleModel at = reference;
      for (size_t node = 0; node < at.parameters.size(); ++node)
        for (uint32_t c = 0; c < 8; ++c)
          at.parameters[node][c] += step * double{direction.row(node)[c]};
      return reference_loss(at, loss, batch, negatives);
    };
    double slope = 0;
    for (uint32_t node = 0; node < train.users() + kItems; ++node) {
      const bool is_user = node < train.users();
      for (uint32_t c = 0; c < 8; ++c)
        slope += double{direction.row(node)[c]} *
                 double{found(is_user ? user_result : item_result,
                              is_user ? node : node - train.users(), c)};
    }
    constexpr double kStep = 1e-4;
    EXPECT_NEAR(slope, (moved(kStep) - moved(-kStep)) / (2 * kStep), 2e-6) << n;
  }
}

std::vector<SamplerCase> all_cases() {
  std::vector<SamplerCase> cases;
  for (const SamplerEntry& sampler : samplers())
    for (const ModelEntry& model : models())
      cases.push_back({std::string(sampler.name), std::string(model.name)});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Registry, EverySampler, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) {
                           return each.param.sampler + "_" + each.param.model;
                         });

TEST(Fit, GraphSamplersRefuseMfUnlessExtensionsAreAllowed) {
  const auto refusal = [](std::string_view sampler, const char* model, const char* allow) {
    TrainingSetup setup;
    Options options;
    setup.declare(options);
    options.set("sampler", sampler, OptionSource::kSet);
    options.set("model", model, OptionSource::kSet);
    options.set("allow_extensions", allow, OptionSource::kSet);
    return testing::error_of([&] { setup.resolve(options); });
  };
  for (const SamplerEntry& entry : samplers()) {
    const std::string sentence = refusal(entry.name, "mf", "false");
    if (sampler_fits(entry.name, "mf"))
      EXPECT_EQ(sentence, "(no error)");
    else
      EXPECT_NE(sentence.find("allow-extensions"), std::string::npos) << sentence;
    EXPECT_EQ(refusal(entry.name, "mf", "true"), "(no error)");
    EXPECT_EQ(refusal(entry.name, "lightgcn", "false"), "(no error)");
  }
}

}  // namespace
}  // namespace divns
