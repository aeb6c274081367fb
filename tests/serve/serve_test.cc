// SPDX-License-Identifier: Apache-2.0
#include "divns/serve.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "base/json.h"
#include "divns/dataset.h"
#include "divns/ranked_lists.h"
#include "divns/train.h"
#include "support/errors.h"
#include "support/http_client.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
using testing::Answer;
using testing::HttpClient;

// A dataset and two small runs, made once.
struct Runs {
  testing::TempFolder folder;
  Dataset data =
      Dataset::synthetic({.users = 60, .items = 90, .pairs = 900}, {}, folder.path() / "data");
  Runs() {
    for (const uint64_t seed : {1U, 2U})
      train(data, {.seed = seed,
                   .embedding_dim = 12,
                   .epochs = 2,
                   .folder = folder.path() / ("run" + std::to_string(seed)),
                   .threads = 1});
  }
  fs::path run(int seed) const { return folder.path() / ("run" + std::to_string(seed)); }
};

const Runs& runs() {
  static const Runs made;
  return made;
}

// Serves in a thread until it goes out of scope.
class RunningServer {
 public:
  explicit RunningServer(ServeOptions options) {
    options.listen = "127.0.0.1:0";
    options.threads = 2;
    ServeCallbacks callbacks;
    callbacks.on_ready = [this](std::string_view, uint16_t used) { port_.set_value(used); };
    callbacks.on_access = [this](std::string_view lines) { log += lines; };
    callbacks.stop = [this] { return stopped_.load(); };
    callbacks.reload = [this] { return reload.exchange(false); };
    thread_ = std::thread([this, options, callbacks] { serve(options, callbacks); });
    port = port_.get_future().get();
  }
  ~RunningServer() { stop(); }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  void stop() {
    stopped_ = true;
    if (thread_.joinable()) thread_.join();
  }

  uint16_t port = 0;
  std::string log;  // complete after stop()
  std::atomic<bool> reload = false;

 private:
  std::promise<uint16_t> port_;
  std::atomic<bool> stopped_ = false;
  std::thread thread_;
};

ServeOptions options_for(const fs::path& run) {
  ServeOptions options;
  options.run = run;
  return options;
}

// What `divns recommend --json` prints for these rows.
Json expected_lists(const TrainedModel& model, std::span<const std::string> labels,
                    const TopItems& lists) {
  const ListNames names = {"user", "item", model.items(),
                           [&](uint32_t i) { return model.item_id(i); },
                           [&](uint32_t i) { return model.item_name(i); }};
  std::string text;
  const auto writer =
      ListWriter::to_text(true, names, [&](std::string_view piece) { text += piece; });
  writer->add(labels, lists);
  writer->finish();
  return parse_json(text);
}

TEST(Serve, ListsAreThoseOfRecommend) {
  const RunningServer server(options_for(runs().run(1)));
  const TrainedModel model = TrainedModel::load(runs().run(1));
  std::vector<uint32_t> rows;
  std::vector<std::string> labels;
  for (uint32_t user = 0; user < model.users(); ++user) {
    rows.push_back(user);
    labels.emplace_back(model.user_id(user));
  }
  const Json seen_left_out =
      expected_lists(model, labels,
                     recommend(model.user_vectors(), rows, model.item_vectors(),
                               {.k = 7, .seen = runs().data.train()}));
  const Json all = expected_lists(
      model, labels, recommend(model.user_vectors(), rows, model.item_vectors(), {.k = 200}));
  // Many requests at the same time are answered in one pass.
  std::vector<std::thread> clients;
  std::atomic<size_t> equal = 0;
  for (size_t c = 0; c < 6; ++c)
    clients.emplace_back([&, c] {
      HttpClient client(server.port);
      for (size_t user = c; user < rows.size(); user += 6) {
        const std::string path = "/v1/users/" + labels[user] + "/recommendations";
        equal += parse_json(client.get(path + "?k=7").body) == seen_left_out[user] ? 1 : 0;
        equal += parse_json(client.get(path + "?k=200&keep_seen=true").body) == all[user] ? 1 : 0;
      }
    });
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(equal, 2 * rows.size());
}

TEST(Serve, HistoriesAllowAndDenyAreThoseOfRecommend) {
  const RunningServer server(options_for(runs().run(1)));
  const TrainedModel model = TrainedModel::load(runs().run(1));
  const VectorTable items = model.item_vectors();
  const std::vector<uint64_t> offsets = {0, 3, 4};
  const std::vector<uint32_t> history = {1, 5, 8, 2};
  const Interactions histories = {offsets, history, model.items()};
  const std::vector<float> vectors = fold_in(items, histories);
  const std::vector<uint32_t> rows = {0, 1};
  const std::vector<std::string> labels = {"new 1", "new 2"};
  const auto expected = [&](const RecommendOptions& options) {
    return Json{{"lists", expected_lists(model, labels,
                                         recommend({vectors.data(), 2, items.dim, items.dim}, rows,
                                                   items, options))}};
  };
  const auto id = [&](uint32_t item) { return "\"" + std::string(model.item_id(item)) + "\""; };
  const std::string start =
      "{\"histories\":[[" + id(8) + "," + id(1) + "," + id(5) + "],[" + id(2) + "]],\"k\":4";
  HttpClient client(server.port);
  const auto answer = [&](const std::string& more) {
    return parse_json(client.post("/v1/recommendations", start + more + "}").body);
  };
  EXPECT_EQ(answer(""), expected({.k = 4, .seen = histories}));
  EXPECT_EQ(answer(",\"keep_seen\":true"), expected({.k = 4}));
  EXPECT_EQ(
      answer(",\"allow\":[" + id(3) + "," + id(5) + "," + id(60) + "],\"deny\":[" + id(60) + "]"),
      expected(
          {.k = 4, .seen = histories, .allowed = std::vector<uint32_t>{3, 5, 60}, .denied = {60}}));
}

