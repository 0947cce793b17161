/// One rank ends in an unusual way, in the middle of the loop or after it; the others would go on.
/// ending exit|quick_exit|abort|crash|kill|throw|return|compute|stay [rank] [iterations]
///        [work in us] [file]
///   exit, quick_exit  by these functions, with code 7
///   abort             by MPI_Abort, with code 7
///   crash, kill       by SIGSEGV, SIGKILL
///   throw             by an exception that nobody catches
///   return            every rank returns 0 from main without MPI_Finalize
///   compute           every rank calls MPI_Finalize after a third of the iterations and goes on
///                     computing
///   stay              makes the file after a third of the iterations, and goes on for very long
#include "program.hpp"

#include <csignal>
#include <stdexcept>
#include <string>

namespace {

void end(const std::string& how, const char* file) {
  if (how == "exit")
    std::exit(7);
  if (how == "quick_exit")
    std::quick_exit(7);
  if (how == "abort")
    MPI_Abort(MPI_COMM_WORLD, 7);
  if (how == "crash")
    std::raise(SIGSEGV);
  if (how == "kill")
    std::raise(SIGKILL);
  if (how == "throw")
    throw std::runtime_error("thrown by the program");
  if (how == "stay")
    std::fclose(std::fopen(file, "w"));
}

bool iterate(const program::World& world, int iterations, int work) {
  bool ok = true;
  for (int i = 0; i < iterations; ++i)
    ok = ok && program::near(program::sum_of(program::work(work)), world.ranks);
  return ok;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const std::string how = argc > 1 ? argv[1] : "exit";
  const int victim = program::argument(argc, argv, 2, 1);
  const int iterations = program::argument(argc, argv, 3, 60);
  const int work = program::argument(argc, argv, 4, 1000);

  bool ok = iterate(world, iterations / 3, work);
  if (how == "compute") {
    MPI_Finalize();
    for (int i = iterations / 3; i < iterations; ++i)
      ok = ok && program::near(program::work(work), 1.0);
    int finalized = 0;
    MPI_Finalized(&finalized);
    return ok && finalized != 0 ? 0 : 1;
  }
  if (world.rank == victim)
    end(how, argc > 5 ? argv[5] : "/dev/null");
  const int more = how == "stay" ? 1000 * iterations : iterations - iterations / 3;
  ok = iterate(world, more, work) && ok;
  if (how == "return")
    return ok ? 0 : 1;
  return program::finish(ok);
}
