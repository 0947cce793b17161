#include "units/words.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace hypermile {

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.size())
      (word ? *word : word.emplace()) += text[++i];
    else if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      word = word.value_or("");
    } else if (quote == 0 && (c == ' ' || c == '\t')) {
      if (word)
        words.push_back(std::move(*word));
      word.reset();
    } else
      (word ? *word : word.emplace()) += c;
  }
  if (quote != 0)
    throw Error(ErrorKind::config, fmt::format("in '{}' a quote does not end", text));
  if (word)
    words.push_back(std::move(*word));
  if (words.empty())
    throw Error(ErrorKind::config, "there is no command");
  return words;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += text.empty() ? "" : " ";
    if (word.empty())
      text += "''";
    for (const char c : word) {
      if (c == ' ' || c == '\t' || c == '\'' || c == '"' || c == '\\')
        text += '\\';
      text += c;
    }
  }
  return text;
}

std::string shell_words(const std::vector<std::string>& words) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
      "%+,-./:=@_";
  std::string text;
  for (const std::string& word : words) {
    text += text.empty() ? "" : " ";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word)
      text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

} // namespace hypermile
