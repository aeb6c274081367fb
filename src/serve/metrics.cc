// SPDX-License-Identifier: Apache-2.0
#include "serve/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace divns {
namespace {

void print_help(const char* name, const char* type, const char* help, std::string& out) {
  fmt::format_to(std::back_inserter(out), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

}  // namespace

void print_metric(const char* name, const char* type, const char* help, double value,
                  std::string& out) {
  print_help(name, type, help, out);
  fmt::format_to(std::back_inserter(out), "{} {}\n", name, value);
}

void AnswerCounts::add(int status, double seconds, size_t bytes) {
  ++by_status_[static_cast<size_t>(std::clamp(status, 0, 599))];
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), seconds);
  ++by_time_[static_cast<size_t>(bound - kBounds.begin())];
  microseconds_ += static_cast<uint64_t>(seconds * 1e6);
  bytes_ += bytes;
}

void AnswerCounts::print(std::string& out) const {
  auto to = std::back_inserter(out);
  print_help("divns_http_requests_total", "counter", "Answered requests by status.", out);
  for (size_t status = 0; status < by_status_.size(); ++status)
    if (by_status_[status] > 0)
      fmt::format_to(to, "divns_http_requests_total{{status=\"{}\"}} {}\n", status,
                     by_status_[status].load());
  print_help("divns_http_request_seconds", "histogram",
             "Time from the first byte of a request to the last byte of its answer.", out);
  uint64_t sum = 0;
  for (size_t i = 0; i < kBounds.size(); ++i) {
    sum += by_time_[i];
    fmt::format_to(to, "divns_http_request_seconds_bucket{{le=\"{}\"}} {}\n", kBounds[i], sum);
  }
  sum += by_time_.back();
  fmt::format_to(to,
                 "divns_http_request_seconds_bucket{{le=\"+Inf\"}} {0}\n"
                 "divns_http_request_seconds_sum {1}\n"
                 "divns_http_request_seconds_count {0}\n",
                 sum, static_cast<double>(microseconds_) * 1e-6);
  print_metric("divns_http_response_bytes_total", "counter", "Bytes of answers.",
               static_cast<double>(bytes_), out);
  print_metric("divns_lists_total", "counter", "Lists of items that were made.",
               static_cast<double>(lists_), out);
  print_metric("divns_ranking_passes_total", "counter",
               "Passes over the items; one pass makes the lists of several requests.",
               static_cast<double>(batches_), out);
}

}  // namespace divns
