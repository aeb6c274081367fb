// SPDX-License-Identifier: Apache-2.0
#include "http/request_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace divns::http {
namespace {

constexpr RequestLimits kSmall = {.head_bytes = 200, .headers = 3, .body_bytes = 10};

Request read_one(const std::string& bytes) {
  RequestReader reader({});
  reader.add(bytes);
  return reader.next().value();
}

// The status that the bytes are refused with; 0 if they are not.
int status_of(const std::string& bytes, const RequestLimits& limits = {}) {
  RequestReader reader(limits);
  reader.add(bytes);
  try {
    while (reader.next()) {
    }
  } catch (const BadRequest& bad) {
    return bad.status;
  }
  return 0;
}

TEST(RequestReader, ReadsTheParts) {
  const Request request = read_one(
      "GET /v1/users/a%2Fb%20c/x+y?k=5&name=d+%C3%A9&flag HTTP/1.1\r\nHOST: here\r\n"
      "Accept:  a, b \r\n\r\n");
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.path, "/v1/users/a%2Fb%20c/x+y");
  EXPECT_EQ(request.segments, (std::vector<std::string>{"v1", "users", "a/b c", "x+y"}));
  EXPECT_EQ(request.query, (Fields{{"k", "5"}, {"name", "d \xc3\xa9"}, {"flag", ""}}));
  EXPECT_EQ(*request.header("host"), "here");
  EXPECT_EQ(*request.header("accept"), "a, b");
  EXPECT_EQ(request.header("cookie"), nullptr);
  EXPECT_TRUE(request.keep_alive);
}

TEST(RequestReader, KeepsTheConnectionAsTheVersionAndTheHeaderSay) {
  EXPECT_FALSE(read_one("GET / HTTP/1.0\r\n\r\n").keep_alive);
  EXPECT_TRUE(read_one("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").keep_alive);
  EXPECT_FALSE(read_one("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").keep_alive);
}

TEST(RequestReader, TakesBytesInPiecesOfAnySize) {
  const std::string bytes =
      "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello\r\nGET /b HTTP/1.1\r\nHost: "
      "x\r\n\r\n";
  for (size_t piece = 1; piece <= bytes.size(); ++piece) {
    RequestReader reader({});
    std::string seen;
    for (size_t at = 0; at < bytes.size(); at += piece) {
      reader.add(bytes.substr(at, piece));
      while (const auto request = reader.next()) seen += request->path + request->body;
    }
    EXPECT_EQ(seen, "/ahello/b") << piece;
    EXPECT_FALSE(reader.started());
  }
}

TEST(RequestReader, AsksOnceToContinue) {
  RequestReader reader({});
  reader.add("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.take_expectation());
  EXPECT_FALSE(reader.take_expectation());
  reader.add("ab");
  EXPECT_EQ(reader.next()->body, "ab");
}

TEST(RequestReader, RefusesWhatIsMalformed) {
  const std::string host = "Host: x\r\n";
  for (const std::string& bytes :
       {std::string("GET\r\n\r\n"),
        std::string("GET /\r\n\r\n"),
        "GET  HTTP/1.1\r\n" + host + "\r\n",
        "G(T / HTTP/1.1\r\n" + host + "\r\n",
        "GET index HTTP/1.1\r\n" + host + "\r\n",
        "GET http://x/ HTTP/1.1\r\n" + host + "\r\n",
        "GET / FTP/1.1\r\n" + host + "\r\n",
        "GET / / HTTP/1.1\r\n" + host + "\r\n",
        "GET /\x01 HTTP/1.1\r\n" + host + "\r\n",
        "GET /\xff HTTP/1.1\r\n" + host + "\r\n",
        "GET /%2 HTTP/1.1\r\n" + host + "\r\n",
        "GET /%zz HTTP/1.1\r\n" + host + "\r\n",
        "GET /%00 HTTP/1.1\r\n" + host + "\r\n",
        "GET /%0a HTTP/1.1\r\n" + host + "\r\n",
        "GET /%ff HTTP/1.1\r\n" + host + "\r\n",
        "GET /?a=%c3 HTTP/1.1\r\n" + host + "\r\n",
        std::string("GET / HTTP/1.1\r\n\r\n"),
        "GET / HTTP/1.1\r\n" + host + host + "\r\n",
        "GET / HTTP/1.1\r\n" + host + "A : b\r\n\r\n",
        "GET / HTTP/1.1\r\n" + host + ": b\r\n\r\n",
        "GET / HTTP/1.1\r\n" + host + " folded\r\n\r\n",
        "GET / HTTP/1.1\r\n" + host + "A: \x1b[2J\r\n\r\n",
        "GET / HTTP/1.1\n" + host + "\r\n",
        "GET / HTTP/1.1\r\n" + host + "A: b\rC: d\r\n\r\n",
        "GET / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\n" + host + "Content-Length: 1, 1\r\n\r\n",
        "GET / HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n"})
    EXPECT_EQ(status_of(bytes), 400) << bytes;
  EXPECT_EQ(status_of("GET / HTTP/2.0\r\nHost: x\r\n\r\n"), 505);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"), 501);
}

TEST(RequestReader, RefusesWhatIsTooLarge) {
  EXPECT_EQ(status_of("GET /" + std::string(300, 'a'), kSmall), 414);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: " + std::string(300, 'a'), kSmall), 431);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: b\r\nA: b\r\nA: b\r\nA: b\r\n\r\n", kSmall), 431);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n", kSmall), 413);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n"),
            413);
  EXPECT_EQ(status_of("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789", kSmall),
            0);
}

}  // namespace
}  // namespace divns::http
