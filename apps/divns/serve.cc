// SPDX-License-Identifier: Apache-2.0
#include "divns/serve.h"

#include <filesystem>

#include "divns/ids.h"
#include "divns/log.h"
#include "fail.h"
#include "fold_in_options.h"
#include "live_page.h"
#include "stop_signal.h"
#include "verbs.h"

namespace divns::app {
namespace {

struct ServeVerb {
  CommonOptions common;
  std::string path;
  ServeOptions serve;
  int most_items = 1000;
  int most_lists = 1000;
  int connections = 1024;
  int waiting = 1024;
  double body_megabytes = 1;
  std::string token_file;
  bool access_log = true;
  Options options;

  explicit ServeVerb(Command verb) {
    options.section("Server");
    options.add("listen", serve.listen, "address and port; loopback unless told otherwise");
    options.add(
        "token_file", token_file,
        "file with the token that requests must carry; without it, the environment variable "
        "DIVNS_SERVE_TOKEN");
    options.add("host_name", serve.host_names,
                "names that clients may use for this server, beside localhost; may be repeated");
    options.add("access_log", access_log, "print one JSON line per request on standard output");
    options
        .add("watch_seconds", serve.watch_seconds,
             "number of seconds between two looks for a new model at the same path; 0 never looks")
        .range(0);
    options.section("Recommendations");
    options.add("data", serve.data,
                "the prepared dataset (default: the one the run was trained on)");
    options.add("keep_seen", serve.keep_seen,
                "do not open the dataset, and leave out no item because it was seen");
    declare_fold_in(serve.fold_in, options);
    options.section("Limits");
    options.add("most_items", most_items, "largest number of items in a list").range(1, 1e6);
    options.add("most_lists", most_lists, "largest number of lists in one request").range(1, 1e6);
    options.add("body_megabytes", body_megabytes, "largest body of a request, in MiB").above(0);
    options.add("connections", connections, "largest number of open connections").range(1, 1e6);
    options.add("waiting", waiting, "largest number of requests that wait for a thread")
        .range(1, 1e6);
    options
        .add("request_seconds", serve.request_seconds,
             "number of seconds that a request may take to arrive")
        .above(0);
    options
        .add("idle_seconds", serve.idle_seconds,
             "number of seconds that a connection may be silent between two requests")
        .above(0);
    options
        .add("shutdown_seconds", serve.shutdown_seconds,
             "number of seconds for answers under way when the server is stopped")
        .range(0);
    common.declare(options);
    verb.positional("run", path, "folder of a run, a model file, or a link to one of them")
        .options(options)
        .example("divns serve run")
        .example("divns serve current --listen 0.0.0.0:8080 --token-file token.txt")
        .action([this] { run(); });
  }

  std::string token() const {
    if (!token_file.empty()) {
      const std::vector<std::string> lines = read_lines(token_file);
      if (lines.size() != 1) fail("{} must hold the token on one line.", token_file);
      return lines[0];
    }
    return token_of_environment();
  }

  void run() {
    serve.run = path;
    serve.token = token();
    serve.threads = common.threads;
    serve.most_items = static_cast<uint32_t>(most_items);
    serve.most_lists = static_cast<uint32_t>(most_lists);
    serve.connections = static_cast<size_t>(connections);
    serve.waiting = static_cast<size_t>(waiting);
    serve.body_bytes = static_cast<size_t>(body_megabytes * (1 << 20));
    set_log_callback([](LogLevel level, std::string_view text) {
      print_message(
          fmt::format("divns: {}{}\n", level == LogLevel::kWarning ? "warning: " : "", text));
    });
    const std::atomic<bool>* stop = stop_on_signal();
    std::atomic<bool>* hangup = note_hangups();
    ServeCallbacks callbacks;
    callbacks.on_ready = [&](std::string_view host, uint16_t port) {
      say(common, "serving {} at http://{}:{}/", path,
          host.find(':') == std::string_view::npos ? std::string(host) : fmt::format("[{}]", host),
          port);
    };
    if (access_log) callbacks.on_access = print_log;
    callbacks.stop = [stop] { return stop->load(); };
    callbacks.reload = [hangup] { return hangup->exchange(false); };
    if (!divns::serve(serve, callbacks)) {
      say(common, "stopped before every request was answered");
      mark_unfinished();
    }
  }
};

}  // namespace

void add_serve_verb(Command root) {
  install<ServeVerb>(root.add_verb("serve", "recommendations over HTTP"));
}

}  // namespace divns::app
