// SPDX-License-Identifier: Apache-2.0
#include "http/server.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <thread>

#include "support/errors.h"
#include "support/http_client.h"

namespace divns::http {
namespace {

using testing::Answer;
using testing::HttpClient;

// A server that echoes path and body, until it goes out of scope.
class EchoServer {
 public:
  explicit EchoServer(ServerLimits limits = {}, int workers = 2)
      : server_({"127.0.0.1", 0}, limits, workers, {[this](Batch& batch) { handle(batch); }, {}}),
        thread_([this] { ended_well_ = server_.run(); }) {}
  ~EchoServer() { stop(); }
  EchoServer(const EchoServer&) = delete;
  EchoServer& operator=(const EchoServer&) = delete;

  bool stop() {
    server_.stop();
    if (thread_.joinable()) thread_.join();
    return ended_well_;
  }
  uint16_t port() const { return server_.port(); }
  Server& server() { return server_; }
  std::promise<void> gate;  // requests for /wait are answered when it is set

 private:
  void handle(Batch& batch) {
    for (size_t i = 0; i < batch.size(); ++i) {
      const Request& request = batch.request(i);
      if (request.path == "/silent") continue;
      if (request.path == "/throw") throw std::runtime_error("thrown");
      if (request.path == "/wait") open_.wait();
      Response response = {.type = "text/plain", .body = request.path + request.body};
      if (request.path == "/stream") response.stream = true;
      batch.answer(i, response);
    }
  }

