// The MPI program that times operations on a machine that is not there, for `hypermile collective
// NAME calibrate --platform P -n N`. SMPI runs all its ranks in one process, with variables that
// they share. Rank 0 prints what came out, one line for each size; src/tune/program_output.hpp
// reads it.

#include "tune/program/late.hpp"
#include "tune/program/lines.hpp"
#include "tune/program/operation.hpp"

#include <mpi.h>
#include <simgrid/plugins/energy.h>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
#include <smpi/smpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace s4u = simgrid::s4u;
using hypermile::tune::Buffers;
using hypermile::tune::Lateness;
using hypermile::tune::number;
using hypermile::tune::Operation;
using hypermile::tune::print_line;
using hypermile::tune::Repetitions;
using hypermile::tune::Times;

/// What each process does.
struct Request {
  Operation operation = Operation::bcast;
  std::size_t segment_b = 0; ///< 0: the operation; else the pipeline below
  bool spinning = true;      ///< a process in MPI keeps its core busy
  int threads = 0;           ///< that copy the message in each node afterwards; 0: none
  double copy_start_s = 0;
  double copy_per_byte_s = 0;
  int messages = 1; ///< of each size
  Lateness lateness{};
  double cell_s = 0; ///< if ranks are late, in place of `messages`: how long a size is repeated
  std::vector<int> sizes_b{};

  [[nodiscard]] bool late() const {
    return lateness.arrival.kind != hypermile::collective::Arrival::Kind::together;
  }
};

Request read_request(const std::vector<std::string_view>& words) {
  if (words.size() < 12)
    throw std::runtime_error("OPERATION SEGMENT spinning|idle THREADS COPY_START COPY_PER_BYTE "
                             "MESSAGES ARRIVAL SEED PASS SECONDS SIZE ... is expected");
  Request request{.operation = hypermile::tune::operation_named(words[0]),
                  .segment_b = number<std::size_t>(words[1]),
                  .spinning = words[2] == "spinning",
                  .threads = number<int>(words[3]),
                  .copy_start_s = number<double>(words[4]),
                  .copy_per_byte_s = number<double>(words[5]),
                  .messages = number<int>(words[6]),
                  .lateness = {.arrival = hypermile::collective::parse_arrival(words[7]),
                               .seed = number<std::uint64_t>(words[8]),
                               .pass = number<std::uint64_t>(words[9])},
                  .cell_s = number<double>(words[10])};
  if (request.late() && request.threads > 0)
    throw std::runtime_error("nobody is late for a copy");
  for (std::size_t i = 11; i < words.size(); ++i)
    request.sizes_b.push_back(number<int>(words[i]));
  return request;
}

/// What all ranks use. SMPI switches between them only where they wait.
struct Shared {
  s4u::BarrierPtr meeting{}; ///< takes no time, as one of MPI would
  Buffers buffers{};         ///< their pages are all the same, and SMPI copies nothing
  std::vector<s4u::Host*> hosts{};
  std::vector<Times> times{}; ///< of late ranks in one size, by message, by rank
};
std::unique_ptr<Shared> shared;

void make_shared(int ranks, const Request& request) {
  if (shared)
    return;
  shared = std::make_unique<Shared>();
  shared->meeting = s4u::Barrier::create(static_cast<unsigned>(ranks));
  const auto lengths = hypermile::tune::lengths_of(
      request.operation, *std::max_element(request.sizes_b.begin(), request.sizes_b.end()), ranks);
  shared->buffers.send = static_cast<char*>(SMPI_SHARED_MALLOC(lengths.send_b));
  if (lengths.receive_b > 0)
    shared->buffers.receive = static_cast<char*>(SMPI_SHARED_MALLOC(lengths.receive_b));
}

/// Of all nodes with ranks, up to now.
double energy_j() {
  sg_host_energy_update_all();
  double sum = 0;
  for (const s4u::Host* const host : shared->hosts)
    sum += sg_host_get_consumed_energy(host);
  return sum;
}

