// SPDX-License-Identifier: Apache-2.0
#include "live_page.h"

#include <cstdlib>

namespace divns::app {

std::string token_of_environment() {
  const char* value = std::getenv("DIVNS_SERVE_TOKEN");  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

void LiveOption::declare(Options& options) {
  options
      .add("live", address,
           "show the report in a browser while this command works; at " +
               std::string(kLiveAddress) + " unless HOST:PORT is given")
      .bare(kLiveAddress)
      .advanced();
}

std::unique_ptr<LiveReport> LiveOption::start(const CommonOptions& common,
                                              const std::string& folder,
                                              const std::string& shared_runs) const {
  if (address.empty()) return nullptr;
  auto live = std::make_unique<LiveReport>(LiveOptions{
      .folder = folder, .runs = shared_runs, .listen = address, .token = token_of_environment()});
  say(common, "live report: {}", live->address());
  return live;
}

}  // namespace divns::app
