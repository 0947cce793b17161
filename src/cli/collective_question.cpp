#include "cli/collective.hpp"

#include "cli/checks.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/read_option.hpp"

#include "io/text_file.hpp"
#include "tune/answer.hpp"
#include "tune/calibration_json.hpp"
#include "tune/mpi_library.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

namespace hypermile::cli {
namespace {

constexpr std::size_t most_processes = 1U << 24U;

constexpr const char* estimate_footer =
    R"(
Examples:
  What 2000 {plural} of 1 MB would cost:
    {command} estimate cal.json --size 1MB --messages 2000

  The same on 14 nodes with 8 processes each, and a switch of 150 W:
    {command} estimate cal.json --size 1MB \
      --nodes 14 --procs-per-node 8 --switches 1 --switch-power 150W

Exit code:
  0             estimated
  1             the file is not a calibration, or has nothing to estimate from
  2             wrong usage

docs/collectives.md describes the model and the keys of --json.)";

constexpr const char* choose_footer =
    R"(A choice is made where it is right with a probability of 95 % (--confidence),
as the passes of the calibration tell; else it is "undecided", with the
reason. That may be because several are about equally good: 'apply' takes the
least of them if it surely costs less than what the library takes by itself.

Examples:
  The least energy for each size that was calibrated:
    {command} choose cal.json

  The least energy among those that take at most 5 % longer than the fastest:
    {command} choose cal.json --within 5%

Exit code:
  0             answered, also where all is undecided
  1             the file is not a calibration, or knows no power
  2             wrong usage

docs/collectives.md describes the model and the keys of --json.)";

