#include "architecture/map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>

namespace hypermile::architecture {
namespace {

namespace fs = std::filesystem;

/// The folders that one reaches by an arrow, or by several.
std::set<std::string_view> reached(std::string_view from) {
  std::set<std::string_view> found;
  Names next{from};
  while (!next.empty()) {
    const auto folder = next.back();
    next.pop_back();
    for (const auto target : arrows().at(folder))
      if (found.insert(target).second)
        next.push_back(target);
  }
  return found;
}

/// Whether an arrow follows from going by way of another folder; not within a circle.
bool follows(std::string_view from, std::string_view to, std::string_view by) {
  const auto beyond = reached(by);
  return beyond.contains(to) && !beyond.contains(from) && !reached(to).contains(by);
}

/// The arrows of a folder that do not follow from its other arrows.
Names drawn_arrows(std::string_view from) {
  Names drawn;
  const Names& all = arrows().at(from);
  for (const auto to : all)
    if (std::ranges::none_of(all, [&](auto by) { return follows(from, to, by); }))
      drawn.push_back(to);
  return drawn;
}

/// Mermaid wants letters: "runtime_pmpi" for "runtime/pmpi", "backend" for "backend/*".
std::string id_of(std::string_view folder) {
  std::string id(folder.ends_with("/*") ? folder.substr(0, folder.size() - 2) : folder);
  std::ranges::replace(id, '/', '_');
  return id;
}

std::string cell_of(const Names& folders) {
  std::vector<std::string> names;
  for (const auto folder : folders)
    names.push_back(fmt::format("`{}`", folder));
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

using VisitLine = std::function<void(std::size_t number, const std::string& line)>;

void for_each_line_of(const std::string& text, const VisitLine& visit) {
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    visit(++number, text.substr(begin, end - begin));
    begin = end + 1;
  }
}

std::string figure_of(const Page& page) {
  const std::string fence = "```mermaid\n";
  const auto begin = page.text.find(fence);
  if (begin == std::string::npos)
    return "";
  const auto end = page.text.find("```", begin + fence.size());
  return page.text.substr(begin + fence.size(), end - begin - fence.size());
}

/// The cells after the first of the row of a folder; empty: there is no such row.
std::string row_of(const Page& page, std::string_view folder) {
  const std::string begin = fmt::format("| `{}` | ", folder);
  std::string row;
  for_each_line_of(page.text, [&](std::size_t, const std::string& line) {
    if (line.starts_with(begin))
      row = line.substr(begin.size());
  });
  return row;
}

/// What an expression finds in a page, with the number of the line.
using Found = std::function<void(std::size_t line, const std::smatch& match)>;

void for_each_match(const Page& page, const std::regex& expression, const Found& found) {
  const std::string& text = page.text;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found(1 + static_cast<std::size_t>(
                  std::count(text.begin(), text.begin() + match->position(), '\n')),
          *match);
}

const std::regex& function_and_file() {
  static const std::regex expression("`([A-Za-z_0-9:]+)\\(\\)`\\s+\\(`([^`]+)`\\)");
  return expression;
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// "predict" of "model::predict" is called, declared or defined in the text.
bool has_function(const std::string& text, const std::string& name) {
  const auto colon = name.rfind(':');
  const std::string own = colon == std::string::npos ? name : name.substr(colon + 1);
  return std::regex_search(text, std::regex("\\b" + own + "\\("));
}

} // namespace

std::string figure() {
  std::string text = "flowchart TD\n  subgraph pure[\"no I/O, clock, thread or environment\"]\n";
  for (const auto folder : pure_folders)
    if (arrows().contains(folder))
      text += fmt::format("    {}\n", id_of(folder));
  text += "  end\n";
  for (const auto& [folder, targets] : arrows())
    if (folder != id_of(folder))
      text += fmt::format("  {}[\"{}\"]\n", id_of(folder), folder);
  for (const auto& [folder, targets] : arrows()) {
    for (const auto target : drawn_arrows(folder))
      text += fmt::format("  {} --> {}\n", id_of(folder), id_of(target));
    if (targets.empty() && std::ranges::find(pure_folders, folder) == pure_folders.end())
      text += fmt::format("  {}\n", id_of(folder));
  }
  return text;
}

Page read_page(const fs::path& tree, const std::string& file) {
  if (!fs::is_regular_file(tree / file))
    throw std::runtime_error(file + " cannot be read");
  return {file, text_of(tree / file)};
}

std::vector<Violation> figure_violations(const Page& page) {
  std::vector<Violation> violations;
  if (figure_of(page) != figure())
    violations.push_back({page.file, 1,
                          "the figure differs from the table of arrows in "
                          "tests/architecture/rules.cpp; replace its block by:\n```mermaid\n" +
                              figure() + "```"});
  for (const auto& [folder, targets] : arrows()) {
    const std::string row = row_of(page, folder);
    const std::string cell = cell_of(targets);
    if (!row.ends_with("| " + cell + " |"))
      violations.push_back(
          {page.file, 1,
           fmt::format("{} the row of the folder; it has to be: | `{}` | WHAT IT DOES | {} |",
                       row.empty() ? "add" : "correct", folder, cell)});
  }
  return violations;
}

std::vector<Violation> path_violations(const fs::path& tree, const Page& page) {
  static const std::regex quoted(
      "`((?:src|include|tests|apps|bench|docs|data|platforms|scripts|cmake)/[^`*<>\\s]*)`");
  static const std::regex link("\\]\\(([^)#:]+)[^):]*\\)");
  std::vector<Violation> violations;
  const auto check = [&](std::size_t line, const fs::path& path, const std::string& name) {
    if (!fs::exists(path))
      violations.push_back({page.file, line, fmt::format("there is no {}", name)});
  };
  for_each_match(page, quoted, [&](std::size_t line, const std::smatch& match) {
    check(line, tree / match[1].str(), match[1]);
  });
  for_each_match(page, link, [&](std::size_t line, const std::smatch& match) {
    check(line, (tree / page.file).parent_path() / match[1].str(), match[1]);
  });
  return violations;
}

std::vector<Violation> function_violations(const fs::path& tree, const Page& page) {
  std::vector<Violation> violations;
  for_each_match(page, function_and_file(), [&](std::size_t line, const std::smatch& match) {
    if (!has_function(text_of(tree / match[2].str()), match[1]))
      violations.push_back(
          {page.file, line, fmt::format("{} has no function {}", match[2].str(), match[1].str())});
  });
  return violations;
}

std::size_t functions_named(const Page& page) {
  std::size_t count = 0;
  for_each_match(page, function_and_file(), [&](std::size_t, const std::smatch&) { ++count; });
  return count;
}

} // namespace hypermile::architecture
