#include "cli/steer_tables.hpp"

#include "cli/checks.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/read_option.hpp"

#include "io/text_file.hpp"
#include "units/error.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace hypermile::cli {
namespace {

constexpr std::size_t most_sockets = 64;

io::TableMachine machine_of(const std::vector<std::string>& files, const TableOptions& options) {
  io::TableMachine machine{.sockets = options.sockets};
  std::string of_voltages = options.voltage_file;
  for (const std::string& file : files)
    if (of_voltages.empty() && io::is_voltage_table(io::read_text_file(file)))
      of_voltages = file;
  if (!of_voltages.empty())
    machine.voltages = io::parse_voltages(io::read_text_file(of_voltages), of_voltages);
  return machine;
}

void remark_on(const steer::Table& table, const std::string& file,
               const io::TableMachine& machine) {
  const steer::NodeShape& node = table.space.node;
  if (!machine.sockets && !machine.voltages)
    print_remark(fmt::format("{}: {} socket{} of {} cores assumed; --sockets or --voltage tells",
                             file, node.sockets, node.sockets == 1 ? "" : "s",
                             node.cores_per_socket));
  if (const std::size_t missing = io::missing_rows(table); missing > 0)
    print_remark(fmt::format("{}: {} of {} configurations were not measured and cannot be chosen",
                             file, missing, table.space.size() + missing));
}

} // namespace

void add_table_options(CLI::App& command, TableOptions& options) {
  command
      .add_option("--voltage", options.voltage_file,
                  "Core voltages: CSV with cores (active ones of a socket), frequency_khz, "
                  "voltage_v. Default: voltage falls with frequency, by assumption")
      ->type_name("FILE")
      ->check(not_empty());
  command
      .add_option("--sockets", options.sockets,
                  "Sockets of the machine. Default: as --voltage tells, else 2 where there are 8 "
                  "cores or more")
      ->type_name("N")
      ->check(whole_number(1, most_sockets));
}

double read_noise(const std::string& text) {
  const double noise = parse_ratio(text);
  if (noise < 0 || noise > 0.5)
    throw Error(ErrorKind::config, fmt::format("a noise of '{}' is not between 0 and 50%", text));
  return noise;
}

std::vector<steer::Table> load_tables(const std::vector<std::string>& files,
                                      const TableOptions& options) {
  const io::TableMachine machine = machine_of(files, options);
  std::vector<steer::Table> tables;
  for (const std::string& file : files) {
    const std::string text = io::read_text_file(file);
    if (io::is_voltage_table(text))
      continue;
    tables.push_back(io::parse_steer_table(text, file, machine));
    remark_on(tables.back(), file, machine);
  }
  if (tables.empty())
    throw Error(ErrorKind::config, "there is no table of measurements among these files",
                "CSV with the columns cores, frequency_khz, throughput, power_w");
  return tables;
}

std::vector<std::string> bundled_tables() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(data_folder() + "/parsec"))
    if (entry.path().extension() == ".csv")
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

} // namespace hypermile::cli
