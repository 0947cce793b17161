#include "compare/results.hpp"

#include "compare/readers.hpp"
#include "io/text_file.hpp"
#include "report/page_source.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

namespace hypermile::compare {
namespace {

using io::JsonReader;

struct Schema {
  const char* name;
  std::vector<Run> (*read)(const JsonReader&);
};

constexpr Schema schemas[]{{"hypermile/run/1", read_run},
                           {"hypermile/simulation/1", read_simulation},
                           {"hypermile/sweep/1", read_sweep},
                           {"hypermile/steer/1", read_steered}};

constexpr const char* advice =
    "the folder of 'hypermile run --report' or 'hypermile simulate --report', the results of "
    "'hypermile sweep', or a file of what 'run', 'simulate', 'sweep' or 'steer' print with --json";

std::vector<Run> read_document(const JsonReader& top) {
  if (!top.has("schema"))
    top.fail("has no 'schema', and is no result of hypermile", advice);
  const std::string name = top.at("schema").text();
  for (const Schema& schema : schemas)
    if (name == schema.name)
      return schema.read(top);
  top.at("schema").fail(fmt::format("is '{}', which has no time and energy of runs", name), advice);
}

std::vector<Run> read_folder(const std::string& path) {
  auto source = report::read_page_source(path);
  const bool study = source.kind == report::PageKind::sweep;
  const JsonReader top(std::make_shared<const nlohmann::json>(std::move(source.report)),
                       source.path);
  return study ? read_cells(top) : read_document(top);
}

std::vector<Run> read_any(const std::string& path) {
  if (!std::filesystem::exists(path))
    throw Error(ErrorKind::config, fmt::format("there is no {}", path), advice);
  if (std::filesystem::is_directory(path))
    return read_folder(path);
  return read_document(JsonReader(io::parse_json(io::read_text_file(path), path), path));
}

std::vector<Run> named(std::vector<Run> runs, const std::string& source) {
  if (runs.empty())
    throw Error(ErrorKind::config, fmt::format("{} has no run that was done", source), advice);
  for (Run& run : runs)
    run.source = source;
  return runs;
}

} // namespace

std::string text_of(EnergyBy by) {
  switch (by) {
  case EnergyBy::meters:
    return "measured by meters";
  case EnergyBy::external:
    return "measured by an external meter";
  case EnergyBy::emulated:
    return "measured on emulated nodes";
  case EnergyBy::simulation:
    return "simulated";
  case EnergyBy::power_tables:
    return "estimated by power tables";
  case EnergyBy::assumed_power:
    return "estimated by assumed power";
  }
  return "";
}

std::vector<Run> read_results(const std::string& path) { return named(read_any(path), path); }

std::vector<Run> parse_results(const std::string& text, const std::string& file) {
  return named(read_document(JsonReader(io::parse_json(text, file), file)), file);
}

} // namespace hypermile::compare
