// SPDX-License-Identifier: Apache-2.0
#include "serve/query.h"

#include <fmt/format.h>

#include <charconv>

#include "base/json.h"
#include "divns/did_you_mean.h"

namespace divns {
namespace {

using http::BadRequest;

const std::vector<std::string> kBodyKeys = {"user",      "users", "history", "histories",     "k",
                                            "keep_seen", "allow", "deny",    "ignore_unknown"};

[[noreturn]] void refuse_unknown(const std::string& name, std::span<const std::string> known) {
  throw BadRequest(400, fmt::format("'{}' is unknown.{}", name, did_you_mean(name, known)));
}

uint32_t checked_k(uint64_t k, const ServeOptions& options) {
  if (k < 1 || k > options.most_items)
    throw BadRequest(400,
                     fmt::format("k is {}; lists have from 1 to {} items.", k, options.most_items));
  return static_cast<uint32_t>(k);
}

uint32_t parsed_k(const std::string& text, const ServeOptions& options) {
  uint64_t k = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), k);
  if (error != std::errc() || end != text.data() + text.size())
    throw BadRequest(400, fmt::format("k is '{}', not a whole number.", text));
  return checked_k(k, options);
}

bool parsed_bool(const std::string& name, const std::string& text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  throw BadRequest(400, fmt::format("{} is '{}', not true or false.", name, text));
}

// Ids are text; whole numbers are taken as they are written.
std::string id_of(const Json& value, const std::string& key) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return json_line(value);
  throw BadRequest(400, fmt::format("An id in '{}' is neither text nor a whole number.", key));
}

std::vector<std::string> ids_of(const Json& value, const std::string& key) {
  if (!value.is_array()) throw BadRequest(400, fmt::format("'{}' is not an array of ids.", key));
  std::vector<std::string> ids;
  for (const Json& id : value) ids.push_back(id_of(id, key));
  return ids;
}

bool bool_of(const Json& value, const std::string& key) {
  if (!value.is_boolean()) throw BadRequest(400, fmt::format("'{}' is not true or false.", key));
  return value.get<bool>();
}

void read_key(const std::string& key, const Json& value, const ServeOptions& options,
              RecommendQuery& query) {
  if (key == "user") {
    query.users = {id_of(value, key)};
  } else if (key == "users") {
    query.users = ids_of(value, key);
  } else if (key == "history") {
    query.histories = {ids_of(value, key)};
  } else if (key == "histories") {
    if (!value.is_array()) throw BadRequest(400, "'histories' is not an array of arrays.");
    for (const Json& history : value) query.histories.push_back(ids_of(history, key));
  } else if (key == "k") {
    if (!value.is_number_unsigned()) throw BadRequest(400, "'k' is not a whole number.");
    query.k = checked_k(value.get<uint64_t>(), options);
  } else if (key == "keep_seen") {
    query.keep_seen = bool_of(value, key);
  } else if (key == "ignore_unknown") {
    query.ignore_unknown = bool_of(value, key);
  } else if (key == "allow") {
    query.allow = ids_of(value, key);
  } else if (key == "deny") {
    query.deny = ids_of(value, key);
  } else {
    refuse_unknown(key, kBodyKeys);
  }
}

Json parsed_body(const std::string& body) {
  try {
    return parse_json(body);
  } catch (const Json::exception&) {
    throw BadRequest(400, "The body is not JSON in UTF-8, or is nested too deeply.");
  }
}

}  // namespace

RecommendQuery read_recommend_body(const http::Request& request, const ServeOptions& options) {
  const Json body = parsed_body(request.body);
  if (!body.is_object()) throw BadRequest(400, "The body is not a JSON object.");
  RecommendQuery query;
  query.keep_seen = options.keep_seen;
  int ways = 0;
  for (const auto& [key, value] : body.items()) {
    const bool who = key == "user" || key == "users" || key == "history" || key == "histories";
    ways += who ? 1 : 0;
    query.single |= key == "user" || key == "history";
    read_key(key, value, options, query);
  }
  if (ways != 1)
    throw BadRequest(400, "Exactly one of 'user', 'users', 'history' and 'histories' is expected.");
  if (query.users.size() + query.histories.size() > options.most_lists)
    throw BadRequest(400,
                     fmt::format("{} lists are asked for; one request makes at most {}.",
                                 query.users.size() + query.histories.size(), options.most_lists));
  return query;
}

RecommendQuery read_recommend_parameters(const http::Request& request, const std::string& user,
                                         const ServeOptions& options) {
  static const std::vector<std::string> known = {"k", "keep_seen"};
  RecommendQuery query;
  query.users = {user};
  query.single = true;
  query.keep_seen = options.keep_seen;
  for (const auto& [name, value] : request.query) {
    if (name == "k") {
      query.k = parsed_k(value, options);
    } else if (name == "keep_seen") {
      query.keep_seen = parsed_bool(name, value);
    } else {
      refuse_unknown(name, known);
    }
  }
  return query;
}

SimilarQuery read_similar_parameters(const http::Request& request, const ServeOptions& options) {
  static const std::vector<std::string> known = {"k", "measure"};
  SimilarQuery query;
  for (const auto& [name, value] : request.query) {
    if (name == "k") {
      query.k = parsed_k(value, options);
    } else if (name == "measure" && (value == "cosine" || value == "dot")) {
      query.measure = value == "dot" ? Similarity::kDot : Similarity::kCosine;
    } else if (name == "measure") {
      throw BadRequest(400, fmt::format("measure is '{}', not cosine or dot.", value));
    } else {
      refuse_unknown(name, known);
    }
  }
  return query;
}

}  // namespace divns
