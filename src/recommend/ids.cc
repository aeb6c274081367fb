// SPDX-License-Identifier: Apache-2.0
#include "divns/ids.h"

#include "base/check.h"
#include "base/files.h"

namespace divns {
namespace {

template <class Find>
std::vector<uint32_t> find_all(std::span<const std::string> ids, std::string_view where,
                               std::string_view what, std::string_view example, Find&& find) {
  std::vector<uint32_t> numbers;
  for (const std::string& id : ids) {
    const std::optional<uint32_t> number = find(id);
    if (!number)
      fail("{}: the model knows no {} '{}'; its ids are those of the training data, such as '{}'.",
           where, what, id, example);
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

std::vector<std::string> read_lines(const std::string& path) {
  std::string text = read_text_file(path);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);  // a byte-order mark is no part of an id
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

std::vector<uint32_t> find_users(const TrainedModel& model, std::span<const std::string> ids,
                                 std::string_view where) {
  return find_all(ids, where, "user", model.users() > 0 ? model.user_id(0) : "",
                  [&](const std::string& id) { return model.find_user(id); });
}

std::vector<uint32_t> find_items(const TrainedModel& model, std::span<const std::string> ids,
                                 std::string_view where) {
  return find_all(ids, where, "item", model.items() > 0 ? model.item_id(0) : "",
                  [&](const std::string& id) { return model.find_item(id); });
}

}  // namespace divns
