#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Random parallel programs, for a look at whether bounds on slowdown are kept by programs that
/// nobody thought of. The same seed gives the same program everywhere.
namespace random_programs {

/// How ranks talk to each other at the end of a step.
enum class Pattern : std::uint8_t {
  overlap,    ///< both neighbours, by non-blocking messages that computation hides
  persistent, ///< the same with persistent requests
  halo,       ///< both neighbours, nothing hidden
  shift,      ///< MPI_Sendrecv around the ring
  pipeline,   ///< each rank waits for the one before it
  tree,       ///< sums up a binomial tree and sends down again, message by message
  allreduce,
  broadcast,
  all_to_all,
  gather_scatter
};

/// Computation, and what is sent after it.
struct Step {
  Pattern pattern = Pattern::allreduce;
  int bytes = 8;
  int root = 0;
  int trips = 1;       ///< how often it is done in an iteration, one after the other
  bool varies = false; ///< from 1 to `trips` times
  double hidden = 0;   ///< share of the computation that is done while messages are on their way
  std::vector<double> seconds; ///< computation by rank, s on the reference machine
};

/// Something that happens to one rank between two iterations of the program.
struct Delay {
  int rank = -1; ///< -1: never
  int from = 0;
  int to = 0;
  double factor = 1; ///< of its computation
};

struct Program {
  std::uint64_t seed = 0;
  int ranks = 0;
  int iterations = 0;
  std::vector<std::vector<Step>> phases; ///< what an iteration consists of, in turn
  int phase_length = 0;                  ///< iterations
  std::vector<Step> rebuild;             ///< every so many iterations, before them
  int rebuild_every = 0;                 ///< 0: never
  double noise = 0; ///< standard deviation of an iteration's computation, relative
  double drift = 0; ///< computation of the last iteration is exp(drift) times the first's
  Delay straggler;  ///< until the end
  Delay burst;
};

/// A program that computes for about so many seconds on the reference machine.
[[nodiscard]] Program draw(std::uint64_t seed, int ranks, double seconds);

/// What is in it, in a few words: "120 iterations; overlap, tree; 3 phases of 20".
[[nodiscard]] std::string describe(const Program& program);

/// What carries out one rank's calls.
class Calls {
public:
  Calls() = default;
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;
  virtual ~Calls() = default;

  virtual void compute(double seconds) = 0;
  virtual void irecv(int from, int bytes) = 0;
  virtual void isend(int to, int bytes) = 0;
  /// For all since the last one.
  virtual void waitall() = 0;
  /// Prepares the messages of both neighbours once; the number is for start().
  virtual void prepare(std::size_t number, int before, int after, int bytes) = 0;
  virtual void start(std::size_t number) = 0;
  virtual void wait_for(std::size_t number) = 0;
  virtual void release(std::size_t number) = 0;
  virtual void send(int to, int bytes) = 0;
  virtual void recv(int from, int bytes) = 0;
  virtual void sendrecv(int to, int from, int bytes) = 0;
  virtual void allreduce(int bytes) = 0;
  virtual void broadcast(int root, int bytes) = 0;
  virtual void all_to_all(int bytes) = 0;
  virtual void gather(int root, int bytes) = 0;
  virtual void scatter(int root, int bytes) = 0;
};

/// One rank's part of the program.
void run(const Program& program, int rank, Calls& calls);

} // namespace random_programs
