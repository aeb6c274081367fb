// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/server.h"
#include "serve/access_log.h"
#include "serve/list_job.h"
#include "serve/metrics.h"
#include "serve/model_slot.h"
#include "serve/query.h"

namespace divns {

// The paths that are served, as they stand in /openapi.json: "/v1/items/{item}".
struct Route {
  std::string_view method;  // HEAD is answered wherever GET is
  std::string_view path;
  bool open = false;  // needs no token
};
std::span<const Route> serve_routes();

// From requests to answers.
class Api {
 public:
  // All must live as long as the object. `server` may be set later, before the first request.
  Api(const ServeOptions& options, ModelSlot& models, AnswerCounts& counts, const AccessLog& log)
      : options_(options), models_(models), counts_(counts), log_(log) {}
  void set_server(const http::Server& server) { server_ = &server; }

  // Requests for lists are gathered, so that one pass over the items answers many of them.
  void handle(http::Batch& batch) const;

 private:
  void check_access(const http::Request& request, const Route& route) const;
  // Answers a request at once, or returns the lists that are to be made for it.
  std::optional<ListJob> begin(const http::Request& request, const ServedModel& served,
                               http::Response& response) const;
  ListJob known_users(const RecommendQuery& query, const ServedModel& served) const;
  ListJob new_users(const RecommendQuery& query, const ServedModel& served) const;
  http::Response similar(const http::Request& request, const ServedModel& served) const;
  http::Response metrics(const ServedModel& served) const;
  http::Response reload() const;

  const ServeOptions& options_;
  ModelSlot& models_;
  AnswerCounts& counts_;
  const AccessLog& log_;
  const http::Server* server_ = nullptr;
};

}  // namespace divns
