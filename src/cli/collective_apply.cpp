#include "cli/checks.hpp"
#include "cli/collective.hpp"
#include "cli/collective_rules.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"

#include "io/text_file.hpp"
#include "tune/conditions.hpp"
#include "tune/mpich_tree.hpp"
#include "tune/openmpi_rules.hpp"
#include "tune/verify.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace hypermile::cli {
namespace {

namespace fs = std::filesystem;
using collective::Library;

constexpr const char* apply_footer =
    R"(Writes a file of rules for all sizes and numbers of processes that were
calibrated, and prints the options of mpirun that put it in force. For other
sizes and numbers the library chooses as it does without the file; where
nothing is decided, too, unless the least so far surely beats what it chooses.
Calibrations of several collectives of one machine and library make one file:
  hypermile collective apply A.json B.json -o FILE

Examples:
  Rules for Open MPI by the least energy:
    {command} apply cal.json -o rules.conf

  A selection tree for MPICH by the least time:
    {command} apply cal.json --mpi mpich --least time \
      -o tree.json

Exit code:
  0             written
  1             a file is not a calibration, is of another library or
                collective, or knows no power
  2             wrong usage)";

constexpr const char* verify_footer =
    R"(Checks a file of rules, and proves on the running library that each size gets
the algorithm that the file intends: both libraries ignore files that they
cannot read, or crash. Looked at are the sizes just before and at each change,
in communicators of all numbers of processes at which the rules change, as far
as the launcher has processes.

Examples:
    {command} verify rules.conf -- mpirun -n 4

Exit code:
  0             every size gets the intended algorithm
  1             it does not, or the file would not be taken as it looks
  2             wrong usage)";

struct ApplyOptions {
  std::vector<std::string> files{};
  CollectiveAim aim{};
  bool all_commute = false;
  std::string mpi{};
  std::string output{};
  bool json = false;
};

struct VerifyOptions {
  std::string file{};
  std::string mpi{};
  bool json = false;
  std::vector<std::string> launcher{};
};

/// Of every collective, once, and made under conditions that allow for one file of rules.
std::vector<collective::Calibration> load_all(const ApplyOptions& options,
                                              const CollectiveCommand& of) {
  std::vector<collective::Calibration> all;
  for (const std::string& file : options.files) {
    all.push_back(load_calibration(file, of.collective));
    const auto& conditions = all.back().conditions;
    const auto library = collective::name_of(conditions.library);
    if (!options.mpi.empty() && options.mpi != library)
      throw Error(ErrorKind::config,
                  fmt::format("{} is a calibration of {}, whose algorithms {} does not have", file,
                              library, options.mpi),
                  fmt::format("calibrate with the mpirun of {}", options.mpi));
    tune::check_same_library(all.front().conditions, conditions);
    if (std::ranges::any_of(all.begin(), all.end() - 1, [&](const auto& earlier) {
          return earlier.conditions.collective == conditions.collective;
        }))
      throw Error(ErrorKind::config,
                  fmt::format("{} is a second calibration of {}", file, conditions.collective),
                  "one of each collective");
  }
  return all;
}

bool has_commutative(const collective::Collective& collective) {
  return std::ranges::any_of(collective.openmpi, &collective::Algorithm::commutative);
}

/// An algorithm that may not be used with every operation.
bool leaves_out(const collective::Calibration& calibration) {
  const auto& conditions = calibration.conditions;
  return conditions.library == Library::openmpi &&
         has_commutative(collective::collective_named(conditions.collective));
}

std::string told(const ApplyOptions& options, const tune::RulesFile& rules,
                 const std::vector<tune::Choices>& all, const std::string& command) {
  std::size_t most = 0;
  bool decided = false;
  for (const tune::Choices& choices : all)
    for (const tune::Chosen& chosen : choices.chosen) {
      most = std::max(most, chosen.processes);
      decided = decided || std::ranges::any_of(chosen.from, [](const auto& from) {
                  return from.variant.has_value();
                });
    }
  return fmt::format(
      "{}\n{}To use {}:\n  mpirun {} \\\n    ...\nor:\n  hypermile run --collectives {} -- "
      "mpirun ...\nTo prove that it works:\n  {} verify {} -- "
      "mpirun -n {}\n",
      tune::print_chosen(all), decided ? "" : "Nothing is decided: the file changes nothing.\n",
      options.output, fmt::join(tune::options_of_file(rules), " \\\n    "), options.output, command,
      options.output, most);
}

std::string rules_text(Library library, const std::vector<tune::Choices>& all) {
  if (library == Library::mpich)
    return tune::mpich_tree(all, tune::mpich_own_tree(program_folder()));
  std::vector<tune::OpenmpiRules> rules;
  for (const tune::Choices& choices : all)
    rules.push_back(tune::openmpi_rules(choices));
  return tune::openmpi_rules_text(rules);
}

