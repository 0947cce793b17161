/// Starts other programs and forks in the middle of the loop. What is forked off marks iterations,
/// reads MPI's clock and calls exit().
/// helpers [iterations] [work in us]
#include "program.hpp"

#include <hypermile/hypermile.h>

#include <sys/wait.h>
#include <unistd.h>

namespace {

bool ended_well(pid_t child) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

bool fork_off() {
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 40; ++i) {
      hm_iteration();
      program::work(500);
    }
    std::exit(MPI_Wtime() >= 0 ? 0 : 1);
  }
  return ended_well(child);
}

bool run(const char* program) {
  const pid_t child = fork();
  if (child == 0) {
    execlp(program, program, static_cast<char*>(nullptr));
    _exit(127);
  }
  return ended_well(child);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 60);
  const int work = program::argument(argc, argv, 2, 1000);

  bool ok = true;
  for (int i = 0; i < iterations; ++i) {
    if (i == iterations / 3)
      ok = ok && std::system("true") == 0;
    if (i == iterations / 2)
      ok = ok && run("true") && fork_off();
    ok = ok && program::near(program::sum_of(program::work(work)), world.ranks);
  }
  return program::finish(ok);
}
