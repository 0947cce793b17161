// The MPI program that times broadcasts and observes them, for `hypermile bcast`. Rank 0 prints
// what came out, one line each; src/tune/program_output.hpp reads them.

#include "tune/program/library.hpp"
#include "tune/program/lines.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hypermile::tune;

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
  std::size_t variant; ///< index
  int size_b;
};

struct Schedule {
  std::vector<Variant> variants{};
  std::vector<Cell> cells{};
};

/// "ALGORITHM/SEGMENT:SIZE,..."
Schedule read_schedule(std::string_view text) {
  Schedule schedule;
  for (const std::string_view part : split(text, ',')) {
    const auto slash = part.find('/');
    const auto colon = part.find(':');
    if (slash == std::string_view::npos || colon == std::string_view::npos || colon < slash)
      throw std::runtime_error("'" + std::string(part) + "' is no cell");
    const Variant variant{.algorithm = number<int>(part.substr(0, slash)),
                          .segment_b = number<int>(part.substr(slash + 1, colon - slash - 1))};
    auto found = std::find(schedule.variants.begin(), schedule.variants.end(), variant);
    if (found == schedule.variants.end())
      found = schedule.variants.insert(found, variant);
    schedule.cells.push_back({static_cast<std::size_t>(found - schedule.variants.begin()),
                              number<int>(part.substr(colon + 1))});
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

/// Broadcasts of one buffer, which each rank has touched first.
class Broadcasts {
public:
  explicit Broadcasts(std::size_t largest) : buffer_(largest, 'h') {}

  [[nodiscard]] const char* bytes() const { return buffer_.data(); }

  /// How long it took the slowest rank.
  double run(MPI_Comm communicator, int size_b, int root) {
    MPI_Barrier(communicator);
    const double begin = MPI_Wtime();
    MPI_Bcast(buffer_.data(), size_b, MPI_BYTE, root, communicator);
    return MPI_Wtime() - begin;
  }

  /// The same with a mark at both ends, which must arrive.
  double run_checked(MPI_Comm communicator, int size_b, int root) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    int mark_of_root = ++mark_; // a rank may have missed some
    MPI_Allreduce(MPI_IN_PLACE, &mark_of_root, 1, MPI_INT, MPI_MAX, communicator);
    mark_ = mark_of_root;
    const auto mark = static_cast<char>(mark_ % 100);
    const auto last = static_cast<std::size_t>(size_b) - 1;
    buffer_[0] = buffer_[last] = rank == root ? mark : static_cast<char>(mark + 1);
    const double seconds = run(communicator, size_b, root);
    if (buffer_[0] != mark || buffer_[last] != mark)
      throw std::runtime_error("a broadcast has not delivered what was sent");
    return seconds;
  }

private:
  std::vector<char> buffer_;
  int mark_ = 0;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct CellTime {
  double seconds;
  int repetitions;
};

/// Whether all ranks go on, as rank 0 says.
bool goes_on(bool wanted) {
  int flag = wanted ? 1 : 0;
  MPI_Bcast(&flag, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return flag != 0;
}

/// For so long, and at least 3 times; each repetition with another root.
CellTime time_cell(Broadcasts& broadcasts, MPI_Comm communicator, int size_b, double cell_s) {
  constexpr int most = 400;
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  const double begin = MPI_Wtime();
  std::vector<double> mine;
  do {
    for (int i = 0; i < 3; ++i)
      mine.push_back(broadcasts.run(communicator, size_b, static_cast<int>(mine.size()) % ranks));
  } while (goes_on(MPI_Wtime() - begin < cell_s && mine.size() < most));
  const auto repetitions = static_cast<int>(mine.size());
  std::vector<double> slowest(mine.size());
  MPI_Reduce(mine.data(), slowest.data(), repetitions, MPI_DOUBLE, MPI_MAX, 0, communicator);
  return {median(slowest), repetitions};
}

void time_all(double cell_s, const Schedule& schedule) {
  const auto communicators = communicators_for(schedule.variants);
  int largest = 1;
  for (const Cell& cell : schedule.cells)
    largest = std::max(largest, cell.size_b);
  Broadcasts broadcasts(static_cast<std::size_t>(largest));
  for (std::size_t i = 0; i < schedule.cells.size(); ++i) {
    const Cell& cell = schedule.cells[i];
    MPI_Comm communicator = communicators[cell.variant];
    select({}); // what follows is not what is measured
    watch(broadcasts.bytes(), static_cast<std::size_t>(cell.size_b));
    MPI_Barrier(MPI_COMM_WORLD);
    select(schedule.variants[cell.variant]);
    (void)broadcasts.run_checked(communicator, cell.size_b, 0);
    select({});
    const std::string algorithm = seen(communicator);
    select(schedule.variants[cell.variant]);
    print("begin %zu", i);
    const CellTime time = time_cell(broadcasts, communicator, cell.size_b, cell_s);
    print("timed %zu %.9e %d %s", i, time.seconds, time.repetitions, algorithm.c_str());
  }
  select({});
}

/// What the library takes for these sizes, of its own accord, in communicators of the first ranks.
void observe_all(std::string_view rank_counts, std::string_view sizes) {
  int largest = 1;
  for (const auto size : split(sizes, ','))
    largest = std::max(largest, number<int>(size));
  Broadcasts broadcasts(static_cast<std::size_t>(largest));
  for (const auto text : split(rank_counts, ',')) {
    const int ranks = number<int>(text);
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() < ranks ? 0 : MPI_UNDEFINED, 0, &communicator);
    if (communicator == MPI_COMM_NULL)
      continue;
    for (const auto size : split(sizes, ',')) {
      const int size_b = number<int>(size);
      watch(broadcasts.bytes(), static_cast<std::size_t>(size_b));
      (void)broadcasts.run_checked(communicator, size_b, 0);
      print("saw %d %d %s", ranks, size_b, seen(communicator).c_str());
    }
    MPI_Comm_free(&communicator);
  }
}

void run(const std::vector<std::string_view>& arguments) {
  print_greeting();
  if (arguments.size() == 3 && arguments[0] == "time")
    time_all(number<double>(arguments[1]), read_schedule(arguments[2]));
  else if (arguments.size() == 3 && arguments[0] == "observe")
    observe_all(arguments[1], arguments[2]);
  else if (arguments.size() != 1 || arguments[0] != "greet")
    throw std::runtime_error("time SECONDS CELLS, observe RANKS SIZES, or greet is expected");
  print("done");
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "tree")
    return std::puts(selection_tree().c_str()) < 0 ? 1 : 0;
  int provided = 0;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_Init(&argc, &argv);
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
