// SPDX-License-Identifier: Apache-2.0
#include "divns/serve.h"

#include "base/log.h"
#include "divns/parallel.h"
#include "http/access.h"
#include "http/server.h"
#include "serve/api.h"

namespace divns {
namespace {

http::ServerLimits limits_of(const ServeOptions& options) {
  http::ServerLimits limits;
  limits.request.body_bytes = options.body_bytes;
  limits.connections = options.connections;
  limits.waiting = options.waiting;
  limits.request_seconds = options.request_seconds;
  limits.idle_seconds = options.idle_seconds;
  limits.shutdown_seconds = options.shutdown_seconds;
  return limits;
}

}  // namespace

bool serve(const ServeOptions& options, const ServeCallbacks& callbacks) {
  http::check_token_text(options.token);
  const http::Address address = http::parse_address(options.listen);
  AccessLog log(callbacks.on_access);
  AnswerCounts counts;
  // Declared before the server, whose workers use them to the last.
  std::unique_ptr<ModelSlot> models;
  std::unique_ptr<Api> api;
  http::Server server(address, limits_of(options), Executor(options.threads).threads(),
                      {.handle = [&](http::Batch& batch) { api->handle(batch); },
                       .on_answer =
                           [&](const http::AnswerReport& report) {
                             counts.add(report.status, report.seconds, report.bytes);
                             log.add(report.client, report.method, report.path, report.status,
                                     report.bytes, report.seconds);
                           }});
  models = std::make_unique<ModelSlot>(options);
  api = std::make_unique<Api>(options, *models, counts, log);
  api->set_server(server);
  if (!server.is_loopback() && options.token.empty())
    log_warning(
        "the server is reachable from other machines and has no token: everyone who can "
        "reach it can read the recommendations of every user.");
  if (callbacks.on_ready) callbacks.on_ready(address.host, server.port());
  return server.run([&] {
    if (callbacks.reload && callbacks.reload()) models->reload();
    return callbacks.stop && callbacks.stop();
  });
}

}  // namespace divns
