// SPDX-License-Identifier: Apache-2.0
// What a request for lists says, from its path, its query or its JSON body.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "divns/recommend.h"
#include "divns/serve.h"
#include "http/message.h"

namespace divns {

struct RecommendQuery {
  std::vector<std::string> users;
  std::vector<std::vector<std::string>> histories;
  bool single = false;  // "user" or "history", not "users" or "histories"
  uint32_t k = 10;
  bool keep_seen = false;
  bool ignore_unknown = false;  // items of histories, allow and deny that the model does not know
  std::optional<std::vector<std::string>> allow;
  std::vector<std::string> deny;
};

struct SimilarQuery {
  uint32_t k = 10;
  Similarity measure = Similarity::kCosine;
};

// All throw http::BadRequest for what is unknown, missing, of another type or out of range.
RecommendQuery read_recommend_body(const http::Request& request, const ServeOptions& options);
RecommendQuery read_recommend_parameters(const http::Request& request, const std::string& user,
                                         const ServeOptions& options);
SimilarQuery read_similar_parameters(const http::Request& request, const ServeOptions& options);

}  // namespace divns