/// So many cores of this node are busy.
class Busy {
public:
  explicit Busy(int cores) {
    constexpr double without_end = 1e30;
    for (int i = 0; i < cores; ++i)
      work_.push_back(s4u::this_actor::exec_async(without_end));
  }
  ~Busy() {
    for (const auto& work : work_)
      work->cancel();
  }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

private:
  std::vector<s4u::ExecPtr> work_{};
};

/// Along a chain of the ranks: each hands a segment on while it gets the next.
void broadcast_by_pipeline(char* buffer, int size_b, int segment_b) {
  constexpr int tag = 1;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto piece = [&](int begin) { return std::min(segment_b, size_b - begin); };
  const auto begins = [&](int begin) { return begin < size_b; };
  MPI_Request arriving = MPI_REQUEST_NULL;
  MPI_Request leaving = MPI_REQUEST_NULL;
  const auto receive = [&](int begin) {
    if (rank > 0 && begins(begin))
      MPI_Irecv(buffer + begin, piece(begin), MPI_BYTE, rank - 1, tag, MPI_COMM_WORLD, &arriving);
  };
  receive(0);
  for (int begin = 0; begins(begin);) {
    MPI_Wait(&arriving, MPI_STATUS_IGNORE);
    const bool last = size_b - begin <= segment_b;
    if (!last)
      receive(begin + segment_b);
    MPI_Wait(&leaving, MPI_STATUS_IGNORE);
    if (rank + 1 < ranks)
      MPI_Isend(buffer + begin, piece(begin), MPI_BYTE, rank + 1, tag, MPI_COMM_WORLD, &leaving);
    if (last)
      break;
    begin += segment_b;
  }
  MPI_Wait(&leaving, MPI_STATUS_IGNORE);
}

/// With rank 0 as the root.
void operate(const Request& request, const Buffers& buffers, int size_b) {
  if (request.segment_b > 0)
    broadcast_by_pipeline(buffers.send, size_b, static_cast<int>(request.segment_b));
  else
    hypermile::tune::perform(request.operation, buffers, size_b, 0, MPI_COMM_WORLD);
}

/// With threads: this is the only process of its node.
void run_once(const Request& request, int size_b) {
  {
    const Busy spinning(request.spinning ? 1 : 0);
    operate(request, shared->buffers, size_b);
    if (request.threads == 0) // waits for the slowest, as a barrier of MPI would
      shared->meeting->wait();
  }
  if (request.threads > 0) {
    {
      const Busy copying(request.threads);
      s4u::this_actor::sleep_for(request.copy_start_s + request.copy_per_byte_s * size_b);
    }
    const Busy spinning(request.spinning ? 1 : 0);
    shared->meeting->wait();
  }
}

/// All ranks meet; then this one is late. It draws as much power as in the operation until then, so
/// that what a node draws is the same all the time.
void run_late(const Request& request, int size_b, int message, int rank, int ranks) {
  const double met_s = s4u::Engine::get_clock();
  const Busy spinning(request.spinning ? 1 : 0);
  s4u::this_actor::sleep_for(request.lateness.of(static_cast<std::size_t>(message), rank));
  const double begin_s = s4u::Engine::get_clock() - met_s;
  operate(request, shared->buffers, size_b);
  shared->times.resize(static_cast<std::size_t>((message + 1) * ranks));
  shared->times[static_cast<std::size_t>(message * ranks + rank)] = {
      begin_s, s4u::Engine::get_clock() - met_s};
  shared->meeting->wait();
}

/// Of one message.
struct Cost {
  double time_s;   ///< from the last arrival to the last end
  double inside_s; ///< how long a rank is inside, as the mean of all
};

/// The medians of all messages, as those of a job.
Cost cost_of_late(const Request& request, int ranks) {
  std::vector<double> times_s;
  std::vector<double> after_last_s;
  for (auto first = shared->times.begin(); first != shared->times.end(); first += ranks) {
    double last_begin_s = 0;
    double last_end_s = 0;
    double sum_of_ends_s = 0;
    std::for_each(first, first + ranks, [&](const Times& times) {
      last_begin_s = std::max(last_begin_s, times.begin_s);
      last_end_s = std::max(last_end_s, times.end_s);
      sum_of_ends_s += times.end_s;
    });
    times_s.push_back(last_end_s - last_begin_s);
    after_last_s.push_back(sum_of_ends_s / ranks - last_begin_s);
  }
  return {hypermile::tune::median(times_s),
          hypermile::tune::inside_s(request.lateness, ranks, after_last_s)};
}

