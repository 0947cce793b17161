// The MPI program that times operations on a machine that is not there, for `hypermile collective
// NAME calibrate --platform P -n N`. SMPI runs all its ranks in one process, with variables that
// they share. Rank 0 prints what came out, one line for each size; src/tune/program_output.hpp
// reads it.

#include "tune/program/lines.hpp"
#include "tune/program/operation.hpp"

#include <mpi.h>
#include <simgrid/plugins/energy.h>
#include <simgrid/s4u.hpp>
#include <simgrid/version.h>
#include <smpi/smpi.h>

#include <algorithm>
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
using hypermile::tune::number;
using hypermile::tune::Operation;
using hypermile::tune::print_line;

/// What each process does.
struct Request {
  Operation operation = Operation::bcast;
  std::size_t segment_b = 0; ///< 0: the operation; else the pipeline below
  bool spinning = true;      ///< a process in MPI keeps its core busy
  int threads = 0;           ///< that copy the message in each node afterwards; 0: none
  double copy_start_s = 0;
  double copy_per_byte_s = 0;
  int messages = 1; ///< of each size
  std::vector<int> sizes_b{};
};

Request read_request(const std::vector<std::string_view>& words) {
  if (words.size() < 8)
    throw std::runtime_error("OPERATION SEGMENT spinning|idle THREADS COPY_START COPY_PER_BYTE "
                             "MESSAGES SIZE ... is expected");
  Request request{.operation = hypermile::tune::operation_named(words[0]),
                  .segment_b = number<std::size_t>(words[1]),
                  .spinning = words[2] == "spinning",
                  .threads = number<int>(words[3]),
                  .copy_start_s = number<double>(words[4]),
                  .copy_per_byte_s = number<double>(words[5]),
                  .messages = number<int>(words[6])};
  for (std::size_t i = 7; i < words.size(); ++i)
    request.sizes_b.push_back(number<int>(words[i]));
  return request;
}

/// What all ranks use. SMPI switches between them only where they wait.
struct Shared {
  s4u::BarrierPtr meeting{}; ///< takes no time, as one of MPI would
  Buffers buffers{};         ///< their pages are all the same, and SMPI copies nothing
  std::vector<s4u::Host*> hosts{};
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

/// With rank 0 as the root. With threads: this is the only process of its node.
void run_once(const Request& request, int size_b) {
  {
    const Busy spinning(request.spinning ? 1 : 0);
    if (request.segment_b > 0)
      broadcast_by_pipeline(shared->buffers.send, size_b, static_cast<int>(request.segment_b));
    else
      hypermile::tune::perform(request.operation, shared->buffers, size_b, 0, MPI_COMM_WORLD);
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

/// So small that all ranks have buffers of their own, and large enough for an element for each.
int checked_size_b(const Request& request, int ranks) {
  constexpr int usual_b = 4096;
  constexpr std::size_t most_b = std::size_t{1} << 28U; // of all ranks
  const auto count = static_cast<std::size_t>(ranks);
  const std::size_t for_each = request.operation == Operation::allreduce ? 1 : count;
  const int elements_b = ranks * static_cast<int>(sizeof(double));
  const int wanted_b =
      request.operation == Operation::allreduce
          ? std::max(usual_b, elements_b)
          : std::clamp<int>(static_cast<int>(most_b / (count * for_each)), 1, usual_b);
  return std::min(*std::min_element(request.sizes_b.begin(), request.sizes_b.end()), wanted_b);
}

/// Once with data of which all is checked. After that nothing is copied or added up any more, and
/// SMPI's own buffers are shared as in the replay of a trace: messages take as long as before.
void check_and_drop_data(const Request& request, int ranks) {
  const int size_b = checked_size_b(request, ranks);
  hypermile::tune::CheckedBuffers checked(request.operation, size_b, ranks);
  checked.fill(size_b, 0, 1, MPI_COMM_WORLD);
  hypermile::tune::perform(request.operation, checked.buffers(), size_b, 0, MPI_COMM_WORLD);
  checked.check(size_b, 0, 1, MPI_COMM_WORLD);
  shared->meeting->wait(); // none drops its data while another one waits for them
  const auto* const self = s4u::Actor::self();
  smpi_replay_init(self->get_property("instance_id"), number<int>(self->get_property("rank")), 0);
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
  if (request.operation != Operation::bcast) { // whose algorithms have no buffers of their own
    check_and_drop_data(request, ranks);
    shared->meeting->wait();
  }
  for (std::size_t i = 0; i < request.sizes_b.size(); ++i) {
    const double begin_s = s4u::Engine::get_clock();
    const double begin_j = rank == 0 ? energy_j() : 0;
    for (int message = 0; message < request.messages; ++message)
      run_once(request, request.sizes_b[i]);
    if (rank == 0)
      print_line(stdout, "simulated %zu %.17g %.17g", i, s4u::Engine::get_clock() - begin_s,
                 energy_j() - begin_j);
    shared->meeting->wait(); // no rank begins before that has been read
  }
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
