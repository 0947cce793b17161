#include "io/steer_table.hpp"

#include "units/csv.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <tuple>
#include <vector>

namespace hypermile::io {
namespace {

constexpr std::size_t most_cores = 4096;
constexpr std::size_t most_khz = 100'000'000;
constexpr double most_figure = 1e15;

struct Row {
  std::size_t cores;
  std::size_t khz;
  model::Placement placement;
  steer::Performance performance;
  std::size_t line;
};

/// Cores, frequency or gear, placement.
using Key = std::tuple<std::size_t, std::size_t, model::Placement>;

std::size_t read_cores(const CsvReader& csv, std::size_t least) {
  const std::size_t cores = csv.count("cores", "a number of cores");
  if (cores < least || cores > most_cores)
    csv.fail(fmt::format("{} cores are not between {} and {}", cores, least, most_cores));
  return cores;
}

std::size_t read_khz(const CsvReader& csv) {
  const std::size_t khz = csv.count("frequency_khz", "a frequency in kHz");
  if (khz == 0 || khz > most_khz)
    csv.fail(fmt::format("the frequency of {} kHz is not between 1 and {}", khz, most_khz));
  return khz;
}

double read_positive(const CsvReader& csv, std::string_view column, std::string_view what) {
  const double value = csv.number(column, what);
  if (value <= 1 / most_figure || value > most_figure)
    csv.fail(fmt::format("the {} of {} is not between 1e-15 and 1e15", column, value));
  return value;
}

model::Placement read_placement(const CsvReader& csv) {
  if (!csv.has("placement") || csv.field("placement") == "linear")
    return model::Placement::linear;
  if (csv.field("placement") == "interleaved")
    return model::Placement::interleaved;
  csv.fail(fmt::format("'{}' is not a placement", csv.field("placement")), "linear or interleaved");
}

std::vector<Row> read_rows(CsvReader& csv) {
  std::vector<Row> rows;
  while (csv.next()) {
    const std::size_t cores = read_cores(csv, 1);
    const std::size_t khz = read_khz(csv);
    const model::Placement placement = read_placement(csv);
    const Rate throughput{read_positive(csv, "throughput", "a throughput in items per second")};
    const Watts power{read_positive(csv, "power_w", "a power in watts")};
    rows.push_back({cores, khz, placement, {throughput, power}, csv.line()});
  }
  if (rows.empty())
    csv.fail("there is no measurement");
  return rows;
}

/// Fastest first.
std::vector<std::size_t> frequencies_of(const std::vector<Row>& rows) {
  std::set<std::size_t, std::greater<>> all;
  for (const Row& row : rows)
    all.insert(row.khz);
  return {all.begin(), all.end()};
}

std::size_t most_cores_of(const Voltages& voltages) {
  return voltages.empty() ? 0 : voltages.rbegin()->first.first;
}

steer::VoltageTable voltage_table(const Voltages& voltages, std::size_t cores,
                                  const std::vector<std::size_t>& frequencies,
                                  const std::string& file) {
  steer::VoltageTable table(cores + 1);
  for (std::size_t active = 0; active <= cores; ++active)
    for (const std::size_t khz : frequencies) {
      const auto found = voltages.find({active, khz});
      if (found == voltages.end())
        throw Error(
            ErrorKind::config,
            fmt::format("{}: the table of voltages has none for {} active cores of a socket "
                        "at {} kHz",
                        file, active, khz),
            "a table of voltages of the same machine");
      table[active].push_back(found->second);
    }
  return table;
}

struct Sockets {
  std::size_t count;
  std::size_t cores_of_each;
};

/// A program need not have been measured on all cores: where voltages tell how many a socket has,
/// sockets are whole.
Sockets sockets_of(std::size_t cores, const TableMachine& machine, const std::string& file) {
  if (!machine.sockets && machine.voltages && most_cores_of(*machine.voltages) > 0) {
    const std::size_t of_each = most_cores_of(*machine.voltages);
    return {(cores + of_each - 1) / of_each, of_each};
  }
  const std::size_t count = machine.sockets.value_or(assumed_sockets(cores));
  if (count == 0 || cores % count != 0)
    throw Error(ErrorKind::config,
                fmt::format("{}: {} cores are not {} equal sockets", file, cores, count),
                "--sockets N");
  return {count, cores / count};
}

steer::NodeShape shape_of(const std::vector<Row>& rows, const std::string& file,
                          const TableMachine& machine) {
  const std::size_t cores = std::ranges::max_element(rows, {}, &Row::cores)->cores;
  const Sockets sockets = sockets_of(cores, machine, file);
  const auto frequencies = frequencies_of(rows);
  std::vector<Hertz> hertz;
  for (const std::size_t khz : frequencies)
    hertz.emplace_back(static_cast<double>(khz) * 1e3);
  steer::NodeShape node{sockets.count, sockets.cores_of_each, model::GearTable(hertz)};
  if (machine.voltages)
    node.voltage = voltage_table(*machine.voltages, node.cores_per_socket, frequencies, file);
  return node;
}

} // namespace

bool is_voltage_table(std::string_view text) {
  return text.substr(0, text.find('\n')).find("voltage_v") != std::string_view::npos;
}

Voltages parse_voltages(std::string_view text, const std::string& file) {
  CsvReader csv(text, file,
                {.needed = {"cores", "frequency_khz", "voltage_v"},
                 .example = "cores,frequency_khz,voltage_v"});
  Voltages voltages;
  while (csv.next()) {
    const std::pair key(read_cores(csv, 0), read_khz(csv));
    if (!voltages.emplace(key, read_positive(csv, "voltage_v", "a voltage in volts")).second)
      csv.fail("these cores and this frequency were there before");
  }
  if (voltages.empty())
    csv.fail("there is no voltage");
  return voltages;
}

std::size_t assumed_sockets(std::size_t cores) {
  constexpr std::size_t large = 8;
  return cores >= large && cores % 2 == 0 ? 2 : 1;
}

steer::Table parse_steer_table(std::string_view text, const std::string& file,
                               const TableMachine& machine) {
  CsvReader csv(text, file,
                {.needed = {"cores", "frequency_khz", "throughput", "power_w"},
                 .optional = {"placement"},
                 .example = "cores,frequency_khz,throughput,power_w"});
  const auto rows = read_rows(csv);
  const auto frequencies = frequencies_of(rows);
  steer::Table table{.name = std::filesystem::path(file).stem(),
                     .space = {shape_of(rows, file, machine), {}},
                     .performance = {}};
  std::set<Key> seen;
  for (const Row& row : rows) {
    if (!seen.emplace(row.cores, row.khz, row.placement).second)
      throw Error(ErrorKind::config,
                  fmt::format("{}:{}: this configuration was there before", file, row.line),
                  "one row per configuration");
    const auto gear = std::ranges::find(frequencies, row.khz) - frequencies.begin();
    table.space.configurations.push_back(
        {row.cores, static_cast<model::Gear>(gear), row.placement});
    table.performance.push_back(row.performance);
  }
  return table;
}

std::size_t missing_rows(const steer::Table& table) {
  std::set<model::Placement> placements;
  std::set<Key> given;
  for (const auto& one : table.space.configurations) {
    placements.insert(one.placement);
    given.emplace(one.cores, one.gear, one.placement);
  }
  std::size_t missing = 0;
  for (const auto& one : steer::all_configurations(table.space.node).configurations)
    if (placements.contains(one.placement) && !given.contains({one.cores, one.gear, one.placement}))
      ++missing;
  return missing;
}

} // namespace hypermile::io
