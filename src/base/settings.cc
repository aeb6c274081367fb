// SPDX-License-Identifier: Apache-2.0
#include "divns/settings.h"

#include "base/check.h"

namespace divns {

Setting parse_setting(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0)
    fail("'{}' was given, but name=value is expected, as in l2=0.01.", text);
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::string to_string(const Setting& setting) {
  return setting.name + "=" + setting.value;
}

}  // namespace divns
