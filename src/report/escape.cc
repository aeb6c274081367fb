// SPDX-License-Identifier: Apache-2.0
#include "report/escape.h"

#include <cctype>
#include <utility>

namespace divns {
namespace {

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

std::string escape_csv(std::string_view text) {
  const bool padded = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!padded && text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string escape_vega_field(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '.' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace divns
