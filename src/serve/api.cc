// SPDX-License-Identifier: Apache-2.0
#include "serve/api.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/log.h"
#include "divns/error.h"
#include "divns/version.h"
#include "http/access.h"
#include "recommend/list_json.h"
#include "serve/pages.h"

namespace divns {
namespace {

using http::BadRequest;
using http::Request;
using http::Response;

// Lists of a request that are made together with those of other requests. Longer requests are
// answered after the short ones of their batch.
constexpr size_t kShortLists = 4;
constexpr uint32_t kShortK = 100;

constexpr Route kRoutes[] = {
    {"GET", "/", true},
    {"GET", "/page.js", true},
    {"GET", "/page.css", true},
    {"GET", "/openapi.json", true},
    {"GET", "/health", true},
    {"GET", "/ready", true},
    {"GET", "/metrics"},
    {"GET", "/v1/model"},
    {"GET", "/v1/users/{user}/recommendations"},
    {"POST", "/v1/recommendations"},
    {"GET", "/v1/items/{item}"},
    {"GET", "/v1/items/{item}/similar"},
    {"POST", "/v1/reload"},
};

// A segment in braces matches any one segment.
bool matches(std::string_view pattern, const std::vector<std::string>& segments) {
  for (const std::string& segment : segments) {
    if (!pattern.starts_with('/')) return false;
    pattern.remove_prefix(1);
    const std::string_view part = pattern.substr(0, pattern.find('/'));
    if (part.starts_with('{') ? segment.empty() : part != segment) return false;
    pattern.remove_prefix(part.size());
  }
  return pattern.empty();
}

const Route& find_route(const Request& request) {
  const std::string_view method =
      request.method == "HEAD" ? "GET" : std::string_view(request.method);
  bool path_exists = false;
  for (const Route& route : kRoutes) {
    if (!matches(route.path, request.segments)) continue;
    if (route.method == method) return route;
    path_exists = true;
  }
  if (path_exists)
    throw BadRequest(405, fmt::format("{} is not served with {}.", request.path, request.method));
  throw BadRequest(
      404, fmt::format("There is nothing at {}; /openapi.json lists what there is.", request.path));
}

Response json_response(const Json& json) {
  return {.body = json_line(json) + "\n"};
}

uint32_t known_item(const TrainedModel& model, const std::string& id) {
  const std::optional<uint32_t> item = model.find_item(id);
  if (!item) throw BadRequest(404, fmt::format("The model knows no item '{}'.", id));
  return *item;
}

// Ascending and distinct.
std::vector<uint32_t> item_set(const TrainedModel& model, const std::vector<std::string>& ids,
                               bool ignore_unknown) {
  std::vector<uint32_t> items;
  for (const std::string& id : ids) {
    const std::optional<uint32_t> item = model.find_item(id);
    if (item) {
      items.push_back(*item);
    } else if (!ignore_unknown) {
      throw BadRequest(400, fmt::format("The model knows no item '{}'; leave it out, or send "
                                        "\"ignore_unknown\": true.",
                                        id));
    }
  }
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

Response item_response(const TrainedModel& model, const std::string& id) {
  const uint32_t item = known_item(model, id);
  Json json = {{"item", model.item_id(item)}};
  if (!model.item_name(item).empty()) json["name"] = model.item_name(item);
  return json_response(json);
}

Response model_response(const ServedModel& served) {
  const TrainedModel& model = served.run.model;
  return json_response({{"generation", served.generation},
                        {"model", model.model_name()},
                        {"sampler", model.sampler_name()},
                        {"seed", model.seed()},
                        {"users", model.users()},
                        {"items", model.items()},
                        {"columns", model.columns()},
                        {"dataset_hash", model.dataset_hash()},
                        {"leaves_out_seen", served.data != nullptr},
                        {"version", kVersion}});
}

Response page_response(std::string_view path) {
  const Page& page = find_page(path);
  return {.type = std::string(page.type),
          .body = std::string(page.text),
          .headers = {{"Content-Security-Policy",
                       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src "
                       "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
                      {"Referrer-Policy", "no-referrer"}}};
}

// Runs `answer`, and turns what it throws into an answer.
template <class Answer>
std::optional<Response> failure_of(Answer&& answer) {
  try {
    answer();
    return std::nullopt;
  } catch (const BadRequest& bad) {
    return http::error_response(bad.status, bad.what());
  } catch (const Error& error) {
    return http::error_response(400, error.what());
  } catch (const std::exception& error) {
    log_warning(error.what());
    return http::error_response(500, "The server failed to answer; its log says why.");
  }
}

}  // namespace

std::span<const Route> serve_routes() {
  return kRoutes;
}

void Api::check_access(const Request& request, const Route& route) const {
  http::check_host(request, options_.host_names, server_->is_loopback());
  if (!route.open) http::check_token(request, options_.token);
}

ListJob Api::known_users(const RecommendQuery& query, const ServedModel& served) const {
  const TrainedModel& model = served.run.model;
  if (!query.keep_seen && served.data == nullptr)
    throw BadRequest(400,
                     "The server was started with --keep-seen: it does not know which items a "
                     "user has seen.");
  ListJob job;
  const std::vector<uint32_t> denied = item_set(model, query.deny, query.ignore_unknown);
  for (const std::string& id : query.users) {
    const std::optional<uint32_t> user = model.find_user(id);
    if (!user)
      throw BadRequest(404, fmt::format("The model knows no user '{}'; send the user's items as "
                                        "'history' instead.",
                                        id));
    job.profiles.append(served.recommender.profile(*user));
    job.add(id, query.keep_seen ? std::span<const uint32_t>() : served.data->train().row(*user),
            denied);
  }
  return job;
}

ListJob Api::new_users(const RecommendQuery& query, const ServedModel& served) const {
  const TrainedModel& model = served.run.model;
  std::vector<uint64_t> offsets = {0};
  std::vector<uint32_t> items;
  for (const std::vector<std::string>& ids : query.histories) {
    const std::vector<uint32_t> history = item_set(model, ids, query.ignore_unknown);
    items.insert(items.end(), history.begin(), history.end());
    offsets.push_back(items.size());
  }
  const Interactions histories = {offsets, items, model.items()};
  const std::vector<uint32_t> denied = item_set(model, query.deny, query.ignore_unknown);
  ListJob job;
  job.profiles = served.recommender.fold_in(histories);
  for (uint32_t n = 0; n < histories.users(); ++n)
    job.add(query.single ? "new" : fmt::format("new {}", n + 1),
            query.keep_seen ? std::span<const uint32_t>() : histories.row(n), denied);
  return job;
}

Response Api::similar(const Request& request, const ServedModel& served) const {
  const SimilarQuery query = read_similar_parameters(request, options_);
  const TrainedModel& model = served.run.model;
  const uint32_t item = known_item(model, request.segments[2]);
  const TopItems list = served.recommender.similar(std::span(&item, 1), query.k, query.measure);
  Response response;
  append_list_json(
      {"similar_to", "item", model.items(), [&](uint32_t i) { return model.item_id(i); },
       [&](uint32_t i) { return model.item_name(i); }},
      request.segments[2], list, 0, query.k, response.body);
  response.body += '\n';
  return response;
}

Response Api::metrics(const ServedModel& served) const {
  Response response;
  response.type = "text/plain; version=0.0.4; charset=utf-8";
  std::string& text = response.body;
  counts_.print(text);
  const auto print = [&](const char* name, const char* type, const char* help, auto value) {
    print_metric(name, type, help, static_cast<double>(value), text);
  };
  print("divns_http_connections", "gauge", "Open connections.", server_->connections());
  print("divns_http_refused_total", "counter", "Connections refused because there were too many.",
        server_->refused());
  print("divns_access_log_dropped_total", "counter", "Lines of the access log that were dropped.",
        log_.dropped());
  print("divns_model_generation", "gauge", "Number of the model in use, from 1.",
        served.generation);
  print("divns_model_users", "gauge", "Users of the model.", served.run.model.users());
  print("divns_model_items", "gauge", "Items of the model.", served.run.model.items());
  print("divns_model_reloads_total", "counter", "Models that replaced another.", models_.reloads());
  print("divns_model_reload_failures_total", "counter", "Models that could not be loaded.",
        models_.failures());
  return response;
}

Response Api::reload() const {
  if (options_.token.empty())
    throw BadRequest(403,
                     "Reloading by a request needs a server with a token; send the process "
                     "SIGHUP instead.");
  models_.reload();
  Response response = json_response({{"reloading", true}});
  response.status = 202;
  return response;
}

std::optional<ListJob> Api::begin(const Request& request, const ServedModel& served,
                                  Response& response) const {
  const Route& route = find_route(request);
  check_access(request, route);
  if (route.path == "/v1/users/{user}/recommendations" || route.path == "/v1/recommendations") {
    const RecommendQuery query =
        route.method == "POST" ? read_recommend_body(request, options_)
                               : read_recommend_parameters(request, request.segments[2], options_);
    ListJob job = query.users.empty() ? new_users(query, served) : known_users(query, served);
    job.k = query.k;
    job.single = query.single;
    if (query.allow) job.allowed = item_set(served.run.model, *query.allow, query.ignore_unknown);
    return job;
  }
  if (route.path == "/v1/items/{item}")
    response = item_response(served.run.model, request.segments[2]);
  else if (route.path == "/v1/items/{item}/similar")
    response = similar(request, served);
  else if (route.path == "/v1/model")
    response = model_response(served);
  else if (route.path == "/v1/reload")
    response = reload();
  else if (route.path == "/metrics")
    response = metrics(served);
  else if (route.path == "/health")
    response = json_response({{"status", "alive"}});
  else if (route.path == "/ready")
    response = json_response({{"status", "ready"}, {"generation", served.generation}});
  else
    response = page_response(route.path);
  return std::nullopt;
}

void Api::handle(http::Batch& batch) const {
  const std::shared_ptr<const ServedModel> served = models_.current();
  std::vector<ListJob> together;
  std::vector<ListJob> alone;
  for (size_t i = 0; i < batch.size(); ++i) {
    Response response;
    std::optional<ListJob> job;
    if (auto failure = failure_of([&] { job = begin(batch.request(i), *served, response); })) {
      batch.answer(i, std::move(*failure));
    } else if (!job) {
      batch.answer(i, std::move(response));
    } else {
      job->request = i;
      const bool is_short = !job->allowed && job->lists() <= kShortLists && job->k <= kShortK;
      (is_short ? together : alone).push_back(std::move(*job));
    }
  }
  const auto make = [&](std::span<const ListJob> jobs) {
    std::vector<std::string> bodies;
    const auto failure = failure_of([&] { bodies = make_lists(*served, jobs); });
    counts_.add_batch();
    for (size_t n = 0; n < jobs.size(); ++n) {
      counts_.add_lists(jobs[n].lists());
      batch.answer(jobs[n].request, failure ? *failure : Response{.body = std::move(bodies[n])});
    }
  };
  if (!together.empty()) make(together);
  batch.send();  // before the longer ones
  for (const ListJob& job : alone) make(std::span(&job, 1));
}

}  // namespace divns
