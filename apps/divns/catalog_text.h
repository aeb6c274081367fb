// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "json.h"

namespace divns::app {

// An array of objects with the same keys, of which the first is the name and the second a sentence,
// for the eye. Values are texts, or under "options" an array of such objects.

// One line per row, or with `details` all fields of each row.
std::string listing_text(const Json& rows, bool details);
// One table, and after it a section with a table for each row that has options.
std::string listing_markdown(const Json& rows);

}  // namespace divns::app
