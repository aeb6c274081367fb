// SPDX-License-Identifier: Apache-2.0
// The page, built from report-ui/ and embedded in the library: so it is there wherever the library
// is, in the tool, in a Python wheel and in programs of others, and always of the same version.
#include <string_view>

#include "base/check.h"
#include "base/escape.h"
#include "divns/report.h"

// The assembler copies the file; a compiler would need seconds for a literal of a megabyte.
__asm__(
    ".section .rodata\n"
    ".global divns_report_page_begin\n"
    ".global divns_report_page_end\n"
    "divns_report_page_begin:\n"
    ".incbin \"" DIVNS_REPORT_PAGE
    "\"\n"
    "divns_report_page_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" {
extern const char divns_report_page_begin;
extern const char divns_report_page_end;
}

namespace divns {
namespace {

constexpr std::string_view kDataPlace = R"(<script id="divns-report" type="application/json">)";

std::string_view embedded_page() {
  const char* begin = &divns_report_page_begin;
  return {begin, static_cast<size_t>(&divns_report_page_end - begin)};
}

}  // namespace

bool has_report_page() {
  return !embedded_page().empty();
}

std::string report_page(std::string_view document) {
  const std::string_view page = embedded_page();
  if (page.empty())
    fail(
        "divns was built without the page of HTML reports, because Node.js, npm or its packages "
        "were "
        "missing. Use --format markdown, or build divns again where npm can install packages.");
  const size_t at = page.find(kDataPlace);
  DIVNS_ASSERT(at != std::string_view::npos);
  const size_t place = at + kDataPlace.size();
  std::string text(page.substr(0, place));
  text += escape_script_json(document);
  return text += page.substr(place);
}

}  // namespace divns
