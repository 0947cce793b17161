#include "cli/bcast.hpp"
#include "cli/checks.hpp"
#include "cli/collective_rules.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"

#include "io/text_file.hpp"
#include "tune/mpich_tree.hpp"
#include "tune/openmpi_rules.hpp"
#include "tune/verify.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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
sizes and numbers, and where nothing is decided, the library chooses as it
does without the file.

Examples:
  Rules for Open MPI by the least energy:
    hypermile bcast apply cal.json -o rules.conf

  A selection tree for MPICH by the least time:
    hypermile bcast apply cal.json --mpi mpich --least time -o tree.json

Exit code:
  0             written
  1             the file is not a calibration, is of another library, or knows
                no power
  2             wrong usage)";

constexpr const char* verify_footer =
    R"(Checks a file of rules, and proves on the running library that each size gets
the algorithm that the file intends: both libraries ignore files that they
cannot read, or crash. Looked at are the sizes just before and at each change,
in communicators of all numbers of processes at which the rules change, as far
as the launcher has processes.

Examples:
    hypermile bcast verify rules.conf -- mpirun -n 4

Exit code:
  0             every size gets the intended algorithm
  1             it does not, or the file would not be taken as it looks
  2             wrong usage)";

struct ApplyOptions {
  std::string file{};
  BcastAim aim{};
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

std::string told(const ApplyOptions& options, Library library,
                 const std::vector<tune::Chosen>& chosen) {
  const bool decided = std::ranges::any_of(chosen, [](const auto& one) {
    return std::ranges::any_of(one.from, [](const auto& from) { return from.variant.has_value(); });
  });
  return fmt::format("{}\n{}To use {}:\n  mpirun {} ...\nor:\n  hypermile run --collectives {} -- "
                     "mpirun ...\nTo prove that it works:\n  hypermile bcast verify {} -- "
                     "mpirun -n {}\n",
                     tune::print_chosen(chosen),
                     decided ? "" : "Nothing is decided: the file changes nothing.\n",
                     options.output, tune::options_of_file(library, fs::absolute(options.output)),
                     options.output, options.output, chosen.back().processes);
}

void apply(const ApplyOptions& options) {
  const auto calibration = load_calibration(options.file);
  const Library library = calibration.conditions.library;
  if (!options.mpi.empty() && options.mpi != collective::name_of(library))
    throw Error(ErrorKind::config,
                fmt::format("{} is a calibration of {}, whose algorithms {} does not have",
                            options.file, collective::name_of(library), options.mpi),
                fmt::format("hypermile bcast calibrate with the mpirun of {}", options.mpi));
  const auto& collective = collective::collective_named(calibration.conditions.collective);
  const auto chosen = tune::choose_all(calibration, aim_of(options.aim));
  const std::string text =
      library == Library::openmpi
          ? tune::openmpi_rules_text(collective, tune::openmpi_rules(collective, chosen))
          : tune::mpich_tree(collective, chosen, tune::mpich_own_tree(program_folder()));
  io::write_text_file(options.output, text);
  print_result(options.json ? tune::applied_json(library, fs::absolute(options.output), chosen)
                            : told(options, library, chosen));
}

int verify(const VerifyOptions& options) {
  const std::string text = rules_in(options.file);
  tune::Launch launch = launch_of(options.mpi, options.launcher);
  (void)intended_by(text, options.file, launch.library, 2); // before the job starts
  launch.environment = tune::settings_of_file(launch.library, fs::absolute(options.file));
  const auto expected =
      intended_by(text, options.file, launch.library, tune::greet(launch).processes);
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

void add_bcast_apply_command(CLI::App& bcast, int& exit_code) {
  auto* command =
      bcast.add_subcommand("apply", "Write what was chosen as rules for the MPI library");
  command->formatter(
      std::make_shared<HelpFormatter>("hypermile bcast apply CALIBRATION [OPTIONS] -o FILE"));
  command->footer(apply_footer);
  const auto options = std::make_shared<ApplyOptions>();
  command->add_option("CALIBRATION", options->file, "The calibration")
      ->required()
      ->check(not_empty());
  add_aim_options(*command, options->aim);
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
  command->callback([options, &exit_code] {
    apply(*options);
    exit_code = static_cast<int>(ExitCode::success);
  });
}

void add_bcast_verify_command(CLI::App& bcast, int& exit_code) {
  auto* command =
      bcast.add_subcommand("verify", "Prove that the running MPI library does what rules intend");
  command->formatter(
      std::make_shared<HelpFormatter>("hypermile bcast verify FILE [OPTIONS] -- mpirun -n N"));
  command->footer(verify_footer);
  const auto options = std::make_shared<VerifyOptions>();
  command->add_option("FILE", options->file, "The rules")->required()->check(not_empty());
  add_mpi_option(*command, options->mpi);
  command->add_flag("--json", options->json, "Print JSON, hypermile/collective-verification/1");
  command->add_option("COMMAND", options->launcher, "mpirun and its options, after --")
      ->required()
      ->check(not_empty());
  command->callback([options, &exit_code] { exit_code = verify(*options); });
}

} // namespace hypermile::cli
