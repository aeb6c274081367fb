// SPDX-License-Identifier: Apache-2.0
// The report of a run or a study in a browser while it trains.
//
//   divns::LiveReport live({.folder = "run"});
//   divns::train(data, options, {.on_epoch = [&](const divns::EpochReport&) {
//     live.update();
//     return true;
//   }});
//
// The page is served by threads of its own. The training never waits for it: a client that is slow
// or gone costs nothing, and results have the same bits with and without a live report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace divns {

inline constexpr const char* kLiveAddress = "127.0.0.1:8642";

struct LiveOptions {
  std::filesystem::path folder = {};  // of the run or the study; it may not exist yet
  std::string runs = {};              // folder of the runs that a study shares with others
  std::string listen = kLiveAddress;  // HOST:PORT; port 0 is any free port
  // Must be given where others than this machine can connect. Then the page needs "?token=TOKEN".
  std::string token = {};
};

class LiveReport {
 public:
  // Serves from now on. Throws Error if the address is in use or is none, if it needs a token and
  // has none, or if the page was not built (has_report_page).
  explicit LiveReport(LiveOptions options);
  // Tells open pages that the work has ended, and gives them two seconds to fetch its end.
  ~LiveReport();
  LiveReport(const LiveReport&) = delete;
  LiveReport& operator=(const LiveReport&) = delete;

  // There is something new in the folder. From any thread, as often as you like; returns at once.
  void update();
  // "http://127.0.0.1:8642/"
  std::string address() const;
  uint16_t port() const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace divns
