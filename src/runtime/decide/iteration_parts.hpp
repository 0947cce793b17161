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

  /// `iterations`: by rank, the first event of each whole iteration and the one after them.
  IterationParts(const model::Timeline& timeline, const Firsts& iterations);

  /// Divides what each rank computes in an iteration as it is to be expected. Ranks that are like
  /// no others, and ones whose iterations differ, keep what was recorded.
  void divide(model::Timeline& timeline) const;

  /// Where the noise of a rank may change: at each event of its iterations, or at each iteration.
  [[nodiscard]] const Firsts& blocks() const { return blocks_; }
  /// By block of a rank: how many times as long as expected it computes. `of_iterations`: how many
  /// times each iteration takes in all.
  [[nodiscard]] std::vector<double> draw(std::size_t rank, const std::vector<double>& of_iterations,
                                         std::mt19937& engine) const;

private:
  struct Group {
    std::vector<std::size_t> ranks;
    std::size_t iterations = 0; ///< the last ones, that all its ranks have
    std::size_t events = 0;     ///< of one
    /// Shares of an iteration, by event.
    std::vector<std::vector<double>> of_rank{}; ///< expected, by rank of the group
    std::vector<std::vector<double>> noise{};   ///< what else they were, by iteration of a rank
  };
  void estimate(const model::Timeline& timeline, Group& group) const;

  const Firsts& iterations_;
  std::vector<Group> groups_;
  std::vector<std::optional<std::pair<std::size_t, std::size_t>>> place_; ///< by rank: group, index
  Firsts blocks_;
};

} // namespace hypermile::runtime
