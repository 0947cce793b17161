#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/platform_file.hpp"
#include "cli/reproduce_d13.hpp"
#include "cli/reproduce_m16.hpp"
#include "cli/reproduce_multisplitting.hpp"
#include "cli/reproduce_options.hpp"
#include "cli/simulate_cells.hpp"
#include "cli/simulate_options.hpp"

#include "io/platform_yaml.hpp"
#include "io/published_yaml.hpp"
#include "io/text_file.hpp"
#include "report/reproduction.hpp"
#include "simulate/process.hpp"
#include "simulate/workspace.hpp"
#include "study/multisplitting.hpp"
#include "units/words.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;
using study::Commands;
using study::Comparison;
using study::PublishedTable;

PublishedTable read_table(const std::string& name) {
  const std::string file = fs::path(reproduction_folder()) / (name + ".yaml");
  PublishedTable table = io::parse_published(io::read_text_file(file), file);
  for (const auto& method : table.methods)
    if (const std::string wrong = check_simulated_method(method.method); !wrong.empty())
      throw Error(ErrorKind::config, fmt::format("{}: {}", file, wrong));
  (void)io::find_platform(table.platform, platform_folder());
  return table;
}

/// Those that were asked for, each once; all where none was.
std::vector<PublishedTable> read_tables(const std::vector<std::string>& asked) {
  const bool all = asked.empty() || std::ranges::find(asked, "all") != asked.end();
  std::vector<PublishedTable> tables;
  for (const std::string& name : all ? io::published_tables(reproduction_folder()) : asked)
    if (std::ranges::find(tables, name, &PublishedTable::name) == tables.end())
      tables.push_back(read_table(name));
  return tables;
}

/// Our own program of that name, or what stands for it; empty: there is none. All iterations of BT
/// are alike, and a quarter of them is enough to compare.
std::vector<std::string> own_command(std::string name) {
  for (char& c : name)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool stands_for = name == "bt";
  const fs::path file = fs::path(example_folder()) / (stands_for ? "multipartition" : name);
  if (!fs::is_regular_file(file))
    return {};
  std::vector<std::string> command{file.string(), "--class", "{class}"};
  if (stands_for)
    command.insert(command.end(), {"--iterations", "50"});
  return command;
}

/// For the programs of the table; a file of the user's is looked for where we are.
Commands commands_for(const PublishedTable& table, const std::vector<std::string>& given) {
  Commands commands;
  for (const auto& program : table.programs)
    if (auto command = own_command(program.name); !command.empty())
      commands[program.name] = std::move(command);
  for (const std::string& text : given) {
    const auto equals = text.find('=');
    commands[text.substr(0, equals)] = split_words(text.substr(equals + 1));
  }
  return commands;
}

/// A program that no table has is a slip of the pen.
void check_programs(const std::vector<PublishedTable>& tables,
                    const std::vector<std::string>& given) {
  for (const std::string& text : given) {
    const std::string name = text.substr(0, text.find('='));
    if (std::ranges::none_of(tables, [&](const PublishedTable& table) {
          const auto& programs = table.programs;
          return std::ranges::find(programs, name, &study::PublishedProgram::name) !=
                 programs.end();
        }))
      throw CLI::ValidationError("--program", fmt::format("no table has a program {}", name));
  }
}

/// For --gears: all nodes one gear slower than gear 0, two gears, and so on; a node that has no
/// slower one stays in its slowest.
study::Option all_gears(const model::Platform& platform) {
  study::Option option{.name = "gears", .values = {}};
  std::size_t most = 0;
  for (const auto& [type, count] : platform.groups)
    most = std::max(most, type.gears.size());
  for (std::size_t gear = 1; gear < most; ++gear) {
    std::string word;
    for (const auto& [type, count] : platform.groups)
      word += fmt::format("{}{}={}", word.empty() ? "" : ",", type.name,
                          std::min(gear, type.gears.size() - 1));
    option.values.push_back(word);
  }
  return option;
}

/// Options of all cells, besides those of the table.
std::vector<study::Option> shared_options(const PublishedTable& table,
                                          const ReproduceOptions& options) {
  std::vector<study::Option> shared;
  if (!options.reference_speed.empty())
    shared.push_back({.name = "reference-speed", .values = {options.reference_speed}});
  if (table.checks_predictions())
    shared.push_back(all_gears(load_named_platform(table.platform)));
  return shared;
}

/// Throws simulate::Interrupted.
Comparison reproduce(const PublishedTable& table, const ReproduceOptions& options) {
  const Commands commands = commands_for(table, options.programs);
  const std::string here = fs::current_path();
  const auto places = sweep::places_of(
      study::cells_of(table, options.class_name, commands, shared_options(table, options)),
      {.version = HYPERMILE_VERSION, .study_folder = here, .platform_folder = platform_folder()});
  if (places.empty())
    throw Error(ErrorKind::unsupported,
                fmt::format("none of the programs of {} is in {}", table.name, example_folder()),
                "make in a clone of hypermile, or --program NAME=COMMAND");
  const auto outcomes = simulate_cells(places, {.study_folder = here,
                                                .results = fs::absolute(options.results),
                                                .lock = sweep::FileLock::Kind::alone,
                                                .jobs = options.jobs,
                                                .retry_failed = options.retry_failed,
                                                .quiet = options.quiet});
  return study::compare(table, options.class_name, commands, outcomes);
}

