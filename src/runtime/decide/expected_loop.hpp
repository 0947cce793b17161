#pragma once

#include "model/dependency/noise.hpp"
#include "runtime/decide/iteration_parts.hpp"
#include "runtime/decide/rank_shares.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace hypermile::runtime {

/// What varies in a loop, over all that was recorded of it.
struct LoopNoise {
  model::dependency::IterationNoise of_recorded;
  Seconds recorded;
  /// The part of the variance that stays however long the loop goes on: iterations that vary about
  /// their mean make up for each other, what is not sure of the mean does not.
  double lasting = 1;

  /// How many times the deviation over what was recorded is that over so long a time.
  [[nodiscard]] double left_after(Seconds time) const;
};

/// The recorded part of a loop as a program of steps: with the computation that is to be expected
/// of each rank, where enough is known of that, in place of what it happened to take in a few
/// iterations; and how much that may still vary.
class ExpectedLoop {
public:
  /// `timeline`: what the measurements' timelines have in common. `begin`: see
  /// Dependencies::begin_at(); none where all ranks begin it at the same moment.
  ExpectedLoop(const std::vector<Measurement>& measurements, const model::Timeline& timeline,
               std::optional<Seconds> begin, const model::dependency::Protocol& assumed);

  [[nodiscard]] const model::dependency::Dependencies& dependencies() const {
    return expected_ ? *expected_ : *as_recorded_;
  }
  /// Mean time of a recorded iteration as it passed; none where the timeline has not one.
  [[nodiscard]] std::optional<Seconds> iteration() const { return iteration_; }
  /// The time that all that was recorded took in the gears of then.
  [[nodiscard]] Seconds recorded() const { return recorded_; }
  /// By how much the same, whatever is expected of it, takes longer in the present gears than in
  /// gear 0; in the gears of then, where not all ranks have measured iterations in the present
  /// ones.
  [[nodiscard]] double slowdown() const { return slowdown_; }
  /// Likewise with these scaling factors, by rank.
  [[nodiscard]] double slowdown_with(const std::vector<double>& scales) const;
  /// How much iterations vary, and what is not sure of the ranks. Where nothing tells: none; or
  /// much, where that is to be assumed.
  [[nodiscard]] std::optional<LoopNoise> noise(std::size_t resamples, bool bounded) const;

private:
  using Firsts = std::vector<std::vector<std::uint32_t>>;
  using Gears = std::vector<std::vector<model::dependency::ScaleChange>>; ///< by rank
  void expect(const model::dependency::Matching& matching, const model::dependency::Calls& calls,
              const model::dependency::Costs& costs);
  [[nodiscard]] std::vector<double> parts_in_step() const;
  void expect_as_in_all(const model::dependency::Matching& matching,
                        const model::dependency::Calls& calls,
                        const model::dependency::Costs& costs);
  void expect_to_last();
  [[nodiscard]] double against_gear0(const Gears& gears) const;
  [[nodiscard]] std::unique_ptr<model::dependency::Dependencies>
  begun(model::dependency::Dependencies dependencies) const;
  [[nodiscard]] model::dependency::IterationNoise::Factors draw(std::size_t resamples,
                                                                bool bounded) const;
  [[nodiscard]] model::dependency::IterationNoise assumed_noise(std::size_t resamples) const;
  [[nodiscard]] double lasting(bool bounded) const;

  const std::vector<Measurement>& measurements_;
  const model::Timeline& timeline_;
  std::optional<Seconds> begin_;
  Firsts iterations_;
  std::optional<RankShares> shares_;    ///< none: the computation is as it was recorded
  std::optional<IterationParts> parts_; ///< with them
  std::optional<Seconds> iteration_;
  Seconds recorded_;
  double slowdown_ = 0;
  std::unique_ptr<model::dependency::Dependencies> as_recorded_;
  std::unique_ptr<model::dependency::Dependencies> expected_; ///< none: as it was recorded
};

} // namespace hypermile::runtime
