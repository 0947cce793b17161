// The MPI program that times collective operations and observes them, for `hypermile collective`.
// Rank 0 prints what came out, one line each; src/tune/program_output.hpp reads them.

#include "tune/program/copying.hpp"
#include "tune/program/library.hpp"
#include "tune/program/lines.hpp"
#include "tune/program/timing.hpp"

#include "collective/arrival.hpp"
#include "collective/registry.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace hypermile::tune;
namespace collective = hypermile::collective;

template <class... Values> void print(const char* format, Values... values) {
  if (rank_in(MPI_COMM_WORLD) == 0)
    print_line(stdout, format, values...);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

struct Cell {
  std::size_t variant; ///< index; of copies and calls: none
  int size_b;
  std::uint64_t pass;
  int threads = 0;                 ///< that copy; 0: an operation
  std::optional<Operation> call{}; ///< of which a broadcast can be made
};

/// None: no such call.
std::optional<Operation> call_named(std::string_view name) {
  if (name == collective::scatter_call.name)
    return Operation::scatter;
  if (name == collective::allgather_call.name)
    return Operation::allgather;
  return std::nullopt;
}

struct Schedule {
  std::vector<Variant> variants{};
  std::vector<Cell> cells{};
};

/// "ALGORITHM/SEGMENT:SIZE", "copy/THREADS:SIZE" or "MPI_Scatter/0:SIZE"
void read_cell(std::string_view text, std::uint64_t pass, Schedule& schedule) {
  const auto slash = text.find('/');
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || !(slash < colon))
    throw std::runtime_error("'" + std::string(text) + "' is no cell");
  const auto size_b = number<int>(text.substr(colon + 1));
  const auto second = number<int>(text.substr(slash + 1, colon - slash - 1));
  if (text.substr(0, slash) == copy_word) {
    schedule.cells.push_back({.variant = 0, .size_b = size_b, .pass = pass, .threads = second});
    return;
  }
  if (const auto call = call_named(text.substr(0, slash))) {
    schedule.cells.push_back({.variant = 0, .size_b = size_b, .pass = pass, .call = call});
    return;
  }
  const Variant variant{.algorithm = number<int>(text.substr(0, slash)), .segment_b = second};
  auto found = std::find(schedule.variants.begin(), schedule.variants.end(), variant);
  if (found == schedule.variants.end())
    found = schedule.variants.insert(found, variant);
  schedule.cells.push_back(
      {static_cast<std::size_t>(found - schedule.variants.begin()), size_b, pass});
}

/// "PASS=CELL,CELL,...;PASS=CELL,..."
Schedule read_schedule(std::string_view text) {
  Schedule schedule;
  for (const std::string_view of_pass : split(text, ';')) {
    const auto equals = std::min(of_pass.find('='), of_pass.size());
    const auto pass = number<std::uint64_t>(of_pass.substr(0, equals));
    for (const std::string_view cell :
         split(of_pass.substr(std::min(equals + 1, of_pass.size())), ','))
      read_cell(cell, pass, schedule);
  }
  return schedule;
}

/// Among the processes of this node.
int rank_on_node() {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  const int rank = rank_in(node);
  MPI_Comm_free(&node);
  return rank;
}

