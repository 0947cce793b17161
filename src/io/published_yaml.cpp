#include "io/published_yaml.hpp"

#include "io/text_file.hpp"
#include "io/yaml_reader.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hypermile::io {
namespace {

using study::PublishedMethod;
using study::PublishedProgram;
using study::PublishedTable;

/// A part of a file's name.
std::string read_table_name(const YamlReader& at) {
  std::string name = at.text();
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  };
  if (name.empty() || name.size() > 60 || name.starts_with('.') || !std::ranges::all_of(name, fits))
    at.fail(fmt::format("'{}' is not a name", name), "letters, digits, and . _ -");
  return name;
}

std::string read_not_empty(const YamlReader& at) {
  std::string text = at.text();
  if (text.empty())
    at.fail("is empty");
  return text;
}

/// "31.25%" as 0.3125, up to 1000 % in either direction.
double read_percent(const YamlReader& at) {
  constexpr double most = 10;
  const double value = at.as(parse_ratio);
  if (!at.text().ends_with('%') || !(std::abs(value) <= most))
    at.fail(fmt::format("'{}' is not a percentage", at.text()), "31.25%, say");
  return value;
}

template <class Q>
std::optional<Q> read_positive(const YamlReader& owner, const char* key,
                               Q (*parse)(std::string_view)) {
  const auto at = owner.find(key);
  if (!at)
    return std::nullopt;
  const Q value = at->as(parse);
  if (!(value > Q{}))
    at->fail(fmt::format("'{}' is not positive", at->text()));
  return value;
}

std::vector<study::Option> read_simulate_options(const YamlReader& owner) {
  std::vector<study::Option> options;
  if (const auto at = owner.find("options"))
    at->for_each_key([&](const std::string& name, const YamlReader& value) {
      options.push_back({.name = name, .values = {read_not_empty(value)}});
    });
  return options;
}

/// Reads the entries of a list, whose names differ.
template <class Entry, class Read>
std::vector<Entry> read_named(const YamlReader& at, const Read& read) {
  std::vector<Entry> entries;
  at.for_each([&](const YamlReader& element) {
    Entry entry = read(element);
    if (std::ranges::find(entries, entry.name, &Entry::name) != entries.end())
      element.fail(fmt::format("'{}' is there twice", entry.name));
    entries.push_back(std::move(entry));
  });
  return entries;
}

PublishedMethod read_method(const YamlReader& at) {
  at.expect_keys({"name", "method", "options"});
  PublishedMethod method;
  method.name = read_not_empty(at.at("name"));
  method.method = read_not_empty(at.at("method"));
  method.options = read_simulate_options(at);
  return method;
}

study::Effect read_effect(const YamlReader& at) {
  at.expect_keys({"saving", "slowdown", "distance"});
  study::Effect effect{};
  effect.saving = read_percent(at.at("saving"));
  effect.slowdown = read_percent(at.at("slowdown"));
  effect.distance = read_percent(at.at("distance"));
  return effect;
}

PublishedProgram read_published_program(const YamlReader& at, std::size_t methods) {
  at.expect_keys({"name", "ranks", "time", "energy", "results"});
  PublishedProgram program;
  program.name = read_table_name(at.at("name"));
  program.ranks = at.at("ranks").count();
  program.time = read_positive(at, "time", parse_seconds);
  program.energy = read_positive(at, "energy", parse_joules);
  const auto results = at.find("results");
  if (!results)
    return program;
  results->for_each(
      [&](const YamlReader& result) { program.effects.push_back(read_effect(result)); });
  if (program.effects.size() != methods)
    results->fail(
        fmt::format("has {} entries, but there are {} methods", program.effects.size(), methods));
  return program;
}

/// Programs have the same lines in a table.
void check_results(const YamlReader& at, const std::vector<PublishedProgram>& programs) {
  const auto printed = std::ranges::count_if(
      programs, [](const PublishedProgram& program) { return !program.effects.empty(); });
  if (printed != 0 && printed != std::ssize(programs))
    at.fail("some have results, others have none", "results in all of them, or in none");
}

/// A table compares methods, or checks predictions.
void read_methods(const YamlReader& root, PublishedTable& table) {
  const auto error = root.find("time_error");
  if (!error) {
    table.methods = read_named<PublishedMethod>(root.at("methods"), read_method);
    return;
  }
  if (root.find("methods"))
    error->fail("is there beside methods", "one of them");
  table.time_error = read_percent(*error);
  if (*table.time_error < 0)
    error->fail("is negative");
}

void expect_published_schema(const YamlReader& at) {
  constexpr std::string_view schema = "hypermile/published/1";
  if (at.text() != schema)
    at.fail(fmt::format("'{}' is not a schema that this version reads", at.text()),
            std::string(schema));
}

} // namespace

study::PublishedTable parse_published(const std::string& text, const std::string& file) {
  const YamlReader root = YamlReader::parse(text, file);
  root.expect_keys({"schema", "table", "title", "source", "class", "platform", "options", "methods",
                    "time_error", "programs", "differences"});
  expect_published_schema(root.at("schema"));
  PublishedTable table;
  table.name = read_table_name(root.at("table"));
  table.title = read_not_empty(root.at("title"));
  table.source = read_not_empty(root.at("source"));
  if (const auto class_name = root.find("class"))
    table.class_name = read_table_name(*class_name);
  table.platform = read_table_name(root.at("platform"));
  table.options = read_simulate_options(root);
  read_methods(root, table);
  table.programs =
      read_named<PublishedProgram>(root.at("programs"), [&](const YamlReader& program) {
        return read_published_program(program, table.methods.size());
      });
  check_results(root.at("programs"), table.programs);
  root.at("differences").for_each([&](const YamlReader& difference) {
    table.differences.push_back(read_not_empty(difference));
  });
  return table;
}

std::vector<std::string> published_tables(const std::string& folder) {
  return names_in(folder, ".yaml");
}

} // namespace hypermile::io