void write_page(const Comparison& comparison, const ReproduceOptions& options) {
  const std::string& name = comparison.table.name;
  const fs::path folder = options.pages;
  simulate::make_folder(options.pages);
  std::string command = fmt::format("hypermile reproduce {} --class {}", name, options.class_name);
  if (!options.reference_speed.empty())
    command += fmt::format(" --reference-speed {}", options.reference_speed);
  io::write_text_file(folder / (name + ".md"),
                      report::reproduction_page(comparison, command, name + ".svg"));
  if (comparison.compared() > 0)
    io::write_text_file(folder / (name + ".svg"), report::reproduction_plot(comparison));
}

bool is_complete(const Comparison& comparison) {
  return std::ranges::all_of(comparison.programs, [](const study::ComparedProgram& program) {
    return !program.at_hand || program.status == study::Outcome::Status::done;
  });
}

int show(const std::vector<Comparison>& comparisons, const ReproduceOptions& options) {
  std::string text;
  for (const Comparison& comparison : comparisons)
    text += (text.empty() ? "" : "\n") + report::print_reproduction(comparison);
  print_result(options.json ? report::reproduction_json(comparisons) : text);
  const bool complete = std::ranges::all_of(comparisons, is_complete);
  return static_cast<int>(complete ? ExitCode::success : ExitCode::failure);
}

int list_tables(const std::vector<PublishedTable>& published, bool json) {
  std::vector<report::ListedTable> tables;
  for (const PublishedTable& table : published)
    tables.push_back({.name = table.name,
                      .title = table.title,
                      .source = table.source,
                      .class_name = table.class_name,
                      .platform = table.platform});
  for (const auto& table : study::multisplitting_tables())
    tables.push_back(
        {.name = table.name, .title = table.title, .source = table.source, .among_all = false});
  tables.push_back({.name = m16_tables,
                    .title = "Energies of programs that are models in Lua, fitted and predicted",
                    .source = "[M16] Tables III and IV",
                    .among_all = false});
  tables.push_back({.name = d13_tables,
                    .title = "Energy of broadcasts of four applications, estimated and simulated",
                    .source = "[D13]",
                    .among_all = false});
  print_result(json ? report::tables_json(tables) : report::print_tables(tables));
  return static_cast<int>(ExitCode::success);
}

int run_d13(const ReproduceOptions& options) {
  try {
    return reproduce_d13({.applications = options.applications,
                          .smpi_factors = options.smpi_factors,
                          .results = fs::absolute(options.results),
                          .jobs = options.jobs,
                          .json = options.json,
                          .quiet = options.quiet});
  } catch (const simulate::Interrupted& interrupted) {
    print_remark("interrupted; every simulation is stopped. What is finished is kept: the same "
                 "command goes on");
    return 128 + interrupted.signal;
  }
}

int run_multisplitting(const ReproduceOptions& options) {
  if (!std::ranges::all_of(options.tables, is_of_multisplitting))
    throw CLI::ValidationError(
        "TABLE", fmt::format("{} have a program of their own; try: without other tables",
                             fmt::join(multisplitting_table_names(), ", ")));
  if (!options.programs.empty())
    throw CLI::ValidationError("--program", "is not for tables that have a program of their own");
  try {
    return reproduce_multisplitting(options);
  } catch (const simulate::Interrupted& interrupted) {
    return tell_interruption(interrupted.signal);
  }
}

int run(const ReproduceOptions& options) {
  for (const char* const alone : {m16_tables, d13_tables})
    if (!options.pages.empty() && options.tables == std::vector<std::string>{alone})
      throw CLI::ValidationError("--pages", fmt::format("makes no page of {}", alone));
  if (options.tables == std::vector<std::string>{d13_tables})
    return run_d13(options);
  if (!options.applications.empty() || options.smpi_factors)
    throw CLI::ValidationError(options.smpi_factors ? "--smpi-factors" : "--application",
                               "is of d13 alone");
  if (options.tables == std::vector<std::string>{m16_tables})
    return reproduce_m16(options.json, options.quiet);
  for (const char* const alone : {m16_tables, d13_tables})
    if (std::ranges::find(options.tables, alone) != options.tables.end())
      throw CLI::ValidationError(alone, "is made alone, since it has no programs; try: without "
                                        "other tables");
  if (std::ranges::any_of(options.tables, is_of_multisplitting))
    return run_multisplitting(options);
  const auto tables = read_tables(options.tables);
  if (options.tables.empty())
    return list_tables(tables, options.json);
  check_programs(tables, options.programs);
  std::vector<Comparison> comparisons;
  try {
    for (const PublishedTable& table : tables) {
      if (!options.quiet && tables.size() > 1)
        print_remark(fmt::format("{}: {}", table.name, table.title));
      comparisons.push_back(reproduce(table, options));
      if (!options.pages.empty())
        write_page(comparisons.back(), options);
    }
  } catch (const simulate::Interrupted& interrupted) {
    return tell_interruption(interrupted.signal);
  }
  return show(comparisons, options);
}

} // namespace

void add_reproduce_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "reproduce", "Simulate the tables of the literature again, and compare with them");
  command->group("Commands");
  const auto options = std::make_shared<ReproduceOptions>();
  add_reproduce_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace hypermile::cli
