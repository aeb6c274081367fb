// SPDX-License-Identifier: Apache-2.0
// --live: the report in a browser while a verb works.
#pragma once

#include <memory>
#include <string>

#include "command.h"
#include "divns/live.h"

namespace divns::app {

// The token of servers: the environment variable DIVNS_SERVE_TOKEN, or empty.
std::string token_of_environment();

struct LiveOption {
  std::string address;  // empty: no live report

  void declare(Options& options);
  // Starts serving and says where; null if the option was not given.
  std::unique_ptr<LiveReport> start(const CommonOptions& common, const std::string& folder,
                                    const std::string& shared_runs = {}) const;
};

}  // namespace divns::app
