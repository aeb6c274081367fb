// SPDX-License-Identifier: Apache-2.0
#include "base/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <utility>

namespace divns {
namespace {

// The character at the beginning of `text` and its length in bytes; a length of 0 means that the
// first byte begins no character of UTF-8.
std::pair<uint32_t, size_t> first_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {lead, 0};
  uint32_t code = lead & (0x7fU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {lead, 0};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[length] || code > 0x10ffff || surrogate) return {lead, 0};
  return {code, length};
}

// Characters that a terminal obeys instead of showing, or that reorder what is around them.
bool is_unsafe(uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool bidi = code == 0x61c || code == 0x200e || code == 0x200f ||
                    (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return control || bidi || code == 0x2028 || code == 0x2029 || code == 0xfeff;
}

bool is_word(std::string_view text, size_t at) {
  return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
}

// Characters beyond ASCII that LaTeX typesets by a command.
constexpr std::pair<std::string_view, std::string_view> kLatexSymbols[] = {
    {"±", "$\\pm$"},  {"×", "$\\times$"}, {"λ", "$\\lambda$"}, {"θ", "$\\theta$"}, {"≤", "$\\leq$"},
    {"≥", "$\\geq$"}, {"−", "$-$"},       {"–", "--"},         {"σ", "$\\sigma$"}};

std::string_view latex_command(char c) {
  switch (c) {
    case '&':
      return "\\&";
    case '%':
      return "\\%";
    case '$':
      return "\\$";
    case '#':
      return "\\#";
    case '_':
      return "\\_";
    case '{':
      return "\\{";
    case '}':
      return "\\}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    case '\\':
      return "\\textbackslash{}";
    case '<':
      return "$<$";
    case '>':
      return "$>$";
    case '|':
      return "$|$";
    case '"':
      return "''";
    case '\n':
    case '\r':
      return " ";
    default:
      return {};
  }
}

}  // namespace

std::string escape_terminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [code, length] = first_character(text);
    if (length > 0 && !is_unsafe(code))
      out += text.substr(0, length);
    else if (code == '\n')
      out += "\\n";
    else if (code == '\t')
      out += "\\t";
    else
      out += code < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out;
}

std::string escape_tsv(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\t')
      out += "\\t";
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\\')
      out += "\\\\";
    else
      out += c;
  }
  return out;
}

std::string escape_markdown(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n' || c == '\r') {
      out += ' ';
      continue;
    }
    // An underscore inside a word stands for itself, and names such as dns_mn read better bare.
    const bool inside_word = i > 0 && is_word(text, i - 1) && is_word(text, i + 1);
    const bool special = std::string_view("\\`*[]<>|~").find(c) != std::string_view::npos;
    if (special || (c == '_' && !inside_word)) out += '\\';
    out += c;
  }
  return out;
}

std::string escape_latex(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t taken = 1;
    std::string_view command = latex_command(text[0]);
    for (const auto& [symbol, name] : kLatexSymbols)
      if (text.starts_with(symbol)) {
        command = name;
        taken = symbol.size();
      }
    out += command.empty() ? text.substr(0, 1) : command;
    text.remove_prefix(taken);
  }
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::string escape_script_json(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = json.substr(i);
    if (json[i] == '<' || json[i] == '>' || json[i] == '&') {
      safe += fmt::format("\\u{:04x}", static_cast<unsigned>(json[i]));
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      safe += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      safe += json[i];
    }
  }
  return safe;
}

std::string escape_csv(std::string_view text, CsvFor reader) {
  std::string guarded;
  constexpr std::string_view kFormula = "=+-@\t\r";
  if (reader == CsvFor::kSpreadsheets && !text.empty() &&
      kFormula.find(text.front()) != std::string_view::npos) {
    guarded = "'" + std::string(text);
    text = guarded;
  }
  const bool padded = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!padded && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string escape_shell(std::string_view text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./,:=@%+").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string escape_shell_comment(std::string_view text) {
  return escape_terminal(text);
}

std::string escape_vega_field(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '.' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string excerpt(std::string_view text) {
  constexpr size_t kMost = 40;
  if (text.size() <= kMost) return std::string(text);
  size_t cut = kMost;
  while (cut > 0 && (static_cast<uint8_t>(text[cut]) & 0xc0) == 0x80)
    --cut;  // not inside a character
  return std::string(text.substr(0, cut)) + "...";
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = first_character(text).second;
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace divns
