// The MPI program that times collective operations and observes them, for `hypermile collective`.
// Rank 0 prints what came out, one line each; src/tune/program_output.hpp reads them.

#include "tune/program/copying.hpp"
#include "tune/program/late.hpp"
#include "tune/program/library.hpp"
#include "tune/program/lines.hpp"

#include "collective/arrival.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace hypermile::tune;
namespace collective = hypermile::collective;

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

template <class... Values> void print(const char* format, Values... values) {
  if (world_rank() == 0)
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
  std::size_t variant; ///< index; of copies: none
  int size_b;
  std::uint64_t pass;
  int threads = 0; ///< that copy; 0: an operation
};

struct Schedule {
  std::vector<Variant> variants{};
  std::vector<Cell> cells{};
};

/// "ALGORITHM/SEGMENT:SIZE" or "copy/THREADS:SIZE"
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

int nodes() {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int rank = 0;
  MPI_Comm_rank(node, &rank);
  MPI_Comm_free(&node);
  const int leads = rank == 0 ? 1 : 0;
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

int ranks_of(MPI_Comm communicator) {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  return ranks;
}

/// What is timed in all cells.
struct Job {
  Operation operation;
  double cell_s;
  collective::Arrival arrival;
  std::uint64_t seed;
};

/// All ranks meet; then this one is late, as if it had computed until then.
Times perform_late(Operation operation, const Buffers& buffers, MPI_Comm communicator, int size_b,
                   int root, double late_s) {
  MPI_Barrier(communicator);
  const double met = MPI_Wtime();
  double begin = met;
  while (begin - met < late_s)
    begin = MPI_Wtime();
  perform(operation, buffers, size_b, root, communicator);
  return {begin - met, MPI_Wtime() - met};
}

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

struct CellTime {
  double seconds;  ///< from the last arrival to the last end, the median
  double inside_s; ///< how long a rank is inside, see inside_s()
  int repetitions;
};

/// Whether all ranks go on, as rank 0 says.
bool goes_on(bool wanted) {
  int flag = wanted ? 1 : 0;
  MPI_Bcast(&flag, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return flag != 0;
}

/// Of the pass of this cell.
Lateness lateness_of(const Job& job, const Cell& cell) {
  return {.arrival = job.arrival, .seed = job.seed, .pass = cell.pass};
}

/// What came of all repetitions, on rank 0.
CellTime summary(const Job& job, const Cell& cell, const std::vector<Times>& mine,
                 MPI_Comm communicator) {
  const auto repetitions = static_cast<int>(mine.size());
  const int ranks = ranks_of(communicator);
  std::vector<double> begins;
  std::vector<double> ends;
  for (const Times& times : mine) {
    begins.push_back(times.begin_s);
    ends.push_back(times.end_s);
  }
  std::vector<double> last_begins(mine.size());
  std::vector<double> last_ends(mine.size());
  std::vector<double> sums_of_ends(mine.size());
  const auto reduce = [&](const std::vector<double>& from, std::vector<double>& to, MPI_Op op) {
    MPI_Reduce(from.data(), to.data(), repetitions, MPI_DOUBLE, op, 0, communicator);
  };
  reduce(begins, last_begins, MPI_MAX);
  reduce(ends, last_ends, MPI_MAX);
  reduce(ends, sums_of_ends, MPI_SUM);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    last_ends[i] -= last_begins[i];
    sums_of_ends[i] = sums_of_ends[i] / ranks - last_begins[i];
  }
  return {median(last_ends), inside_s(lateness_of(job, cell), ranks, sums_of_ends), repetitions};
}

/// For so long, and at least 3 times; each repetition with another root.
CellTime time_cell(const Job& job, const Buffers& buffers, MPI_Comm communicator,
                   const Cell& cell) {
  const Repetitions repetitions(job.arrival, job.cell_s);
  const int ranks = ranks_of(communicator);
  const int rank = world_rank();
  const Lateness lateness = lateness_of(job, cell);
  const double begin = MPI_Wtime();
  std::vector<Times> mine;
  do {
    for (std::size_t i = 0; i < Repetitions::least; ++i) {
      const auto repetition = mine.size();
      mine.push_back(perform_late(job.operation, buffers, communicator, cell.size_b,
                                  static_cast<int>(repetition) % ranks,
                                  lateness.of(repetition, rank)));
    }
  } while (goes_on(!repetitions.enough(mine.size(), MPI_Wtime() - begin)));
  return summary(job, cell, mine, communicator);
}

/// Nobody is late: that was before the operation whose message is copied.
CellTime time_copies_of(const Job& job, const Cell& cell) {
  constexpr std::size_t most = 400;
  const double begin = MPI_Wtime();
  const auto times =
      time_copies(cell.threads, static_cast<std::size_t>(cell.size_b), [&](std::size_t count) {
        return goes_on(MPI_Wtime() - begin < job.cell_s && count < most);
      });
  CellTime time = summary({job.operation, job.cell_s, {}, job.seed}, cell, times, MPI_COMM_WORLD);
  time.inside_s = time.seconds;
  return time;
}

void time_all(const Job& job, const Schedule& schedule) {
  const auto communicators = communicators_for(job.operation, schedule.variants);
  int largest = 1;
  for (const Cell& cell : schedule.cells) {
    largest = std::max(largest, cell.size_b);
    check_cpus_for(cell.threads);
  }
  Checked checked(job.operation, largest, ranks_of(MPI_COMM_WORLD));
  for (std::size_t i = 0; i < schedule.cells.size(); ++i) {
    const Cell& cell = schedule.cells[i];
    if (cell.threads > 0) {
      print("begin %zu", i);
      const CellTime time = time_copies_of(job, cell);
      print("timed %zu %.9e %.9e %d -", i, time.seconds, time.inside_s, time.repetitions);
      continue;
    }
    MPI_Comm communicator = communicators[cell.variant];
    const Variant& variant = schedule.variants[cell.variant];
    const std::string algorithm = checked.run(communicator, cell.size_b, variant);
    select(job.operation, variant);
    print("begin %zu", i);
    const CellTime time = time_cell(job, checked.buffers(), communicator, cell);
    select(job.operation, {});
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
      MPI_Comm_split(MPI_COMM_WORLD, world_rank() < ranks_now ? 0 : MPI_UNDEFINED, 0,
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
  if (arguments.size() == 6 && arguments[0] == "time")
    time_all({.operation = operation_named(arguments[1]),
              .cell_s = number<double>(arguments[2]),
              .arrival = collective::parse_arrival(arguments[3]),
              .seed = number<std::uint64_t>(arguments[4])},
             read_schedule(arguments[5]));
  else if (arguments.size() == 3 && arguments[0] == "observe")
    observe_all(operation_named(arguments[1]), arguments[2]);
  else if (arguments.size() != 1 || arguments[0] != "greet")
    throw std::runtime_error("time OPERATION SECONDS ARRIVAL SEED PASSES, observe OPERATION "
                             "RANKS:SIZE,..., or greet is expected");
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
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_T_finalize(); // Open MPI crashes where this comes last
  MPI_Finalize();
  return 0;
}