int nodes() {
  const int leads = rank_on_node() == 0 ? 1 : 0;
  int count = 0;
  MPI_Allreduce(&leads, &count, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return count;
}

void print_greeting() {
  std::vector<char> version(MPI_MAX_LIBRARY_VERSION_STRING + 1);
  int length = 0;
  MPI_Get_library_version(version.data(), &length);
  std::string line(version.data(), static_cast<std::size_t>(length));
  line = line.substr(0, std::min(line.find('\n'), line.find('\0')));
  std::replace(line.begin(), line.end(), '\t', ' ');
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int node_count = nodes();
  print("hello %s %d %d %s", library_name(), ranks, node_count, line.c_str());
}

/// The first processes of each node, so many. The others leave their cores to them meanwhile.
class Team {
public:
  explicit Team(int of_each_node) {
    MPI_Comm_split(MPI_COMM_WORLD, rank_on_node() < of_each_node ? 0 : MPI_UNDEFINED, 0, &members_);
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// MPI_COMM_NULL where this process does not belong to it.
  [[nodiscard]] MPI_Comm members() const { return members_; }

  /// All processes meet after what the members do.
  void meet_others() const {
    constexpr auto nap = std::chrono::milliseconds(10);
    MPI_Request all_are_there = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &all_are_there);
    int are_there = 0;
    MPI_Test(&all_are_there, &are_there, MPI_STATUS_IGNORE);
    while (are_there == 0) {
      std::this_thread::sleep_for(nap);
      MPI_Test(&all_are_there, &are_there, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD); // none comes to MPI_Finalize much later than others
  }

private:
  MPI_Comm members_ = MPI_COMM_NULL;
};

/// Operations of which each byte is checked, and which are observed.
class Checked {
public:
  Checked(Operation operation, int largest_b, int ranks)
      : operation_(operation), buffers_(operation, largest_b, ranks) {}

  [[nodiscard]] Buffers buffers() { return buffers_.buffers(); }

  /// Which algorithm ran. `variant`: none: by the settings that there are.
  std::string run(MPI_Comm communicator, int size_b, const std::optional<Variant>& variant) {
    int round = ++round_; // a rank may have missed some
    MPI_Allreduce(MPI_IN_PLACE, &round, 1, MPI_INT, MPI_MAX, communicator);
    round_ = round;
    buffers_.fill(size_b, 0, round, communicator);
    MPI_Barrier(communicator);
    if (variant)
      select(operation_, *variant);
    watch({.operation = operation_,
           .buffers = buffers_.buffers(),
           .size_b = size_b,
           .ranks = ranks_of(communicator)});
    perform(operation_, buffers_.buffers(), size_b, 0, communicator);
    end_watch();
    if (variant)
      select(operation_, {}); // what follows is not what is observed
    buffers_.check(size_b, 0, round, communicator);
    return seen(communicator);
  }

private:
  Operation operation_;
  CheckedBuffers buffers_;
  int round_ = 0;
};

/// What came of a cell on rank 0, and which algorithm ran.
struct Outcome {
  CellTime time;
  std::string algorithm = "-";
};

void print_begin(std::size_t cell) { print("begin %zu", cell); }

Outcome time_copies_of(const Job& job, const Cell& cell, std::size_t number_of_cell) {
  print_begin(number_of_cell);
  return {time_copy(job, cell.threads, cell.size_b)};
}

/// Of the parts of a message of the cell's size, one for each rank.
Outcome time_call(Job job, Cell cell, std::size_t number_of_cell) {
  constexpr int round = 1;
  const int ranks = ranks_of(job.ranks);
  job.operation = *cell.call;
  cell.size_b /= ranks;
  CheckedBuffers buffers(job.operation, cell.size_b, ranks);
  buffers.fill(cell.size_b, 0, round, job.ranks);
  perform(job.operation, buffers.buffers(), cell.size_b, 0, job.ranks);
  buffers.check(cell.size_b, 0, round, job.ranks);
  print_begin(number_of_cell);
  return {time_operation(job, buffers.buffers(), job.ranks, cell.size_b, cell.pass)};
}

Outcome time_variant(const Job& job, const Cell& cell, std::size_t number_of_cell,
                     const Variant& variant, MPI_Comm communicator, Checked& checked) {
  std::string algorithm = checked.run(communicator, cell.size_b, variant);
  select(job.operation, variant);
  print_begin(number_of_cell);
  const CellTime time =
      time_operation(job, checked.buffers(), communicator, cell.size_b, cell.pass);
  select(job.operation, {});
  return {time, std::move(algorithm)};
}

void time_all(const Job& job, const Schedule& schedule) {
  const auto communicators = communicators_for(job.operation, schedule.variants, job.ranks);
  int largest = 1;
  for (const Cell& cell : schedule.cells) {
    largest = std::max(largest, cell.size_b);
    check_cpus_for(cell.threads);
  }
  Checked checked(job.operation, largest, ranks_of(job.ranks));
  for (std::size_t i = 0; i < schedule.cells.size(); ++i) {
    const Cell& cell = schedule.cells[i];
    const auto [time, algorithm] = cell.threads > 0 ? time_copies_of(job, cell, i)
                                   : cell.call
                                       ? time_call(job, cell, i)
                                       : time_variant(job, cell, i, schedule.variants[cell.variant],
                                                      communicators[cell.variant], checked);
    print("timed %zu %.9e %.9e %d %s", i, time.seconds, time.inside_s, time.repetitions,
          algorithm.c_str());
  }
}

/// "RANKS:SIZE,...": what the library takes of its own accord, in communicators of the first ranks.
void observe_all(Operation operation, std::string_view asked) {
  struct Question {
    int ranks;
    int size_b;
  };
  std::vector<Question> questions;
  int largest = 1;
  for (const auto part : split(asked, ',')) {
    const auto colon = std::min(part.find(':'), part.size() - 1);
    questions.push_back({number<int>(part.substr(0, colon)), number<int>(part.substr(colon + 1))});
    largest = std::max(largest, questions.back().size_b);
  }
  Checked checked(operation, largest, ranks_of(MPI_COMM_WORLD));
  MPI_Comm communicator = MPI_COMM_NULL;
  int ranks_now = 0;
  for (const Question& question : questions) {
    if (question.ranks != ranks_now) {
      if (communicator != MPI_COMM_NULL)
        MPI_Comm_free(&communicator);
      ranks_now = question.ranks;
      MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) < ranks_now ? 0 : MPI_UNDEFINED, 0,
                     &communicator);
    }
    if (communicator != MPI_COMM_NULL)
      print("saw %d %d %s", question.ranks, question.size_b,
            checked.run(communicator, question.size_b, std::nullopt).c_str());
  }
  if (communicator != MPI_COMM_NULL)
    MPI_Comm_free(&communicator);
}

void run(const std::vector<std::string_view>& arguments) {
  print_greeting();
  if (arguments.size() == 7 && arguments[0] == "time") {
    const Team team(number<int>(arguments[1]));
    const Job job{.ranks = team.members(),
                  .operation = operation_named(arguments[2]),
                  .cell_s = number<double>(arguments[3]),
                  .arrival = collective::parse_arrival(arguments[4]),
                  .seed = number<std::uint64_t>(arguments[5])};
    if (team.members() != MPI_COMM_NULL)
      time_all(job, read_schedule(arguments[6]));
    team.meet_others();
  } else if (arguments.size() == 3 && arguments[0] == "observe")
    observe_all(operation_named(arguments[1]), arguments[2]);
  else if (arguments.size() != 1 || arguments[0] != "greet")
    throw std::runtime_error(
        "time PROCESSES-PER-NODE OPERATION SECONDS ARRIVAL SEED PASSES, observe "
        "OPERATION RANKS:SIZE,..., or greet is expected");
  print("done");
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "tree")
    return std::puts(selection_tree().c_str()) < 0 ? 1 : 0;
  int provided = 0; // both libraries have the main thread call MPI at any level
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    print_line(stderr, "%s", error.what());
    // MPICH's mpirun ends at an abort without reading what was printed just before (10 % of cases).
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_T_finalize(); // Open MPI crashes where this comes last
  MPI_Finalize();
  return 0;
}
