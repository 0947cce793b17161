#include "cli/collective_calibrate_options.hpp"

#include "cli/checks.hpp"
#include "cli/read_option.hpp"

#include "machine/open.hpp"
#include "units/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>
#include <tuple>
#include <utility>

namespace hypermile::cli {
namespace {

constexpr const char* calibrate_head =
    R"(Times every algorithm that an MPI library has for {function}, under the
launcher after --, in several passes, each in a random order. The machine should
do nothing else meanwhile. What arrives is checked, and which algorithm really
runs is observed.

With -n or --nodes in place of a launcher, the algorithms of SimGrid's MPI are
simulated on --platform, time and energy.

Meters:
)";

constexpr const char* calibrate_foot =
    R"(
Ctrl-C keeps what is finished; the same command goes on. With another number of
processes or nodes it adds to the file, so that estimates lie between them.
--procs-per-node does that in one job: processes that take no part sleep.

Examples:
  All algorithms, from {first} to {last}, with 4 processes:
    {command} calibrate -o cal.json -- mpirun -n 4

  With 2, 4 and all 8 processes of each node, to see what they gain together:
    {command} calibrate --procs-per-node 2,4,8 \
      -o cal.json -- mpirun -n 8

  No meter: power from a platform, labelled so:
    {command} calibrate --platform table-3.1 \
      -o cal.json -- mpirun -n 4

  A machine that is not there, simulated:
    {command} calibrate --platform d13 -n 128 -o cal.json
    {command} calibrate --platform d13 --nodes 4,8,16 \
      --procs-per-node 1,4 -o cal.json

  Less exactly, in a minute:
    {command} calibrate --sizes 64KiB:512KiB \
      --seconds 0.05 -o cal.json -- mpirun -n 4

{hybrids}  As in a program whose processes come to the operation up to 5 ms late:
    {command} calibrate --arrival uniform:5ms \
      -o late.json -- mpirun -n 4

Exit code:
  0             calibrated
  1             the job has failed, or the file is of another machine or library
  2             wrong usage
  130           interrupted; what is finished is in the file

docs/collectives.md describes the file.)";

constexpr std::size_t most_on_node = 4096; ///< processes, or threads of each

std::pair<std::size_t, std::size_t> read_range(const std::string& text) {
  const auto colon = text.find(':');
  const std::size_t first = collective::parse_size(text.substr(0, colon));
  const std::size_t last =
      colon == std::string::npos ? first : collective::parse_size(text.substr(colon + 1));
  if (last < first)
    throw Error(ErrorKind::config, fmt::format("'{}' ends before it begins", text));
  return {first, last};
}

collective::Arrival read_arrival(const std::string& text) {
  try {
    return collective::parse_arrival(text);
  } catch (const std::invalid_argument& problem) {
    throw Error(ErrorKind::config, problem.what());
  }
}

std::vector<std::size_t> read_segments(const std::string& text) {
  std::vector<std::size_t> segments;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    segments.push_back(part == "0" ? 0 : collective::parse_size(part));
    begin = end + 1;
  }
  std::ranges::sort(segments);
  if (std::ranges::adjacent_find(segments) != segments.end())
    throw Error(ErrorKind::config, fmt::format("'{}' has a segment size twice", text));
  return segments;
}

std::string check_seconds(const std::string& text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool right = status == std::errc{} && end == text.data() + text.size();
  return right && value >= 0.001 && value <= 60
             ? ""
             : fmt::format("'{}' is not a number from 0.001 to 60", text);
}

void add_counts_option(CLI::App& command, const std::string& name, std::size_t least,
                       std::vector<std::size_t>& counts, const std::string& help) {
  command.add_option(name, counts, help)
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false) // else it takes the -- before the launcher
      ->check(whole_number(least, most_on_node));
}

/// What programs can do themselves, of collectives with such.
void add_program_options(CLI::App& command, const CollectiveCommand& of, tune::Plan& plan) {
  if (!of.collective->by_program)
    return;
  add_counts_option(command, "--threads", 2, plan.threads,
                    "Hybrids: so many threads of each process copy the message, too, such as 4 or "
                    "2,4. Default: none");
  command.add_flag(
      "--calls", plan.calls,
      "Also MPI_Scatter and MPI_Allgather of a part for each process, of which programs "
      "can make a broadcast");
}

} // namespace

void add_collective_calibration_options(CLI::App& command, const CollectiveCommand& of,
                                        CollectiveCalibration& options) {
  tune::Plan& plan = options.plan;
  plan.segments_b = {0, std::size_t{128} << 10U};
  add_read_option(command, "--sizes", "FIRST:LAST",
                  with_names("Sizes of messages, doubling. Default: {first}:{last}", of),
                  read_range, [&options](const std::pair<std::size_t, std::size_t>& range) {
                    std::tie(options.first_b, options.last_b) = range;
                  });
  add_read_option(
      command, "--segments", "SIZE,...",
      "Into what messages are cut by algorithms that can; 0: not. Default: 0,128KiB", read_segments,
      [&plan](std::vector<std::size_t> segments) { plan.segments_b = std::move(segments); });
  command.add_option("--passes", plan.passes, "How often all is measured. Default: 6")
      ->type_name("N")
      ->check(whole_number(1, 1000));
  command
      .add_option("--seconds", plan.seconds_per_cell,
                  "How long each size of each algorithm is repeated. Default: 0.2")
      ->type_name("N")
      ->check(check_seconds);
  command.add_option("--seed", plan.seed, "Gives the random orders, and --arrival. Default: 1")
      ->type_name("N");
  add_counts_option(command, "--procs-per-node", 1, options.processes_per_node,
                    "How many processes of each node take part, such as 1,4: one after the other. "
                    "Default: all of the launcher; in simulation one per core");
  add_program_options(command, of, plan);
  add_read_option(command, "--arrival", "HOW",
                  "When processes come to an operation: together (default), or each a random time "
                  "late, such as uniform:5ms, normal:1ms or exponential:500us",
                  read_arrival, [&plan](const collective::Arrival& read) { plan.arrival = read; });
  command.add_option("--meter", options.meter, "What measures power, see below. Default: auto")
      ->type_name("METER")
      ->check(machine::check_live_meter);
  command
      .add_option("--platform", options.platform,
                  "No meter: what nodes draw is that of this platform's first kind of nodes. "
                  "With -n or --nodes: the machine to simulate")
      ->type_name("NAME|FILE")
      ->check(not_empty());
  add_mpi_option(command, options.mpi);
  command.add_option("-o,--output", options.output, "Where the calibration goes. Default: stdout")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_flag("--json", options.json,
                   "Print the calibration on stdout also where it goes to a file: JSON, "
                   "hypermile/collective-calibration/1");
  command.add_flag("-q,--quiet", options.quiet, "No progress on stderr");
  auto* const launcher =
      command.add_option("COMMAND", options.launcher, "mpirun and its options, after --")
          ->check(not_empty());
#ifdef HYPERMILE_SIMGRID
  (void)launcher;
  add_simulated_options(command, options.simulated);
#else
  launcher->required();
#endif
}

std::string collective_calibration_footer(const CollectiveCommand& of) {
  return with_names(calibrate_head + machine::meters_help() + calibrate_foot, of);
}

} // namespace hypermile::cli
