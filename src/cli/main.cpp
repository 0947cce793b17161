#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"

#include <CLI/CLI.hpp>

#include <exception>
#include <memory>

namespace {

using hypermile::ExitCode;

constexpr const char* main_footer =
    "First steps:\n"
#ifdef HYPERMILE_MPI
    R"(  Run an MPI job with less energy, or only see what could be saved:
    hypermile run -- mpirun -n 64 ./app
    hypermile run --dry-run -- mpirun -n 64 ./app

)"
#endif
    R"(  Hold a multithreaded program or server to a bound:
    hypermile steer --power 90W -- ./server
    hypermile steer --utilisation 0.9 -- ./server

  Choose gears for a problem given as JSON:
    hypermile select PROBLEM.json

  Explain what the time of a plan consists of:
    hypermile select PROBLEM.json --json > plan.json
    hypermile explain plan.json
)"
#ifdef HYPERMILE_SIMGRID
    R"(
  Run a program that was built with smpicc on 8 simulated nodes:
    hypermile simulate --platform table-3.1 -n 8 --report out -- ./app

  Make one HTML file of that run, with charts:
    hypermile report out

  Explain what limits that run, and which nodes could run slower:
    hypermile explain out
)"
#endif
    R"(
Exit code: 0 success, 1 failure, 2 wrong usage, 3 no plan keeps the bounds or a
limit is exceeded, 4 not permitted. If a program fails: the exit code of the
program. Results go to stdout, everything else to stderr.)";

/// The command above all others.
class Hypermile : public CLI::App {
public:
  using CLI::App::App;
  void only_check() { only_checks_ = true; }

private:
  bool only_checks_ = false;

  /// Called once all options have been read and checked, before any command does something.
  void pre_callback() override {
    if (only_checks_)
      throw CLI::Success();
  }
};

int run(int argc, char** argv) {
  Hypermile app{"hypermile reduces the energy of parallel programs and hardly slows them down",
                "hypermile"};
  app.formatter(
      std::make_shared<hypermile::cli::HelpFormatter>("hypermile COMMAND [OPTIONS]\n"
                                                      "       hypermile --check COMMAND [OPTIONS]\n"
                                                      "       hypermile COMMAND --help"));
  app.get_formatter()->label("Subcommands", "Commands");
  app.set_help_flag("-h,--help", "Print this and exit");
  app.set_version_flag("--version", "hypermile " HYPERMILE_VERSION, "Print the version and exit");
  app.add_flag_callback(
      "--check", [&app] { app.only_check(); },
      "Check what follows, COMMAND and its options, and run nothing");
  app.footer(main_footer);
  app.require_subcommand(1);
  int exit_code = 0;
#ifdef HYPERMILE_MPI
  hypermile::cli::add_run_command(app, exit_code);
#endif
  hypermile::cli::add_select_command(app, exit_code);
#ifdef HYPERMILE_SIMGRID
  hypermile::cli::add_simulate_command(app, exit_code);
  hypermile::cli::add_record_command(app, exit_code);
  hypermile::cli::add_fit_command(app, exit_code);
  hypermile::cli::add_sweep_command(app, exit_code);
  hypermile::cli::add_reproduce_command(app, exit_code);
#endif
  hypermile::cli::add_steer_command(app, exit_code);
#ifdef HYPERMILE_MPI
  hypermile::cli::add_collective_command(app, exit_code);
  hypermile::cli::add_bcast_command(app, exit_code);
#endif
  hypermile::cli::add_report_command(app, exit_code);
  hypermile::cli::add_compare_command(app, exit_code);
  hypermile::cli::add_explain_command(app, exit_code);
  hypermile::cli::add_plan_command(app, exit_code);
  hypermile::cli::add_jobs_command(app, exit_code);
#ifdef HYPERMILE_MPI
  hypermile::cli::add_slurm_command(app, exit_code);
#endif
  hypermile::cli::add_trace_command(app, exit_code);
  hypermile::cli::add_platform_command(app, exit_code);
  hypermile::cli::add_doctor_command(app, exit_code);
  hypermile::cli::add_calibrate_command(app, exit_code);
  hypermile::cli::add_restore_command(app, exit_code);
  hypermile::cli::add_manual_command(app, exit_code);
  hypermile::cli::add_completion_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) { // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return hypermile::cli::report_usage_error(app, error);
  }
  return exit_code;
}

} // namespace

int main(int argc, char** argv) {
  try {
    hypermile::cli::occupy_standard_streams();
    return run(argc, argv);
  } catch (const std::exception& error) {
    hypermile::cli::print_error(error.what());
    return static_cast<int>(ExitCode::failure);
  }
}