/// So small that all ranks have buffers of their own, and large enough for an element for each.
int checked_size_b(const Request& request, int ranks) {
  constexpr int usual_b = 4096;
  constexpr std::size_t most_b = std::size_t{1} << 28U; // of all ranks
  const auto count = static_cast<std::size_t>(ranks);
  const bool one_message =
      request.operation == Operation::allreduce || request.operation == Operation::bcast;
  const std::size_t for_each = one_message ? 1 : count;
  const int elements_b = ranks * static_cast<int>(sizeof(double));
  const int wanted_b =
      request.operation == Operation::allreduce
          ? std::max(usual_b, elements_b)
          : std::clamp<int>(static_cast<int>(most_b / (count * for_each)), 1, usual_b);
  return std::min(*std::min_element(request.sizes_b.begin(), request.sizes_b.end()), wanted_b);
}

/// Once with data of which all is checked.
void check_data(const Request& request, int ranks) {
  const int size_b = checked_size_b(request, ranks);
  hypermile::tune::CheckedBuffers checked(request.operation, size_b, ranks);
  checked.fill(size_b, 0, 1, MPI_COMM_WORLD);
  operate(request, checked.buffers(), size_b);
  checked.check(size_b, 0, 1, MPI_COMM_WORLD);
  shared->meeting->wait(); // none drops its data while another one waits for them
}

/// From here on nothing is copied or added up any more, and SMPI's own buffers are shared as in the
/// replay of a trace: messages take as long as before. Algorithms of broadcasts have none.
void drop_data(const Request& request) {
  if (request.operation == Operation::bcast)
    return;
  const auto* const self = s4u::Actor::self();
  smpi_replay_init(self->get_property("instance_id"), number<int>(self->get_property("rank")), 0);
  shared->meeting->wait();
}

/// All messages of one size; rank 0 tells what one of them costs.
void time_size(const Request& request, std::size_t index, int rank, int ranks) {
  const int size_b = request.sizes_b[index];
  const double begin_s = s4u::Engine::get_clock();
  const double begin_j = rank == 0 ? energy_j() : 0;
  const auto passed_s = [&] { return s4u::Engine::get_clock() - begin_s; };
  if (request.late()) { // all have met after a message, and see the same clock
    const Repetitions repetitions(request.lateness.arrival, request.cell_s);
    for (int message = 0;
         message == 0 || !repetitions.enough(static_cast<std::size_t>(message), passed_s());
         ++message)
      run_late(request, size_b, message, rank, ranks);
  } else {
    for (int message = 0; message < request.messages; ++message)
      run_once(request, size_b);
  }
  if (rank == 0) {
    const double each_s = passed_s() / request.messages;
    const Cost cost = request.late() ? cost_of_late(request, ranks) : Cost{each_s, each_s};
    print_line(stdout, "simulated %zu %.17g %.17g %.17g", index, cost.time_s, cost.inside_s,
               (energy_j() - begin_j) / passed_s());
    shared->times.clear();
  }
  shared->meeting->wait(); // no rank begins before that has been read
}

void greet() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  sg_version_get(&major, &minor, &patch);
  print_line(stdout, "hello smpi 1 1 SimGrid %d.%d", major, minor);
}

void run(const std::vector<std::string_view>& words) {
  if (words.size() == 1 && words[0] == "greet")
    return greet();
  const Request request = read_request(words);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  make_shared(ranks, request);
  if (std::find(shared->hosts.begin(), shared->hosts.end(), s4u::this_actor::get_host()) ==
      shared->hosts.end())
    shared->hosts.push_back(s4u::this_actor::get_host());
  shared->meeting->wait();
  check_data(request, ranks);
  drop_data(request);
  for (std::size_t i = 0; i < request.sizes_b.size(); ++i)
    time_size(request, i, rank, ranks);
  if (rank == 0)
    print_line(stdout, "done");
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    print_line(stderr, "%s", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