std::vector<std::size_t> read_sizes(const std::string& text) {
  std::vector<std::size_t> sizes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    sizes.push_back(collective::parse_size(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return sizes;
}

double read_confidence(const std::string& text) {
  const double value = parse_ratio(text);
  if (!(value >= 0 && value < 1))
    throw Error(ErrorKind::config, fmt::format("'{}' is not from 0 to below 100 %", text));
  return value;
}

/// The one number that a calibration has.
std::size_t only(const collective::Calibration& calibration,
                 std::size_t collective::Measured::*member, const char* option, const char* what) {
  std::set<std::size_t> values;
  for (const auto& measured : calibration.measured)
    values.insert(measured.*member);
  if (values.size() > 1)
    throw Error(ErrorKind::config, fmt::format("the calibration has several {}", what),
                fmt::format("{} N, such as {}", option, fmt::join(values, ", ")));
  return *values.begin();
}

collective::Formulas formulas_of(const CollectiveQuestion& question) {
  return question.paper ? collective::Formulas::paper : collective::Formulas::ours;
}

void estimate(const CollectiveQuestion& question, const CollectiveCommand& of) {
  const auto calibration = load_calibration(question.file, of.collective);
  const auto all = tune::answers(calibration, collective::Model(calibration, formulas_of(question)),
                                 resolve(question, calibration), question.sizes_b, std::nullopt);
  print_result(question.json ? tune::answers_json(calibration, all)
                             : tune::print_estimates(calibration, all));
}

void choose(const CollectiveQuestion& question, const CollectiveAim& aim,
            const CollectiveCommand& of) {
  const auto calibration = load_calibration(question.file, of.collective);
  const auto sizes_b = question.sizes_b.empty() ? sizes_of(calibration) : question.sizes_b;
  const auto all = tune::answers(calibration, collective::Model(calibration, formulas_of(question)),
                                 resolve(question, calibration), sizes_b, aim_of(aim));
  print_result(question.json ? tune::answers_json(calibration, all)
                             : tune::print_choices(calibration, all));
}

CLI::Option* add_count(CLI::App& command, const std::string& name, std::size_t& value,
                       const std::string& help) {
  return command.add_option(name, value, help)
      ->type_name("N")
      ->check(whole_number(1, most_processes));
}

} // namespace

void add_mpi_option(CLI::App& command, std::string& mpi) {
  command
      .add_option("--mpi", mpi,
                  "Which MPI it is: openmpi or mpich. Default: what the launcher says")
      ->type_name("NAME")
      ->check(one_of({"openmpi", "mpich"}));
}

tune::Launch launch_of(const std::string& mpi, const std::vector<std::string>& launcher) {
  const auto library = mpi.empty() ? tune::library_of(launcher) : *collective::library_named(mpi);
  return {.library = library, .launcher = launcher, .program_folder = program_folder()};
}

void add_question_options(CLI::App& command, const CollectiveCommand& of,
                          CollectiveQuestion& question) {
  command.add_option("FILE", question.file, "The calibration")->required()->check(not_empty());
  add_read_option(
      command, "--size", "SIZE,...", "Sizes of the message, such as 1MB or 64KiB", read_sizes,
      [&question](std::vector<std::size_t> sizes) { question.sizes_b = std::move(sizes); });
  add_count(command, "--messages", question.messages, "How many are sent. Default: 1");
  add_count(command, "--nodes", question.nodes, "Number of nodes. Default: as calibrated");
  add_count(command, "--procs-per-node", question.processes_per_node,
            "Processes on each. Default: as calibrated");
  auto* const switches =
      add_count(command, "--switches", question.switches, "Number of switches. Default: 0");
  auto* const power = add_read_option(
      command, "--switch-power", "POWER", "What each of them draws, such as 150W", parse_watts,
      [&question](Watts watts) { question.switch_power = not_negative(watts, "--switch-power"); });
  switches->needs(power);
  power->needs(switches);
  if (of.collective->by_program) // of broadcasts
    command.add_flag("--paper", question.paper,
                     "Use the formulas of the paper of 2013, for the algorithms that it has");
  command.add_flag("--json", question.json, "Print JSON, hypermile/collective-estimate/1");
}

void add_aim_options(CLI::App& command, CollectiveAim& aim) {
  command.add_option("--least", aim.least, "What is to be least: energy or time. Default: energy")
      ->type_name("WHAT")
      ->check(one_of({"energy", "time"}));
  add_read_option(command, "--within", "SLOWDOWN",
                  "With --least energy: at most so much longer than the fastest, such as 5%",
                  parse_slowdown, [&aim](double slowdown) { aim.within = slowdown; });
  add_read_option(command, "--confidence", "PROBABILITY",
                  "How sure a choice must be to be taken, from 0 to 99.99%. Default: 95%",
                  read_confidence, [&aim](double confidence) { aim.confidence = confidence; });
}

collective::Aim aim_of(const CollectiveAim& aim) {
  if (aim.least == "time" && aim.within)
    throw Error(ErrorKind::config, "--within bounds the time, which is to be least itself",
                "--least energy");
  return {.least =
              aim.least == "time" ? collective::Aim::Least::time : collective::Aim::Least::energy,
          .slowdown = aim.within,
          .confidence = aim.confidence};
}

collective::Calibration load_calibration(const std::string& file,
                                         const collective::Collective* collective) {
  auto calibration = tune::parse_calibration(io::read_text_file(file), file);
  const std::string& its = calibration.conditions.collective;
  if (collective != nullptr && its != collective->name)
    throw Error(ErrorKind::config,
                fmt::format("{} is a calibration of {}, not of {}", file, its, collective->name),
                fmt::format("hypermile collective {}", its));
  return calibration;
}

collective::Question resolve(const CollectiveQuestion& question,
                             const collective::Calibration& calibration) {
  const auto or_only = [&](std::size_t given, std::size_t collective::Measured::*member,
                           const char* option, const char* what) {
    return given > 0 ? given : only(calibration, member, option, what);
  };
  return {.nodes =
              or_only(question.nodes, &collective::Measured::nodes, "--nodes", "numbers of nodes"),
          .processes_per_node =
              or_only(question.processes_per_node, &collective::Measured::processes_per_node,
                      "--procs-per-node", "numbers of processes per node"),
          .messages = question.messages,
          .switches = question.switches,
          .switch_power = question.switch_power};
}

std::vector<std::size_t> sizes_of(const collective::Calibration& calibration) {
  std::set<std::size_t> sizes;
  for (const auto& measured : calibration.measured)
    for (const auto& cell : measured.cells)
      sizes.insert(cell.size_b);
  return {sizes.begin(), sizes.end()};
}

void add_collective_estimate_command(CLI::App& parent, const CollectiveCommand& of,
                                     int& exit_code) {
  auto* command = parent.add_subcommand(
      "estimate",
      with_names("Say what {plural} cost with each algorithm, without running them", of));
  command->formatter(
      std::make_shared<HelpFormatter>(of.name + " estimate FILE --size SIZE,... [OPTIONS]"));
  command->footer(with_names(estimate_footer, of));
  const auto question = std::make_shared<CollectiveQuestion>();
  add_question_options(*command, of, *question);
  command->get_option("--size")->required();
  command->callback([question, of, &exit_code] {
    estimate(*question, of);
    exit_code = static_cast<int>(ExitCode::success);
  });
}

void add_collective_choose_command(CLI::App& parent, const CollectiveCommand& of, int& exit_code) {
  auto* command =
      parent.add_subcommand("choose", "Say which algorithm costs least, and how sure that is");
  command->formatter(std::make_shared<HelpFormatter>(of.name + " choose FILE [OPTIONS]"));
  command->footer(with_names(choose_footer, of));
  const auto question = std::make_shared<CollectiveQuestion>();
  const auto aim = std::make_shared<CollectiveAim>();
  add_question_options(*command, of, *question);
  add_aim_options(*command, *aim);
  command->callback([question, aim, of, &exit_code] {
    choose(*question, *aim, of);
    exit_code = static_cast<int>(ExitCode::success);
  });
}

} // namespace hypermile::cli
