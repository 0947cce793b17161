#include "report/page_cells.hpp"

#include "io/json_reader.hpp"
#include "io/text_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

namespace hypermile::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* cells_advice = "remove it, and make it again: hypermile sweep STUDY";

/// Program, class, ranks, platform, repetition.
using CellName = std::tuple<std::string, std::string, std::size_t, std::string, std::size_t>;

struct CellFile {
  fs::file_time_type written;
  nlohmann::json cell;
};

std::string path_of(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / (name + ".json")).string();
}

bool is_cell(const nlohmann::json& document) {
  return document.is_object() && document.value("schema", nlohmann::json()) == sweep_cell_schema;
}

nlohmann::json keys_of(const nlohmann::json& object, std::initializer_list<const char*> keys) {
  nlohmann::json part;
  for (const char* const key : keys)
    part[key] = object.at(key);
  return part;
}

nlohmann::json cell_of(const nlohmann::json& document, const std::string& file) {
  nlohmann::json cell = keys_of(document, {"program", "class", "ranks", "platform", "repetition",
                                           "status", "reason", "took_s"});
  cell["file"] = file;
  cell["runs"] = nlohmann::json::array();
  if (const auto& simulation = document.at("simulation"); !simulation.is_null())
    for (const auto& run : simulation.at("runs"))
      cell["runs"].push_back(keys_of(run, {"method", "time_s", "energy_j", "saving_percent",
                                           "slowdown_percent", "distance_points"}));
  return cell;
}

CellName cell_name_of(const nlohmann::json& cell) {
  return {cell.at("program"), cell.at("class").is_null() ? "" : cell.at("class"), cell.at("ranks"),
          cell.at("platform"), cell.at("repetition")};
}

} // namespace

bool has_cells(const std::string& folder) {
  return std::ranges::any_of(io::names_in(folder, ".json"), [&](const std::string& name) {
    const std::string path = path_of(folder, name);
    return is_cell(*io::parse_json(io::read_text_file(path), path));
  });
}

nlohmann::json read_cells(const std::string& folder) {
  std::map<CellName, CellFile> cells;
  std::size_t superseded = 0;
  for (const std::string& name : io::names_in(folder, ".json")) {
    const std::string path = path_of(folder, name);
    const auto document = io::parse_json(io::read_text_file(path), path);
    if (!is_cell(*document))
      throw Error(ErrorKind::config, fmt::format("{} is no cell of a study", path), cells_advice);
    try {
      CellFile file{fs::last_write_time(path), cell_of(*document, name + ".json")};
      auto& there = cells[cell_name_of(file.cell)];
      superseded += there.cell.is_null() ? 0 : 1;
      if (there.cell.is_null() || there.written < file.written)
        there = std::move(file);
    } catch (const nlohmann::json::exception& error) {
      throw Error(ErrorKind::config, fmt::format("{} is not understood: {}", path, error.what()),
                  cells_advice);
    }
  }
  nlohmann::json report{{"cells", nlohmann::json::array()}, {"superseded", superseded}};
  for (auto& [name, file] : cells)
    report["cells"].push_back(std::move(file.cell));
  return report;
}

} // namespace hypermile::report
