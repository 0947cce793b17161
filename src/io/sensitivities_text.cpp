#include "io/sensitivities_text.hpp"

#include "io/text_file.hpp"
#include "units/error.hpp"
#include "units/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace hypermile::io {
namespace {

using Call = model::CallSensitivities::Call;

constexpr const char* usual_text = "Allreduce 0.3, Sendrecv/2 0.5, or 0.9 for everything else";

template <class Number> bool read(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end && !text.empty();
}

bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

/// "Sendrecv/2", without its number.
Call parse_call(std::string_view text) {
  const auto slash = text.find('/');
  Call call{.function = std::string(text.substr(0, slash))};
  if (call.function.starts_with("MPI_"))
    throw Error(ErrorKind::config, fmt::format("'{}' begins with MPI_", text),
                call.function.substr(4));
  const bool has_place = slash != std::string_view::npos;
  if (!is_name(call.function) ||
      (has_place && (!read(text.substr(slash + 1), call.place) || call.place == 0)))
    throw Error(ErrorKind::config, fmt::format("'{}' is no call", text), usual_text);
  return call;
}

void parse_entry(std::string_view entry, model::CallSensitivities& all) {
  const auto space = entry.find_last_of(" \t");
  if (space == std::string_view::npos) {
    if (all.otherwise)
      throw Error(ErrorKind::config, "there are two numbers for everything else", "one of them");
    all.otherwise = parse_sensitivity(std::string(entry));
    return;
  }
  Call call = parse_call(trimmed(entry.substr(0, space)));
  call.sensitivity = parse_sensitivity(std::string(entry.substr(space + 1)));
  for (const Call& other : all.calls)
    if (other.function == call.function && other.place == call.place)
      throw Error(ErrorKind::config,
                  fmt::format("'{}' is there twice", trimmed(entry.substr(0, space))),
                  "one of them");
  all.calls.push_back(std::move(call));
}

void parse_line(std::string_view line, model::CallSensitivities& all) {
  line = line.substr(0, line.find('#'));
  if (trimmed(line).empty())
    return;
  for (;;) {
    const auto comma = line.find(',');
    parse_entry(trimmed(line.substr(0, comma)), all);
    if (comma == std::string_view::npos)
      return;
    line.remove_prefix(comma + 1);
  }
}

} // namespace

double parse_sensitivity(const std::string& text) {
  double number = 0;
  if (!read(text, number) || !(number >= 0 && number <= 1))
    throw Error(ErrorKind::config, fmt::format("'{}' is not a number from 0 to 1", text),
                usual_text);
  return number;
}

model::CallSensitivities parse_sensitivities(std::string_view text, const std::string& source) {
  model::CallSensitivities all;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    try {
      parse_line(text.substr(0, end), all);
    } catch (const Error& error) {
      throw Error(ErrorKind::config, fmt::format("{}:{}: {}", source, number, error.what()));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (all.none())
    throw Error(ErrorKind::config, fmt::format("{} says nothing", source), usual_text);
  return all;
}

std::string print_sensitivities(const model::CallSensitivities& sensitivities) {
  std::string text;
  const auto add = [&](const std::string& entry) { text += (text.empty() ? "" : ",") + entry; };
  if (sensitivities.otherwise)
    add(fmt::format("{}", *sensitivities.otherwise));
  for (const Call& call : sensitivities.calls)
    add(call.place == 0 ? fmt::format("{} {}", call.function, call.sensitivity)
                        : fmt::format("{}/{} {}", call.function, call.place, call.sensitivity));
  return text;
}

model::CallSensitivities read_sensitivities(const std::string& number_or_file) {
  double number = 0;
  if (read(number_or_file, number) || !std::filesystem::exists(number_or_file))
    return {.calls = {}, .otherwise = parse_sensitivity(number_or_file)};
  return parse_sensitivities(read_text_file(number_or_file), number_or_file);
}

} // namespace hypermile::io
