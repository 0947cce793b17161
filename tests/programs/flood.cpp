/// Floods MPI with short messages of random sizes, in which nothing repeats; then iterates. Each
/// rank floods itself, as fast as MPI can. Wants a signal for mistakes in its arithmetic, as traps
/// does.
/// flood [thousands of messages] [iterations] [work of each in us]
#include "program.hpp"

#include <array>
#include <cfenv>
#include <cstdint>

namespace {

/// Always the same numbers.
class Numbers {
public:
  int below(int bound) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(bound));
  }

private:
  std::uint64_t state_ = 1;
};

bool flood(const program::World& world, int messages) {
  constexpr int most = 200;
  std::array<char, most> out{};
  std::array<char, most> in{};
  Numbers numbers;
  bool ok = true;
  for (int i = 0; i < messages; ++i) {
    const int size = 1 + numbers.below(most);
    const int tag = numbers.below(1000);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    out[0] = static_cast<char>(size);
    MPI_Irecv(in.data(), most, MPI_CHAR, world.rank, tag, MPI_COMM_WORLD, &request);
    MPI_Send(out.data(), size, MPI_CHAR, world.rank, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    int got = 0;
    MPI_Get_count(&status, MPI_CHAR, &got);
    ok = got == size && in[0] == out[0] && ok;
  }
  return ok;
}

} // namespace

int main(int argc, char** argv) {
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  MPI_Init(&argc, &argv);
  const program::World world;
  bool ok = flood(world, 1000 * program::argument(argc, argv, 1, 400));
  const int iterations = program::argument(argc, argv, 2, 100);
  const int work = program::argument(argc, argv, 3, 1000);
  double sum = 0;
  for (int i = 0; i < iterations; ++i)
    sum += program::shift(world, program::work(world.rank == 0 ? work : work / 2));
  ok = program::near(sum, iterations) && ok;
  return program::finish(ok);
}