  std::shared_future<void> open_ = gate.get_future().share();
  bool ended_well_ = false;
  Server server_;
  std::thread thread_;
};

TEST(Server, AnswersOneAfterTheOtherOnOneConnection) {
  const EchoServer server;
  HttpClient client(server.port());
  EXPECT_EQ(client.get("/a").body, "/a");
  EXPECT_EQ(client.post("/b", "body").body, "/bbody");
  const Answer last = client.get("/c", "Connection: close\r\n");
  EXPECT_EQ(last.status, 200);
  EXPECT_NE(last.head.find("Connection: close"), std::string::npos);
  EXPECT_FALSE(client.receive_some());
}

TEST(Server, AnswersPipelinedRequestsInOrder) {
  const EchoServer server;
  HttpClient client(server.port());
  std::string bytes;
  for (int i = 0; i < 50; ++i)
    bytes += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  client.send(bytes);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(client.answer().body, "/" + std::to_string(i));
}

TEST(Server, AnswersAClientThatHasNothingMoreToSay) {
  const EchoServer server;
  for (int i = 0; i < 50; ++i) {
    HttpClient client(server.port());
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");
    client.end_output();
    EXPECT_EQ(client.answer().body, "/a");
    EXPECT_EQ(client.answer().body, "/b");
    EXPECT_FALSE(client.receive_some());
  }
}

TEST(Server, HeadHasTheLengthButNoBody) {
  const EchoServer server;
  HttpClient client(server.port());
  client.send("HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_NE(client.answer(false).head.find("Content-Length: 4"), std::string::npos);
  EXPECT_EQ(client.get("/d").body, "/d");  // nothing of the body stands before it
}

TEST(Server, TakesALargeBodyThatWaitsToBeInvited) {
  ServerLimits limits;
  limits.request.body_bytes = 4 << 20;
  const EchoServer server(limits);
  HttpClient client(server.port());
  client.send(
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3000000\r\n\r\n");
  EXPECT_EQ(client.answer().status, 100);
  client.send(std::string(3000000, 'x'));
  EXPECT_EQ(client.answer().body.size(), 3000001U);
}

TEST(Server, WhatIsNotAnsweredGets500) {
  const EchoServer server;
  HttpClient client(server.port());
  EXPECT_EQ(client.get("/silent").status, 500);
  EXPECT_EQ(client.get("/throw").status, 500);
  EXPECT_EQ(client.get("/fine").status, 200);
}

TEST(Server, RefusesMalformedBytesAndCloses) {
  const EchoServer server;
  for (const char* bytes : {"nonsense\r\n\r\n", "\x16\x03\x01\x02\r\n\r\n"}) {
    HttpClient client(server.port());
    client.send(bytes);
    EXPECT_EQ(client.answer().status, 400);
    EXPECT_FALSE(client.receive_some());
  }
}

TEST(Server, ARequestThatDripsInIsCutOffAfterItsTimeAsAWhole) {
  const EchoServer server({.request_seconds = 0.3});
  HttpClient client(server.port());
  // Each byte comes in time; the request does not.
  const std::string slow = "GET /" + std::string(500, 'a');
  std::thread drip([&] {
    for (const char c : slow) {
      client.send(std::string_view(&c, 1));
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  EXPECT_EQ(client.answer().status, 408);
  drip.join();
  HttpClient other(server.port());
  EXPECT_EQ(other.get("/x").status, 200);
}

TEST(Server, ConnectionsBeyondTheLimitGet503AndIdleOnesMakeRoom) {
  EchoServer server({.connections = 2}, 1);
  HttpClient busy(server.port());
  busy.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
  HttpClient begun(server.port());
  begun.send("GET /half");
  while (server.server().connections() < 2) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  HttpClient third(server.port());
  EXPECT_EQ(third.get("/x").status, 503);
  EXPECT_GE(server.server().refused(), 1U);
  begun.send(" HTTP/1.1\r\nHost: x\r\n\r\n");
  server.gate.set_value();
  EXPECT_EQ(busy.answer().body, "/wait");
  EXPECT_EQ(begun.answer().body, "/half");
  // Both are idle now: the one idle for longer goes.
  HttpClient fourth(server.port());
  EXPECT_EQ(fourth.get("/y").status, 200);
}

TEST(Server, TooManyWaitingRequestsGet503) {
  EchoServer server({.waiting = 1, .batch = 1}, 1);
  const std::string wait = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n";
  HttpClient with_worker(server.port());
  with_worker.send(wait);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  HttpClient waiting(server.port());
  waiting.send(wait);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  for (int i = 0; i < 4; ++i) {
    HttpClient more(server.port());
    EXPECT_EQ(more.get("/x").status, 503);
  }
  server.gate.set_value();
  EXPECT_EQ(with_worker.answer().status, 200);
  EXPECT_EQ(waiting.answer().status, 200);
}

TEST(Server, FinishesAnswersUnderWayWhenItStops) {
  EchoServer server({}, 1);
  HttpClient busy(server.port());
  HttpClient idle(server.port());
  EXPECT_EQ(idle.get("/a").status, 200);
  busy.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  server.server().stop();
  EXPECT_FALSE(idle.receive_some());  // idle connections are closed at once
  server.gate.set_value();
  const Answer answer = busy.answer();
  EXPECT_EQ(answer.body, "/wait");
  EXPECT_NE(answer.head.find("Connection: close"), std::string::npos);
  EXPECT_TRUE(server.stop());
}

TEST(Server, StopsThoughAnAnswerTakesTooLong) {
  EchoServer server({.shutdown_seconds = 0.2}, 1);
  HttpClient busy(server.port());
  busy.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(server.stop());
  server.gate.set_value();
}

TEST(Server, BroadcastReachesEveryStreamAndDropsSlowReaders) {
  EchoServer server({.stream_bytes = 100'000});
  HttpClient one(server.port());
  HttpClient two(server.port());
  HttpClient slow(server.port());
  for (HttpClient* client : {&one, &two, &slow})
    client->send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  while (server.server().streams() < 3) std::this_thread::yield();
  server.server().broadcast("data: first\n\n");
  EXPECT_NE(one.receive_until("first\n\n").find("data: first"), std::string::npos);
  EXPECT_NE(two.receive_until("first\n\n").find("data: first"), std::string::npos);
  two.close();
  // Nobody reads `slow`: after the socket's own buffers and 100 kB more it is given up.
  const std::string large(50'000, 'x');
  for (int i = 0; i < 2000 && server.server().streams() > 1; ++i) {
    server.server().broadcast(large);
    one.receive_until(large);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(server.server().streams(), 1U);
}

TEST(Server, RefusesAddressesThatCannotBeUsed) {
  const EchoServer server;
  const auto use = [&](const std::string& address) {
    const Server other(parse_address(address), {}, 1, {[](Batch&) {}, {}});
  };
  EXPECT_ERROR(use("127.0.0.1:" + std::to_string(server.port())), "cannot be listened on");
  EXPECT_ERROR(use("example.org:80"), "not an address of this machine");
  EXPECT_ERROR(use("127.0.0.1:http"), "HOST:PORT");
  EXPECT_ERROR(use("127.0.0.1:70000"), "HOST:PORT");
  EXPECT_EQ(parse_address("8080").host, "127.0.0.1");
  EXPECT_EQ(parse_address("[::1]:80").host, "::1");
}

}  // namespace
}  // namespace divns::http
