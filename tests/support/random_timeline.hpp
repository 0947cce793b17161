#pragma once

#include "model/dependency/protocol.hpp"
#include "model/timeline.hpp"

#include <random>
#include <vector>

namespace hypermile::test {

/// Ways in which ranks exchange data.
enum class Pattern {
  ring,       ///< Sendrecv with both neighbours, around
  halo,       ///< Irecv and Isend with both neighbours, computation, Waitall
  overlap,    ///< the same in pairs, each request with a Wait of its own
  wavefront,  ///< Recv from the rank before, computation, Send to the next
  collective, ///< Allreduce
  rooted,     ///< Bcast and Reduce with a random root
  scan        ///< Scan
};

/// A program: its computation in gear 0 and its calls, which have no duration yet.
struct Program {
  model::Timeline timeline;
  std::vector<std::vector<std::uint32_t>> iterations; ///< by rank: the first event of each
  model::dependency::Protocol protocol;               ///< what a run() follows
  double overhead = 0;                                ///< of each call in MPI, s
};

/// Programs of random patterns with random computation, and what MPI does with them. All times
/// are multiples of 2^-18 s (4 us), so that sums are exact.
class RandomTimeline {
public:
  explicit RandomTimeline(unsigned seed) : engine_(seed) {}

  /// `patterns`: of each iteration, in this order.
  Program make(std::size_t ranks, std::size_t iterations, const std::vector<Pattern>& patterns,
               const model::dependency::Protocol& protocol);
  /// 1 to 4 random patterns, and a random protocol.
  Program make(std::size_t ranks, std::size_t iterations);

  std::size_t integer(std::size_t low, std::size_t high) {
    return std::uniform_int_distribution<std::size_t>(low, high)(engine_);
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  /// How much the computation of an iteration varies from one to the next, e.g. 0.1.
  /// No message is seen whose receiver waits from the beginning.
  RandomTimeline& without_preamble() {
    preamble_ = false;
    return *this;
  }
  RandomTimeline& noisy(double noise) {
    noise_ = noise;
    return *this;
  }

private:
  std::mt19937 engine_;
  double noise_ = 0;
  bool preamble_ = true;
};

/// Runs the program with its computation stretched: a small event simulation, written without
/// what it checks. A message takes a time that depends on its size only, a collective operation
/// one that depends on its kind; calls that wait for nobody take the overhead only.
struct Run {
  model::Timeline timeline; ///< with durations
  Seconds time;
};
[[nodiscard]] Run run(const Program& program, const std::vector<double>& scales);

} // namespace hypermile::test
