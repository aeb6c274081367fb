// SPDX-License-Identifier: Apache-2.0
#include "divns/live.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "base/check.h"
#include "divns/report.h"
#include "http/access.h"
#include "http/server.h"
#include "live/live_document.h"

namespace divns {
namespace {

using http::BadRequest;
using http::Request;
using http::Response;
using LiveClock = std::chrono::steady_clock;

// Pages are told at most this often, and so seldom that making documents takes a twentieth of the
// time of one core.
constexpr double kShortestRound = 1;
constexpr double kRoundsPerDocument = 20;
constexpr double kLinger = 2;  // seconds for open pages to fetch the end
constexpr int kNice = 10;      // of the thread that makes documents: the training goes first

constexpr http::ServerLimits kLiveLimits = {.request = {.body_bytes = 0},
                                            .connections = 64,
                                            .waiting = 64,
                                            .shutdown_seconds = 0.5,
                                            .stream_bytes = 16 << 10};

LiveClock::duration seconds(double count) {
  return std::chrono::duration_cast<LiveClock::duration>(std::chrono::duration<double>(count));
}

std::string event_text(const char* name, uint64_t state) {
  return fmt::format("event: {}\ndata: {}\n\n", name, state);
}

}  // namespace

struct LiveReport::Contents {
  explicit Contents(LiveOptions given)
      : options(std::move(given)),
        bound(http::parse_address(options.listen)),
        page(report_page()),
        document(options.folder, options.runs),
        server(bound, kLiveLimits, 1, {.handle = [this](http::Batch& batch) { handle(batch); }}) {
    http::check_token_text(options.token);
    if (!server.is_loopback() && options.token.empty())
      fail(
          "{} can be reached from other machines, and a live report there needs a token: set "
          "DIVNS_SERVE_TOKEN, or use an address of this machine, such as {}.",
          options.listen, kLiveAddress);
  }

  // Of the thread that makes answers.
  void handle(http::Batch& batch);
  Response answer(const Request& request);
  Response data();
  Response events() const;

  // Of the thread of the connections, which asks it several times per second. True at the end.
  bool tell_pages();

  LiveOptions options;
  http::Address bound;
  std::string page;
  LiveDocument document;
  std::atomic<uint64_t> state = 1;  // of the folder
  std::atomic<uint64_t> told = 1;   // the state that pages were told of
  std::atomic<bool> ended = false;
  std::atomic<bool> end_told = false;
  std::atomic<size_t> ends_fetched = 0;
  std::atomic<double> round = kShortestRound;
  LiveClock::time_point next_round = {};
  LiveClock::time_point deadline = {};
  size_t pages_at_end = 0;
  http::Server server;
  std::jthread thread;
};

void LiveReport::Contents::handle(http::Batch& batch) {
  thread_local const int lowered =
      ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice);
  static_cast<void>(lowered);
  for (size_t i = 0; i < batch.size(); ++i) try {
      batch.answer(i, answer(batch.request(i)));
    } catch (const BadRequest& bad) {
      batch.answer(i, http::error_response(bad.status, bad.what()));
    }
}

Response LiveReport::Contents::answer(const Request& request) {
  http::check_host(request, {}, server.is_loopback());
  if (request.method != "GET" && request.method != "HEAD")
    throw BadRequest(405, fmt::format("{} is not served with {}.", request.path, request.method));
  if (request.path == "/")
    return {.type = "text/html; charset=utf-8",
            .body = page,
            .headers = {{"Content-Security-Policy", "frame-ancestors 'none'"},
                        {"Referrer-Policy", "no-referrer"}}};
  http::check_token(request, options.token, true);
  if (request.path == "/data.json") return data();
  if (request.path == "/events") return events();
  throw BadRequest(404, fmt::format("There is nothing at {}.", request.path));
}

Response LiveReport::Contents::data() {
  const bool is_end = end_told;
  Response response = {.body = document.at(told)};
  round = std::max(kShortestRound, kRoundsPerDocument * document.seconds_to_make());
  if (is_end) ++ends_fetched;
  return response;
}

// `retry` is how many milliseconds the browser waits before it connects again: the same page shows
// the next training at this address.
Response LiveReport::Contents::events() const {
  return {.type = "text/event-stream",
          .body = "retry: 1000\n" + event_text(end_told ? "end" : "report", told),
          .stream = true};
}

bool LiveReport::Contents::tell_pages() {
  const LiveClock::time_point now = LiveClock::now();
  if (end_told) return ends_fetched >= pages_at_end || now >= deadline;
  const bool is_end = ended;
  if (!is_end && (now < next_round || told == state)) return false;
  told = state.load();
  next_round = now + seconds(round);
  pages_at_end = server.streams();
  deadline = now + seconds(kLinger);
  end_told = is_end;
  server.broadcast(event_text(is_end ? "end" : "report", told));
  return is_end && pages_at_end == 0;
}

LiveReport::LiveReport(LiveOptions options)
    : contents_(std::make_unique<Contents>(std::move(options))) {
  Contents& contents = *contents_;
  contents.thread =
      std::jthread([&contents] { contents.server.run([&] { return contents.tell_pages(); }); });
}

LiveReport::~LiveReport() {
  update();
  contents_->ended = true;
  contents_->thread.join();
}

void LiveReport::update() {
  ++contents_->state;
}

std::string LiveReport::address() const {
  const std::string& host = contents_->bound.host;
  return fmt::format("http://{}:{}/",
                     host.find(':') == std::string::npos ? host : fmt::format("[{}]", host),
                     port());
}

uint16_t LiveReport::port() const {
  return contents_->server.port();
}

}  // namespace divns
