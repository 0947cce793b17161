#include "cli/sweep_options.hpp"

#include "cli/checks.hpp"
#include "cli/help.hpp"

#include "study/study.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

namespace hypermile::cli {
namespace {

constexpr const char* sweep_usage = "hypermile sweep STUDY.yaml [OPTIONS]";

constexpr const char* sweep_footer =
    R"(Simulates every program of a study in every class, on every number of ranks of
every platform. Each of these cells is a 'hypermile simulate' of its own, which
compares all methods of the study. All methods and platforms see the same
computation. The outcome of a cell is kept as soon as it has ended. The same
command goes on where an earlier one was interrupted or killed, and simulates
again only what has changed: the command line of a cell, its program or
platform, or the version of hypermile. A cell that fails is a line of the table.

A study, written as YAML:
  schema: hypermile/study/1
  study: powers
  programs:
    - name: cg
      command: ./cg --class {class}
      classes: [S, W]
      ranks: [4, 8]
  platforms: [table-3.1, table-3.1-80-20]
  methods: [exact, alg5]
  options:
    reference-speed: 180Gf

Examples:
  See what there is to do, do it, and keep the rows for a spreadsheet:
    hypermile sweep powers.yaml --list
    hypermile sweep powers.yaml --csv powers.csv

  Mend what made cells fail, then simulate these again:
    hypermile sweep powers.yaml --retry-failed

  On a cluster with Slurm, then gather what there is:
    hypermile sweep powers.yaml --emit slurm > job.sh
    sbatch job.sh
    hypermile sweep powers.yaml --collect --json

Environment:
  TMPDIR        where temporary files go; /tmp by default

Exit code:
  0             all cells are done
  1             a cell failed or is missing, or the study cannot be read
  2             wrong usage
  130, 143      interrupted (128 + the signal's number): every simulation is
                stopped; what was finished is kept

docs/sweep.md describes the keys of a study, the table and the JSON.)";

void add_actions(CLI::App& command, SweepOptions& options) {
  auto* const list = command.add_flag("--list", options.list,
                                      "List the cells and what is known of them, simulate nothing");
  auto* const collect = command.add_flag(
      "--collect", options.collect,
      "Show the outcomes that there are, simulate nothing; other cells are missing");
  auto* const emit = command
                         .add_option("--emit", options.emit,
                                     "Print a script for sbatch, a job array in which task K works "
                                     "on cell K. Default: simulate here")
                         ->type_name("slurm")
                         ->check(one_of({"slurm"}));
  auto* const cell =
      command
          .add_option("--cell", options.cell,
                      "Simulate one cell only, by its number in --list. Several such commands may "
                      "run in the same folder. Default: all cells")
          ->type_name("K")
          ->check(whole_number(1, study::most_cells));
  list->excludes(collect)->excludes(emit)->excludes(cell);
  collect->excludes(emit)->excludes(cell);
  emit->excludes(cell);
}

void add_outputs(CLI::App& command, SweepOptions& options) {
  command
      .add_option("--csv", options.csv,
                  "Write a row per cell and method into this file, as comma-separated values. "
                  "Default: no file")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_flag("--json", options.json,
                   "Print the rows as JSON, hypermile/sweep/1, instead of the table");
  command.add_flag("-q,--quiet", options.quiet, "Show no progress on stderr");
}

} // namespace

void add_sweep_options(CLI::App& command, SweepOptions& options) {
  command.formatter(std::make_shared<HelpFormatter>(sweep_usage));
  command.footer(sweep_footer);
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  command
      .add_option("--results", options.results,
                  "Folder for the outcomes of the cells; it is made if necessary. Default: beside "
                  "the study, powers.results for powers.yaml")
      ->type_name("FOLDER")
      ->check(not_empty());
  command
      .add_option("--jobs", options.jobs,
                  fmt::format("Number of cells at a time, 1 to 1024. Default: one per core of this "
                              "machine, {}",
                              options.jobs))
      ->type_name("N")
      ->check(whole_number(1, 1024));
  command.add_flag("--retry-failed", options.retry_failed, "Simulate cells again that failed");
  add_actions(command, options);
  add_outputs(command, options);
  command.add_option("STUDY", options.study, "The study, a file in YAML")
      ->required()
      ->check(not_empty());
}

} // namespace hypermile::cli