TEST(Serve, AModelOfItemWeightsAnswersLikeAnyOther) {
  const fs::path folder = runs().folder.path() / "ease";
  train(runs().data, {.model = "ease", .folder = folder});
  const TrainedModel model = TrainedModel::load(folder);
  const RunningServer server(options_for(folder));
  HttpClient client(server.port);
  const std::vector<uint32_t> row = {7};
  const std::vector<std::string> label = {std::string(model.user_id(7))};
  const std::string user = "/v1/users/" + label[0] + "/recommendations?k=9";
  EXPECT_EQ(
      parse_json(client.get(user).body),
      expected_lists(model, label,
                     recommend(model.scorer(), row, {.k = 9, .seen = runs().data.train()}))[0]);
  const std::vector<uint64_t> offsets = {0, 2};
  const std::vector<uint32_t> items = {3, 11};
  const Interactions history = {offsets, items, model.items()};
  const std::vector<std::string> one = {"new 1"};
  const std::string body = "{\"histories\":[[\"" + std::string(model.item_id(11)) + "\",\"" +
                           std::string(model.item_id(3)) + "\"]],\"k\":4}";
  EXPECT_EQ(parse_json(client.post("/v1/recommendations", body).body)["lists"],
            expected_lists(model, one,
                           recommend(model, fold_in(model, history), {.k = 4, .seen = history})));
  const std::string id(model.item_id(4));
  EXPECT_EQ(parse_json(client.get("/v1/items/" + id + "/similar?k=6").body)["list"][0]["item"],
            similar_items(model, id, 6)[0].id);
  EXPECT_EQ(parse_json(client.get("/v1/model").body)["columns"], model.items());
}

TEST(Serve, SimilarItemsAreThoseOfSimilar) {
  const RunningServer server(options_for(runs().run(1)));
  const TrainedModel model = TrainedModel::load(runs().run(1));
  HttpClient client(server.port);
  for (const auto& [name, measure] :
       {std::pair{"cosine", Similarity::kCosine}, {"dot", Similarity::kDot}}) {
    const std::string id(model.item_id(4));
    const Json answer =
        parse_json(client.get("/v1/items/" + id + "/similar?k=6&measure=" + name).body);
    const std::vector<Hit> hits = similar_items(model, id, 6, measure);
    ASSERT_EQ(answer["list"].size(), hits.size());
    for (size_t r = 0; r < hits.size(); ++r) {
      EXPECT_EQ(answer["list"][r]["item"], hits[r].id);
      EXPECT_EQ(answer["list"][r]["score"].get<float>(), hits[r].score);
    }
  }
}

TEST(Serve, RefusesWithASentence) {
  ServeOptions options = options_for(runs().run(1));
  options.most_items = 50;
  options.most_lists = 2;
  const RunningServer server(options);
  HttpClient client(server.port);
  const auto post = [&](const std::string& body) {
    const Answer answer = client.post("/v1/recommendations", body);
    return std::to_string(answer.status) + " " + answer.body;
  };
  const auto expect = [](const std::string& answer, const std::string& status,
                         const std::string& words) {
    EXPECT_TRUE(answer.starts_with(status)) << answer;
    EXPECT_NE(answer.find(words), std::string::npos) << answer;
  };
  expect(post("{\"user\": \"nobody\"}"), "404", "knows no user 'nobody'");
  expect(post("{\"history\": [\"nothing\"]}"), "400", "knows no item 'nothing'");
  expect(post("{\"history\": [\"nothing\"], \"ignore_unknown\": true}"), "200", "[");
  expect(post("{\"user\": \"1\", \"usr\": \"1\"}"), "400", "Did you mean 'user'?");
  expect(post("{}"), "400", "Exactly one");
  expect(post("{\"user\": \"1\", \"history\": []}"), "400", "Exactly one");
  expect(post("{\"users\": [\"1\", \"2\", \"3\"]}"), "400", "at most 2");
  expect(post("{\"user\": \"1\", \"k\": 0}"), "400", "from 1 to 50");
  expect(post("{\"user\": \"1\", \"k\": 51}"), "400", "from 1 to 50");
  expect(post("{\"user\": \"1\", \"k\": -1}"), "400", "'k'");
  expect(post("{\"user\": \"1\", \"k\": 1e99}"), "400", "'k'");
  expect(post("{\"user\": null}"), "400", "neither text nor a whole number");
  expect(post("{\"users\": \"1\"}"), "400", "not an array");
  expect(post("[1, 2]"), "400", "not a JSON object");
  expect(post("{\"user\": \"\xff\"}"), "400", "not JSON");
  expect(post(std::string(1000, '[')), "400", "nested");
  expect(post(""), "400", "not JSON");
  EXPECT_EQ(client.get("/v1/users/1/recommendations?k=x").status, 400);
  EXPECT_EQ(client.get("/v1/users/1/recommendations?depth=2").status, 400);
  EXPECT_EQ(client.get("/v1/items/5/similar?measure=l2").status, 400);
  for (const char* path : {"/v2", "/v1/users//recommendations", "/v1/../v1/model", "//v1/model",
                           "/v1/model/", "/%2e%2e/%2e%2e/etc/passwd", "/v1%2Fmodel"})
    EXPECT_EQ(client.get(path).status, 404) << path;
  EXPECT_EQ(client.post("/v1/model", "").status, 405);
  EXPECT_EQ(client.post("/v1/reload", "").status, 403);
  client.send("GET /v1/model HTTP/1.1\r\nHost: rebound.example\r\n\r\n");
  EXPECT_EQ(client.answer().status, 421);
}

