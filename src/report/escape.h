// SPDX-License-Identifier: Apache-2.0
// Plain text made safe for a format. Line breaks become spaces where the format has no room for
// them.
#pragma once

#include <string>
#include <string_view>

namespace divns {

std::string escape_markdown(std::string_view text);
std::string escape_latex(std::string_view text);
// Quoted only where it must be.
std::string escape_csv(std::string_view text);
// The name of a column as a Vega-Lite field: there "a.b" and "a[b]" mean parts of "a".
std::string escape_vega_field(std::string_view text);

}  // namespace divns
