// SPDX-License-Identifier: Apache-2.0
// Recommendations over HTTP: `divns serve`. The requests and answers are described in
// docs/serve.md, and by the server itself at /openapi.json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "divns/recommend.h"

namespace divns {

struct ServeOptions {
  // Folder of a run, a model file, or a symbolic link to one of them.
  std::filesystem::path run;
  std::string data;        // prepared dataset; empty: the one that the run records
  bool keep_seen = false;  // do not open the dataset: no item is left out because it was seen
  // HOST:PORT. Port 0 is any free port; on_ready tells which one.
  std::string listen = "127.0.0.1:8080";
  // Requests must carry "Authorization: Bearer TOKEN" where it is not empty.
  std::string token;
  // Names that clients may use for the server, beside the loopback names, which are the only ones
  // accepted while the server listens on loopback. With names, all others are refused.
  std::vector<std::string> host_names;
  int threads = 0;             // that answer requests; 0: one per core
  uint32_t most_items = 1000;  // largest k of a request
  uint32_t most_lists = 1000;  // users or histories in one request
  size_t body_bytes = 1 << 20;
  size_t connections = 1024;     // open at the same time
  size_t waiting = 1024;         // requests that wait for a thread
  double request_seconds = 10;   // for a request to arrive completely
  double idle_seconds = 60;      // between two requests of a connection
  double shutdown_seconds = 10;  // for answers under way when the server stops
  double watch_seconds = 1;      // between two looks whether `run` has a new model; 0: never
  FoldInOptions fold_in;
};

struct ServeCallbacks {
  // The server answers from now on.
  std::function<void(std::string_view host, uint16_t port)> on_ready = {};
  // Lines of the access log, one JSON object per request. Called by a thread of its own; if it
  // takes too long, lines are dropped and counted.
  std::function<void(std::string_view lines)> on_access = {};
  // Both are asked several times per second. `reload` returns true once for each wish to load the
  // model again.
  std::function<bool()> stop = {};
  std::function<bool()> reload = {};
};

// Serves until `stop` returns true. True if every request under way was answered before the end.
// Throws Error if the model cannot be loaded or the address cannot be used. A model that cannot be
// loaded later is reported through the log callback, and the old one stays in use.
bool serve(const ServeOptions& options, const ServeCallbacks& callbacks = {});

}  // namespace divns
