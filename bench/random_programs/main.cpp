// usage: random_program SEED SECONDS
// The random program of that seed, for as many ranks as there are, on MPI. In a simulation its
// computation comes from a file that random_computation writes; else it computes.

#include "program.hpp"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <map>

namespace {

constexpr int tag = 7;

class OnMpi : public random_programs::Calls {
public:
  void compute(double seconds) override {
#ifdef SMPI_H
    (void)seconds;
#else
    constexpr double steps_per_second = 6e8; // in a chain that no compiler can shorten
    for (long step = static_cast<long>(seconds * steps_per_second); step > 0; --step)
      value_ = 0.75 * value_ + 0.25;
#endif
  }
  void irecv(int from, int bytes) override {
    MPI_Irecv(room(bytes), bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, next_request());
  }
  void isend(int to, int bytes) override {
    MPI_Isend(out(bytes), bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, next_request());
  }
  void waitall() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
    used_ = 0;
  }
  void prepare(std::size_t number, int before, int after, int bytes) override {
    auto& [requests, memory] = prepared_[number];
    requests.resize(4);
    memory.resize(static_cast<std::size_t>(bytes) * 3);
    MPI_Recv_init(memory.data(), bytes, MPI_BYTE, before, tag, MPI_COMM_WORLD, requests.data());
    MPI_Recv_init(memory.data() + bytes, bytes, MPI_BYTE, after, tag, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(memory.data() + 2 * bytes, bytes, MPI_BYTE, after, tag, MPI_COMM_WORLD,
                  &requests[2]);
    MPI_Send_init(memory.data() + 2 * bytes, bytes, MPI_BYTE, before, tag, MPI_COMM_WORLD,
                  &requests[3]);
  }
  void start(std::size_t number) override { MPI_Startall(4, prepared_[number].requests.data()); }
  void wait_for(std::size_t number) override {
    MPI_Waitall(4, prepared_[number].requests.data(), MPI_STATUSES_IGNORE);
  }
  void release(std::size_t number) override {
    for (MPI_Request& request : prepared_[number].requests)
      MPI_Request_free(&request);
  }
  void send(int to, int bytes) override {
    MPI_Send(out(bytes), bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
  }
  void recv(int from, int bytes) override {
    MPI_Recv(in(bytes), bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  void sendrecv(int to, int from, int bytes) override {
    MPI_Sendrecv(out(bytes), bytes, MPI_BYTE, to, tag, in(bytes), bytes, MPI_BYTE, from, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  void allreduce(int bytes) override {
    MPI_Allreduce(out(bytes), in(bytes), bytes / 8, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  }
  void broadcast(int root, int bytes) override {
    MPI_Bcast(in(bytes), bytes, MPI_BYTE, root, MPI_COMM_WORLD);
  }
  void all_to_all(int bytes) override {
    MPI_Alltoall(out(bytes * ranks_), bytes, MPI_BYTE, in(bytes * ranks_), bytes, MPI_BYTE,
                 MPI_COMM_WORLD);
  }
  void gather(int root, int bytes) override {
    MPI_Gather(out(bytes), bytes, MPI_BYTE, in(bytes * ranks_), bytes, MPI_BYTE, root,
               MPI_COMM_WORLD);
  }
  void scatter(int root, int bytes) override {
    MPI_Scatter(out(bytes * ranks_), bytes, MPI_BYTE, in(bytes), bytes, MPI_BYTE, root,
                MPI_COMM_WORLD);
  }

  explicit OnMpi(int ranks) : ranks_(ranks) {
    rooms_.resize(4);
    requests_.reserve(4);
  }
  [[nodiscard]] double value() const { return value_; }

private:
  struct Prepared {
    std::vector<MPI_Request> requests;
    std::vector<char> memory;
  };
  static char* at_least(std::vector<char>& memory, int bytes) {
    if (memory.size() < static_cast<std::size_t>(bytes))
      memory.resize(static_cast<std::size_t>(bytes));
    return memory.data();
  }
  char* out(int bytes) { return at_least(out_, bytes); }
  char* in(int bytes) { return at_least(in_, bytes); }
  char* room(int bytes) { return at_least(rooms_[used_++], bytes); }
  MPI_Request* next_request() { return &requests_.emplace_back(); }

  int ranks_;
  double value_ = 2;
  std::vector<char> out_ = std::vector<char>(1 << 22);
  std::vector<char> in_ = std::vector<char>(1 << 22);
  std::vector<std::vector<char>> rooms_;
  std::size_t used_ = 0;
  std::vector<MPI_Request> requests_; ///< never moves
  std::map<std::size_t, Prepared> prepared_;
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 3)
    return 2;
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const double start = MPI_Wtime();
  OnMpi calls(ranks);
  random_programs::run(
      random_programs::draw(std::strtoull(argv[1], nullptr, 10), ranks, std::atof(argv[2])), rank,
      calls);
  const double seconds = MPI_Wtime() - start;
  MPI_Finalize();
  if (rank == 0)
    std::printf("time: %.6f s (%d)\n", seconds, static_cast<int>(calls.value()));
  return 0;
}