TEST(Serve, ATokenIsAskedForWhereItMatters) {
  ServeOptions options = options_for(runs().run(1));
  options.token = "secret";
  RunningServer server(options);
  HttpClient client(server.port);
  for (const char* path : {"/", "/openapi.json", "/health", "/ready"})
    EXPECT_EQ(client.get(path).status, 200) << path;
  for (const char* header :
       {"", "Authorization: Bearer secre\r\n", "Authorization: Bearer secret1\r\n",
        "Authorization: secret\r\n", "Authorization: Basic c2VjcmV0\r\n"}) {
    EXPECT_EQ(client.get("/v1/model", header).status, 401) << header;
    EXPECT_EQ(client.get("/metrics", header).status, 401) << header;
  }
  EXPECT_EQ(client.get("/v1/model", "Authorization: Bearer secret\r\n").status, 200);
  EXPECT_EQ(client.post("/v1/reload", "", "Authorization: Bearer secret\r\n").status, 202);
  server.stop();
  EXPECT_EQ(server.log.find("secret"), std::string::npos);
  EXPECT_NE(server.log.find("\"path\":\"/v1/model\",\"status\":401"), std::string::npos);
}

TEST(Serve, ReplacesTheModelWhileRequestsGoOn) {
  const testing::TempFolder folder;
  const fs::path current = folder.path() / "current";
  fs::create_directory_symlink(runs().run(1), current);
  ServeOptions options = options_for(current);
  options.watch_seconds = 0.02;
  RunningServer server(options);
  std::atomic<bool> done = false;
  std::atomic<size_t> bad = 0;
  std::thread client([&] {
    HttpClient steady(server.port);
    while (!done) bad += steady.get("/v1/users/1/recommendations").status == 200 ? 0 : 1;
  });
  HttpClient asker(server.port);
  const auto generation = [&] {
    return parse_json(asker.get("/v1/model").body)["generation"].get<int>();
  };
  for (int next = 2; next <= 6; ++next) {
    if (next % 2 == 0) {  // by the link
      const fs::path link = folder.path() / "next";
      fs::create_directory_symlink(runs().run(next % 4 == 0 ? 1 : 2), link);
      fs::rename(link, current);
    } else {
      server.reload = true;
    }
    while (generation() < next) std::this_thread::yield();
  }
  // A run that is damaged does not replace the model.
  fs::remove(current);
  fs::create_directory(current);
  std::ofstream(current / "model.safetensors") << "nonsense";
  while (asker.get("/metrics").body.find("reload_failures_total 1") == std::string::npos)
    std::this_thread::yield();
  EXPECT_EQ(generation(), 6);
  done = true;
  client.join();
  EXPECT_EQ(bad, 0U);
}

TEST(Serve, RefusesToStartWithoutWhatItNeeds) {
  ServeOptions options = options_for(runs().run(1) / "model.safetensors");
  options.listen = "127.0.0.1:0";
  EXPECT_ERROR(serve(options), "--data");
  options.token = "two words";
  EXPECT_ERROR(serve(options), "token");
  options = options_for("/nowhere");
  options.listen = "127.0.0.1:0";
  EXPECT_ERROR(serve(options), "/nowhere");
}

TEST(Serve, WithoutADatasetOnlyUnfilteredListsAreMade) {
  ServeOptions options = options_for(runs().run(1) / "model.safetensors");
  options.keep_seen = true;
  const RunningServer server(options);
  HttpClient client(server.port);
  EXPECT_EQ(client.get("/v1/users/1/recommendations").status, 200);
  EXPECT_EQ(client.get("/v1/users/1/recommendations?keep_seen=false").status, 400);
}

}  // namespace
}  // namespace divns
