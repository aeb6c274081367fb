// SPDX-License-Identifier: Apache-2.0
#include "divns/live.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <list>
#include <memory>
#include <string>
#include <thread>

#include "base/files.h"
#include "base/json.h"
#include "divns/report.h"
#include "divns/study.h"
#include "divns/train.h"
#include "support/errors.h"
#include "support/http_client.h"
#include "support/temp_folder.h"

namespace divns {
namespace {

namespace fs = std::filesystem;
using testing::HttpClient;

constexpr const char* kAskEvents = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";

class Live : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_report_page()) GTEST_SKIP() << "the page was not built";
  }

  static LiveOptions at_any_port(fs::path folder) {
    LiveOptions options{.folder = std::move(folder)};
    options.listen = "127.0.0.1:0";
    return options;
  }
  static Json document_of(const LiveReport& live) {
    return parse_json(HttpClient(live.port()).get("/data.json").body);
  }
  void train_into(const fs::path& folder, const std::function<bool(const EpochReport&)>& hook) {
    TrainOptions options{.sampler = "dns", .seed = 1};
    options.epochs = 4;
    options.folder = folder;
    train(data, options, {.on_epoch = hook});
  }

  testing::TempFolder temp;
  Dataset data = Dataset::synthetic({.users = 60, .items = 50, .pairs = 1200});
};

TEST_F(Live, ShowsTheRunFromBeforeItsFolderExistsToItsEnd) {
  const fs::path run = temp.path() / "run";
  std::unique_ptr<HttpClient> watcher;
  {
    LiveReport live(at_any_port(run));
    EXPECT_EQ(document_of(live)["verdict"], "Nothing was measured yet.");
    EXPECT_NE(HttpClient(live.port()).get("/").body.find("<script id=\"divns-report\""),
              std::string::npos);
    watcher = std::make_unique<HttpClient>(live.port());
    watcher->send(kAskEvents);
    const std::string head = watcher->receive_until("event: report");
    EXPECT_NE(head.find("Content-Type: text/event-stream"), std::string::npos);
    EXPECT_NE(head.find("retry: "), std::string::npos);
    train_into(run, [&](const EpochReport&) {
      live.update();
      return true;
    });
    watcher->receive_until("event: report\ndata: 5");
    EXPECT_EQ(document_of(live)["title"], "Training of dns");
  }
  EXPECT_NE(watcher->receive_all().find("event: end"), std::string::npos);
}

TEST_F(Live, ClientsOfEveryKindLeaveTheModelAsItIs) {
  train_into(temp.path() / "alone", {});
  {
    LiveReport live(at_any_port(temp.path() / "watched"));
    std::list<HttpClient> clients;
    train_into(temp.path() / "watched", [&](const EpochReport&) {
      // Ten that watch and never read, one that leaves, and one that asks for everything.
      for (int i = 0; i < 10; ++i) clients.emplace_back(live.port()).send(kAskEvents);
      clients.back().close();
      EXPECT_EQ(HttpClient(live.port()).get("/data.json").status, 200);
      for (int i = 0; i < 100'000; ++i) live.update();
      return true;
    });
  }
  for (const char* name : {"model.safetensors", "config.toml"})
    EXPECT_EQ(read_text_file(temp.path() / "alone" / name),
              read_text_file(temp.path() / "watched" / name))
        << name;
}

TEST_F(Live, ShowsAStudyThatIsNotFinished) {
  CompareOptions options;
  options.out = (temp.path() / "study").string();
  options.samplers = "rns,dns";
  options.seeds = 1;
  options.settings = {{"epochs", "4"}};
  LiveReport live(at_any_port(options.out));
  size_t rows = 0;
  compare(data, options, {.on_progress = [&](const StudyProgress& progress) {
            live.update();
            if (progress.done == 1 && rows == 0) {
              HttpClient stream(live.port());
              stream.send(kAskEvents);
              stream.receive_until("event: report\ndata: ");
              rows = document_of(live)["series"].size();
            }
          }});
  EXPECT_GE(rows, 1U);
}

TEST_F(Live, RefusesAddressesThatItCannotOrShouldNotUse) {
  const LiveReport live(at_any_port(temp.path()));
  LiveOptions options = at_any_port(temp.path());
  options.listen = "127.0.0.1:" + std::to_string(live.port());
  const std::string taken = testing::error_of([&] { const LiveReport second(options); });
  EXPECT_NE(taken.find("choose another address or port"), std::string::npos) << taken;
  options.listen = "0.0.0.0:0";
  const std::string open = testing::error_of([&] { const LiveReport second(options); });
  EXPECT_NE(open.find("needs a token"), std::string::npos) << open;
  options.listen = "somewhere";
  EXPECT_NE(testing::error_of([&] { const LiveReport second(options); }).find("HOST:PORT"),
            std::string::npos);
}

TEST_F(Live, TokenAndHostNameDecideWhoMayRead) {
  LiveOptions options = at_any_port(temp.path() / "run");
  options.token = "secret";
  const LiveReport live(options);
  const auto status = [&](const std::string& target, const std::string& headers = "") {
    return HttpClient(live.port()).get(target, headers).status;
  };
  EXPECT_EQ(status("/"), 200);  // the page alone says nothing
  EXPECT_EQ(status("/data.json"), 401);
  EXPECT_EQ(status("/events?token=wrong"), 401);
  EXPECT_EQ(status("/data.json?token=secret"), 200);
  EXPECT_EQ(status("/data.json", "Authorization: Bearer secret\r\n"), 200);
  EXPECT_EQ(status("/other?token=secret"), 404);
  HttpClient stranger(live.port());
  stranger.send("GET /data.json?token=secret HTTP/1.1\r\nHost: evil.example\r\n\r\n");
  EXPECT_EQ(stranger.answer().status, 421);
  EXPECT_EQ(HttpClient(live.port()).post("/data.json", "").status, 405);
}

}  // namespace
}  // namespace divns
