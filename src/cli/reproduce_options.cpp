#include "cli/reproduce_options.hpp"

#include "cli/checks.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/reproduce_multisplitting.hpp"

#include "io/published_yaml.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

namespace hypermile::cli {
namespace {

constexpr const char* reproduce_usage = "hypermile reproduce [TABLE ...] [OPTIONS]";

constexpr const char* reproduce_footer =
    R"(Simulates what a table of the literature is about: its programs, on its
platform, by its methods, and by 'exact' and 'planned'. Prints the published
figures beside those found here, and what differs in the set-up. Without TABLE
it lists the tables that there are; 'all' takes them all. Some check what models
predict of every gear, and some compare hypermile with other governors.

'm16' is Tables III and IV of [M16], about programs that are models in Lua: they
are fitted to the published energies in some seconds. It is not among 'all'.

'd13' is the applications A to D of [D13]: broadcasts, whose energy is estimated
from a calibration at other sizes and numbers of nodes, and simulated, in about
a minute. --application A takes one of them. It is not among 'all' either.

'f16-4.3', 'f16-4.5', 'f16-4.6' and 'f16-fig-4.5' are about a multisplitting
program whose clusters wait for each other or do not, on 16 to 64 nodes. They
take some minutes each, share their simulations, and are not among 'all'
either. --reference-speed is 500Gf for them, and --class says nothing.

CG, MG, EP and FT are hypermile's own programs, after NAS. For BT stands one
with the same partition and sweeps, for 50 of its iterations; LU and SP are not
there. --program gives one, or another one in place of hypermile's.

The outcome of a simulation is kept as soon as it has ended. The same command
goes on where it was interrupted, and simulates again only what has changed.

Examples:
  See which tables there are; make one again:
    hypermile reproduce
    hypermile reproduce f16-3.2

  Faster with smaller problems; with those of the paper, which takes hours:
    hypermile reproduce f16-3.2 --class A
    hypermile reproduce f16-3.2 --class C

  How far predictions are from simulations, in every gear:
    hypermile reproduce f16-3.3.5 --class A

  With a NAS LU that was built with SimGrid's smpiff:
    hypermile reproduce f16-3.2 --program "LU=./lu.{class}.{n}"

  Pages with plots, for all tables:
    hypermile reproduce all --pages docs/reproduction

Environment:
  TMPDIR        where temporary files go; /tmp by default

Exit code:
  0             every program that is there was simulated
  1             a simulation failed, or something cannot be read or written
  2             wrong usage
  130, 143      interrupted (128 + the signal's number): every simulation is
                stopped; what was finished is kept

docs/reproduction.md describes the tables and the JSON.)";

std::string check_table(const std::string& name) {
  auto names = io::published_tables(reproduction_folder());
  names.emplace_back("all");
  names.emplace_back(m16_tables);
  names.emplace_back(d13_tables);
  const auto of_multisplitting = multisplitting_table_names();
  names.insert(names.end(), of_multisplitting.begin(), of_multisplitting.end());
  return one_of(names)(name);
}

std::string check_program(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    return fmt::format("'{}' is not NAME=COMMAND", text);
  return "";
}

void add_work_options(CLI::App& command, ReproduceOptions& options) {
  command
      .add_option("-o,--output", options.results,
                  "Folder for the outcomes of simulations, except of m16; it is made if necessary. "
                  "Default: "
                  "reproduction.results")
      ->type_name("DIR")
      ->check(not_empty());
  command
      .add_option(
          "--jobs", options.jobs,
          fmt::format("Number of simulations at a time, 1 to 1024. Default: one per core of "
                      "this machine, {}",
                      options.jobs))
      ->type_name("N")
      ->check(whole_number(1, 1024));
  command.add_flag("--retry-failed", options.retry_failed, "Simulate again what failed");
  command
      .add_option("--pages", options.pages,
                  "Write a page in Markdown and a plot in SVG for each table into this folder; it "
                  "is made if necessary. Default: no pages")
      ->type_name("DIR")
      ->check(not_empty());
  command.add_flag("--json", options.json,
                   "Print JSON, hypermile/reproduction/1, instead of tables");
  command.add_flag("-q,--quiet", options.quiet, "Show no progress on stderr");
}

} // namespace

void add_reproduce_options(CLI::App& command, ReproduceOptions& options) {
  command.formatter(std::make_shared<HelpFormatter>(reproduce_usage));
  command.footer(reproduce_footer);
  options.jobs = std::max(1U, std::thread::hardware_concurrency());
  command.add_option("--application", options.applications, "Of d13: only these, such as A,B")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->check(one_of({"A", "B", "C", "D"}));
  command.add_flag("--smpi-factors", options.smpi_factors,
                   "Of d13: messages as on the Gigabit Ethernet that SMPI's own factors are from");
  command
      .add_option("--class", options.class_name,
                  "Size of the problems: S, W, A, B, C or D. The tables are of class C, for which "
                  "FT needs 6.5 GB. Default: B")
      ->type_name("CLASS")
      ->check(one_of({"S", "W", "A", "B", "C", "D"}));
  command
      .add_option("--program", options.programs,
                  "A program, by its name in the table and its command, in which {class} and {n} "
                  "stand for the class and the number of ranks. May be given several times. "
                  "Default: hypermile's own")
      ->type_name("NAME=COMMAND")
      ->allow_extra_args(false)
      ->check(check_program);
  command
      .add_option("--reference-speed", options.reference_speed,
                  "Speed of a core of this machine, as for 'hypermile simulate'. Default: measured")
      ->type_name("SPEED")
      ->check(understood_by(parse_speed));
  add_work_options(command, options);
  command.add_option("TABLE", options.tables, "Names of tables, or 'all'")->check(check_table);
}

} // namespace hypermile::cli
