// usage: random_computation SEED SECONDS RANKS SPEED
// What the random program of that seed computes between its MPI calls, for `hypermile simulate
// --computation`; SPEED: of a core of the reference machine, in the platform's unit. The
// description of the program goes to stderr.

#include "program.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

class OnPaper : public random_programs::Calls {
public:
  explicit OnPaper(double speed) : speed_(speed) {}

  void compute(double seconds) override { work_ += seconds * speed_; }
  void irecv(int, int) override { note("Irecv"); }
  void isend(int, int) override { note("Isend"); }
  void waitall() override { note("Waitall"); }
  void prepare(std::size_t, int, int, int) override {
    for (const char* name : {"Recv_init", "Recv_init", "Send_init", "Send_init"})
      note(name);
  }
  void start(std::size_t) override { note("Startall"); }
  void wait_for(std::size_t) override { note("Waitall"); }
  void release(std::size_t) override {
    for (int request = 0; request < 4; ++request)
      note("Request_free");
  }
  void send(int, int) override { note("Send"); }
  void recv(int, int) override { note("Recv"); }
  void sendrecv(int, int, int) override { note("Sendrecv"); }
  void allreduce(int) override { note("Allreduce"); }
  void broadcast(int, int) override { note("Bcast"); }
  void all_to_all(int) override { note("Alltoall"); }
  void gather(int, int) override { note("Gather"); }
  void scatter(int, int) override { note("Scatter"); }

  void note(const char* name) {
    lines_ += name;
    lines_ += ' ' + std::to_string(static_cast<long long>(std::round(work_))) + '\n';
    work_ = 0;
    ++count_;
  }
  void print(int rank) const { std::printf("rank %d calls %zu\n%s", rank, count_, lines_.c_str()); }

private:
  double speed_;
  double work_ = 0;
  std::string lines_;
  std::size_t count_ = 0;
};

} // namespace

int main(int argc, char** argv) {
  if (argc != 5)
    return 2;
  const int ranks = std::atoi(argv[3]);
  const auto program =
      random_programs::draw(std::strtoull(argv[1], nullptr, 10), ranks, std::atof(argv[2]));
  std::fprintf(stderr, "%s\n", random_programs::describe(program).c_str());
  std::printf("hypermile/computation/1\nranks %d\n", ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    OnPaper calls(std::atof(argv[4]));
    calls.note("Wtime");
    random_programs::run(program, rank, calls);
    calls.note("Wtime");
    calls.note("Finalize");
    calls.print(rank);
  }
}
