// SPDX-License-Identifier: Apache-2.0
// Text of strangers (ids, titles, labels, lines of files) made safe for the place it goes to. All
// such text passes through one of these functions.
#pragma once

#include <string>
#include <string_view>

namespace divns {

// For a terminal or a log: control characters, characters that change the direction of text, and
// bytes that are not UTF-8 become escapes such as \x1b and \u202e.
std::string escape_terminal(std::string_view text);
// For one field of a line with tabs between fields, and for files with one id per line: tab, line
// break, carriage return and backslash become \t, \n, \r and \\.
std::string escape_tsv(std::string_view text);
// Line breaks become spaces.
std::string escape_markdown(std::string_view text);
std::string escape_latex(std::string_view text);
// For the text of an element and for a quoted attribute.
std::string escape_html(std::string_view text);

// JSON inside a <script> element: characters that could end the element, and the line separators of
// Unicode, become escapes of JSON.
std::string escape_script_json(std::string_view json);

enum class CsvFor {
  kPrograms,      // the value as it is, quoted only where it must be (RFC 4180)
  kSpreadsheets,  // a value that begins with = + - @ or tab gets a ' in front: not a formula
};
std::string escape_csv(std::string_view text, CsvFor reader = CsvFor::kPrograms);

// One word of a POSIX shell, quoted where it must be.
std::string escape_shell(std::string_view text);
// The rest of a comment line of a shell script: control characters are escaped.
std::string escape_shell_comment(std::string_view text);

// The name of a column as a Vega-Lite field: there "a.b" and "a[b]" mean parts of "a".
std::string escape_vega_field(std::string_view text);

// At most 40 bytes of what was found, for a sentence. Not yet escaped.
std::string excerpt(std::string_view text);

// True if every byte belongs to a character of UTF-8.
bool is_utf8(std::string_view text);

}  // namespace divns
