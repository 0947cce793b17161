#include "report/page_source.hpp"

#include "io/json_reader.hpp"
#include "io/text_file.hpp"
#include "report/page_cells.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

namespace hypermile::report {
namespace {

namespace fs = std::filesystem;

/// "'hypermile run --report FOLDER', 'hypermile ...'", each once.
std::string commands_of(std::span<const SourceKind> kinds) {
  std::string commands;
  for (const SourceKind& kind : kinds)
    if (const auto command = fmt::format("'{}'", kind.command);
        commands.find(command) == std::string::npos)
      commands += (commands.empty() ? "" : ", ") + command;
  return commands;
}

std::string files_advice() {
  return fmt::format("a file with what one of these has printed: {}", commands_of(file_kinds()));
}

std::string folders_advice() {
  return fmt::format("a folder that one of these has left: {}, '{}'", commands_of(folder_kinds()),
                     sweep_command);
}

Error no_source(const std::string& what) {
  return {ErrorKind::config, what, folders_advice() + "; or " + files_advice()};
}

/// "run.json nor simulation.json nor "
std::string file_names() {
  std::string names;
  for (const SourceKind& kind : folder_kinds())
    names += fmt::format("{} nor ", kind.file);
  return names;
}

/// Null for the results of a sweep.
const SourceKind* kind_of_folder(const std::string& folder) {
  if (!fs::is_directory(folder))
    throw no_source(fmt::format("there is no folder and no file {}", folder));
  const SourceKind* found = nullptr;
  for (const SourceKind& kind : folder_kinds()) {
    if (!fs::exists(fs::path(folder) / kind.file))
      continue;
    if (found != nullptr)
      throw Error(ErrorKind::config,
                  fmt::format("{} has the reports of two commands, {} and {}", folder, found->file,
                              kind.file),
                  "a folder for each");
    found = &kind;
  }
  if (found == nullptr && !has_cells(folder))
    throw no_source(fmt::format("{} has neither {}cells of a study, and there are reports of these "
                                "only",
                                folder, file_names()));
  return found;
}

void expect_all(const io::JsonReader& at, const SourceKind::Keys& keys, const std::string& advice) {
  for (const std::string_view key : keys)
    if (!at.has(key))
      at.fail(fmt::format("has no '{}': another version of hypermile left it", key), advice);
}

/// Throws for what is not there.
void check(const SourceKind& kind, const nlohmann::json& report, const io::JsonReader& top) {
  const std::string advice = fmt::format("make it again: {}", kind.command);
  if (top.at("schema").text() != kind.schema)
    top.at("schema").fail(fmt::format("is not '{}'", kind.schema), advice);
  expect_all(top, kind.keys, advice);
  for (const auto& [array, keys] : kind.elements)
    if (!report.at(std::string(array)).is_array())
      top.at(array).fail("is not an array", advice);
    else if (!report.at(std::string(array)).empty())
      for (const io::JsonReader& element : top.at(array).elements())
        expect_all(element, keys, advice);
}

PageSource source_in(const std::string& folder, const SourceKind& kind) {
  const std::string path = (fs::path(folder) / kind.file).string();
  const auto document = io::parse_json(io::read_text_file(path), path);
  check(kind, *document, io::JsonReader(document, path));
  return {.kind = kind.kind,
          .name = std::string(kind.file),
          .path = path,
          .folder = folder,
          .command = std::string(kind.command),
          .report = *document};
}

const SourceKind& kind_of_file(const io::JsonReader& top) {
  const std::string schema = top.has("schema") ? top.at("schema").text() : "";
  for (const SourceKind& kind : file_kinds())
    if (kind.schema == schema)
      return kind;
  for (const SourceKind& kind : folder_kinds())
    if (kind.schema == schema)
      top.fail(fmt::format("a page of {} needs the other files of its folder, too", schema),
               fmt::format("the folder of '{}'", kind.command));
  top.fail(schema.empty() ? "has no schema, and is no result of hypermile"
                          : fmt::format("there is no page of {}", schema),
           files_advice() + "; or " + folders_advice());
}

/// A document, or an array of such as `hypermile select --compare` prints it.
PageSource source_of_file(const std::string& path) {
  const auto document = io::parse_json(io::read_text_file(path), path);
  const io::JsonReader top(document, path);
  const bool has_many = top.is_array();
  const auto all = has_many ? top.elements() : std::vector{top};
  const SourceKind& kind = kind_of_file(all.front());
  if (has_many && kind.kind != PageKind::selection)
    top.fail(fmt::format("there is no page of several {}", kind.schema), "a file for each");
  for (std::size_t i = 0; i < all.size(); ++i)
    check(kind, has_many ? document->at(i) : *document, all[i]);
  return {.kind = kind.kind,
          .name = fs::path(path).filename().string(),
          .path = path,
          .folder = fs::path(path).parent_path().string(),
          .command = std::string(kind.command),
          .report = *document};
}

} // namespace

PageSource read_page_source(const std::string& path) {
  if (fs::is_regular_file(path))
    return source_of_file(path);
  if (const SourceKind* const kind = kind_of_folder(path))
    return source_in(path, *kind);
  return {.kind = PageKind::sweep,
          .name = fs::path(path).lexically_normal().filename().string(),
          .path = path,
          .folder = path,
          .command = std::string(sweep_command),
          .report = read_cells(path)};
}

} // namespace hypermile::report
