// SPDX-License-Identifier: Apache-2.0
// "user item item ...": the text form of LightGCN's and NGCF's splits. A user without items is
// legal.
#include "data/line_parser.h"

namespace divns {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

uint64_t parse_adjacency(const Layout&, std::string_view block, PairBlock& pairs) {
  uint64_t line = 0;
  const char* at = block.data();
  const char* end = at + block.size();
  while (at < end) {
    ++line;
    IdToken user;
    for (bool first = true;; first = false) {
      while (is_space(*at)) ++at;
      if (*at == '\n') break;
      const char* begin = at;
      while (!is_space(*at) && *at != '\n') ++at;
      const IdToken id = make_id_token({begin, static_cast<size_t>(at - begin)});
      if (first)
        user = id;
      else
        pairs.add(user, id, 1, 0);
    }
    ++at;
  }
  return line;
}

}  // namespace divns
