#pragma once

#include "model/dependency/noise.hpp"
#include "model/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace hypermile::runtime {

/// How much of an iteration's computation each rank does before which event, told from few and
/// noisy iterations.
///
/// Between two calls that all ranks wait in, some rank happens to be early and some late, and of
/// many ranks one is always very early: gears that use its slack slow down the next iteration. So
/// ranks that make the same calls are taken to divide an iteration alike, as far as their own
/// iterations do not differ from that again and again; and what is left over is noise, which comes
/// back in other iterations on other ranks.
class IterationParts {
public:
  using Firsts = std::vector<std::vector<std::uint32_t>>;

  /// `iterations`: by rank, the first event of each iteration and the one after them. The first
  /// event may be one within the first iteration, and the last one within the last.
  IterationParts(const model::Timeline& timeline, const Firsts& iterations);

  /// Divides what each rank computes in an iteration as it is to be expected. Ranks that are like
  /// no others, and ones whose iterations differ, keep what was recorded.
  void divide(model::Timeline& timeline) const;

  /// Where the noise of a rank may change: at each event of its iterations, or at each iteration.
  [[nodiscard]] const Firsts& blocks() const { return blocks_; }
  /// What an iteration takes more than expected, or less.
  struct Deviation {
    double factor = 1; ///< all of it takes so many times as long
    double late = 0;   ///< and one of its parts longer by so many times the iteration
  };
  /// By block of a rank: how many times as long as expected it computes. A part is the more often
  /// late the longer it is; of ranks that are like no others all parts are.
  [[nodiscard]] std::vector<double>
  draw(std::size_t rank, const std::vector<Deviation>& of_iterations, std::mt19937& engine) const;

private:
  using Shares = std::vector<double>; ///< of an iteration, by event
  struct Group {
    std::vector<std::size_t> ranks;
    std::size_t iterations = 0;    ///< whole ones, the last that all its ranks have
    std::size_t events = 0;        ///< of one
    std::vector<Shares> of_rank{}; ///< expected, by rank of the group
    std::vector<Shares> noise{};   ///< what else they were, by iteration of a rank
  };
  struct Place {
    std::size_t group;
    std::size_t index;
  };
  void estimate(Group& group) const;
  [[nodiscard]] std::size_t events_of(std::size_t rank, std::size_t iteration) const {
    return iterations_[rank][iteration + 1] - iterations_[rank][iteration];
  }
  [[nodiscard]] std::size_t lacks(std::size_t rank, std::size_t iteration) const;
  [[nodiscard]] Shares expected(std::size_t rank, std::size_t iteration) const;
  void draw_parts(std::size_t rank, std::size_t iteration, const Deviation& deviation,
                  std::mt19937& engine, std::vector<double>& factors) const;

  const Firsts& iterations_;
  std::vector<Group> groups_;
  std::vector<std::optional<Place>> place_;   ///< by rank; none: like no others
  std::vector<std::vector<Shares>> recorded_; ///< by rank and iteration
  Firsts blocks_;
};

} // namespace hypermile::runtime