void apply(const ApplyOptions& options, const CollectiveCommand& of) {
  const auto calibrations = load_all(options, of);
  tune::RulesFile rules{.library = calibrations.front().conditions.library,
                        .file = fs::absolute(options.output)};
  std::vector<tune::Choices> all;
  for (const auto& calibration : calibrations) {
    all.push_back(tune::choose_all(calibration, aim_of(options.aim), options.all_commute));
    rules.collectives.push_back(all.back().collective);
  }
  io::write_text_file(options.output, rules_text(rules.library, all));
  print_result(options.json ? tune::applied_json(rules, all) : told(options, rules, all, of.name));
  if (!options.all_commute && std::ranges::any_of(calibrations, leaves_out))
    print_remark("note: rings of allreduce are left out, which give wrong results with operations "
                 "that do not commute; --commutative lets them be chosen");
}

/// What the file intends for the collective, or for all.
std::vector<tune::Expected> intended(const VerifyOptions& options, const CollectiveCommand& of,
                                     const std::string& text, Library library, std::size_t most) {
  auto all = intended_by(text, options.file, library, most);
  if (of.collective != nullptr)
    std::erase_if(all, [&](const auto& one) { return one.collective != of.collective; });
  if (all.empty())
    throw Error(ErrorKind::config,
                fmt::format("{} has no rules for {}", options.file, of.collective->name),
                "'hypermile collective verify' for those that it has");
  return all;
}

int verify(const VerifyOptions& options, const CollectiveCommand& of) {
  const std::string text = rules_in(options.file);
  tune::Launch launch = launch_of(options.mpi, options.launcher);
  (void)intended(options, of, text, launch.library, 2); // before the job starts
  launch.environment = tune::settings_of_file(
      {.library = launch.library,
       .file = fs::absolute(options.file),
       .collectives = tune::collectives_of(intended_by(text, options.file, launch.library, 2))});
  const auto expected = intended(options, of, text, launch.library, tune::greet(launch).processes);
  const auto observed = tune::observe(launch, expected);
  print_result(options.json ? tune::observed_json(launch.library, observed)
                            : tune::print_observed(observed));
  const auto wrong =
      std::ranges::count_if(observed, [](const auto& o) { return !o.as_expected(); });
  const auto proven =
      std::ranges::count_if(observed, [](const auto& o) { return !o.expected.algorithm.empty(); });
  if (wrong > 0)
    print_error(fmt::format("{} of {} are not as {} intends", wrong, proven, options.file));
  else if (proven == 0)
    print_remark("note: the file intends nothing for so many processes, hence nothing is proven");
  return static_cast<int>(wrong > 0 ? ExitCode::failure : ExitCode::success);
}

} // namespace

void add_collective_apply_command(CLI::App& parent, const CollectiveCommand& of, int& exit_code) {
  auto* command =
      parent.add_subcommand("apply", "Write what was chosen as rules for the MPI library");
  command->formatter(std::make_shared<HelpFormatter>(fmt::format(
      "{} apply CALIBRATION{} [OPTIONS] -o FILE", of.name, of.collective == nullptr ? "..." : "")));
  command->footer(with_names(apply_footer, of));
  const auto options = std::make_shared<ApplyOptions>();
  auto* const files = command->add_option("CALIBRATION", options->files, "The calibration")
                          ->required()
                          ->check(not_empty());
  if (of.collective != nullptr)
    files->expected(1);
  add_aim_options(*command, options->aim);
  if (of.collective == nullptr || has_commutative(*of.collective))
    command->add_flag("--commutative", options->all_commute,
                      "All operations of reductions commute, as those of MPI do: rings of "
                      "allreduce may be chosen, which give wrong results with others");
  command
      ->add_option("--mpi", options->mpi,
                   "For openmpi or mpich. Default: that of the calibration; another is an error")
      ->type_name("NAME")
      ->check(one_of({"openmpi", "mpich"}));
  command->add_option("-o,--output", options->output, "Where the rules go")
      ->type_name("FILE")
      ->required()
      ->check(not_empty());
  command->add_flag("--json", options->json, "Print JSON, hypermile/collective-rules/1");
  command->callback([options, of, &exit_code] {
    apply(*options, of);
    exit_code = static_cast<int>(ExitCode::success);
  });
}

void add_collective_verify_command(CLI::App& parent, const CollectiveCommand& of, int& exit_code) {
  auto* command =
      parent.add_subcommand("verify", "Prove that the running MPI library does what rules intend");
  command->formatter(
      std::make_shared<HelpFormatter>(of.name + " verify FILE [OPTIONS] -- mpirun -n N"));
  command->footer(with_names(verify_footer, of));
  const auto options = std::make_shared<VerifyOptions>();
  command->add_option("FILE", options->file, "The rules")->required()->check(not_empty());
  add_mpi_option(*command, options->mpi);
  command->add_flag("--json", options->json, "Print JSON, hypermile/collective-verification/1");
  command->add_option("COMMAND", options->launcher, "mpirun and its options, after --")
      ->required()
      ->check(not_empty());
  command->callback([options, of, &exit_code] { exit_code = verify(*options, of); });
}

} // namespace hypermile::cli
