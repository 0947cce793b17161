#pragma once

#include "units/error.hpp"

namespace CLI {
class App;
}

namespace hypermile::cli {

// One per command: declares its options below `root` and, when the command line names it, runs
// it and leaves its exit code. Errors of the input leave as hypermile::Error.

void add_run_command(CLI::App& root, int& exit_code);
void add_bcast_command(CLI::App& root, int& exit_code);
void add_collective_command(CLI::App& root, int& exit_code);
void add_compare_command(CLI::App& root, int& exit_code);
void add_completion_command(CLI::App& root, int& exit_code);
void add_manual_command(CLI::App& root, int& exit_code);
void add_select_command(CLI::App& root, int& exit_code);
void add_calibrate_command(CLI::App& root, int& exit_code);
void add_doctor_command(CLI::App& root, int& exit_code);
void add_fit_command(CLI::App& root, int& exit_code);
void add_explain_command(CLI::App& root, int& exit_code);
void add_plan_command(CLI::App& root, int& exit_code);
void add_jobs_command(CLI::App& root, int& exit_code);
void add_platform_command(CLI::App& root, int& exit_code);
void add_record_command(CLI::App& root, int& exit_code);
void add_report_command(CLI::App& root, int& exit_code);
void add_reproduce_command(CLI::App& root, int& exit_code);
void add_restore_command(CLI::App& root, int& exit_code);
void add_simulate_command(CLI::App& root, int& exit_code);
void add_slurm_command(CLI::App& root, int& exit_code);
void add_steer_command(CLI::App& root, int& exit_code);
void add_trace_command(CLI::App& root, int& exit_code);
void add_sweep_command(CLI::App& root, int& exit_code);

} // namespace hypermile::cli
