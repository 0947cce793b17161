#pragma once

#include "runtime/loop/loop.hpp"
#include "units/quantity.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace hypermile::runtime {

/// How much values vary around their level, which may change: a new level makes one large
/// difference between values that follow each other, noise makes many.
class Variation {
public:
  void add(double value);
  /// Standard deviation; 0 where fewer than two values are known.
  [[nodiscard]] double deviation() const;

private:
  double squares_ = 0; ///< of the differences, in all
  double differences_ = 0;
  std::optional<double> previous_;
};

/// What gears were chosen for, of one figure, and whether the last iterations show another level.
class Level {
public:
  /// So many iterations in a row may tell.
  static constexpr std::array<std::size_t, 2> rows{2, 4};

  /// `values`: of iterations that gears were chosen for, at least one.
  void begin(const std::vector<double>& values);
  void add(double value);
  /// 1: the last iterations, as many as the row has, are above the level, -1: below; 0: neither.
  [[nodiscard]] int departure(std::size_t row) const;
  /// Whether there are so many, and each is above this, or below.
  [[nodiscard]] bool is_above(std::size_t row, double least) const;
  [[nodiscard]] bool is_below(std::size_t row, double most) const;

private:
  /// What the means of a row are like. Where iterations that follow each other are alike, they vary
  /// more than the mean of as many that are not.
  struct Row {
    double sum = 0;
    std::size_t count = 0;
    Variation means;
  };
  double mean_ = 0;
  double deviation_ = 0;       ///< of one iteration's, in those that gears were chosen for
  double count_ = 0;           ///< of these
  std::vector<double> recent_; ///< of the last iterations, the latest at the end
  // Since the program began:
  Variation values_;
  std::array<Row, rows.size()> rows_;
};

/// Whether a rank still does what its gear was chosen for. Gears fit one loop; what they cost in
/// another, or once other ranks have most to do, nobody knows. Under a bound on slowdown that is to
/// be noticed at once, and not when the loop is next measured.
///
/// What tells is the share of an iteration that the rank computes: where all ranks get more to do,
/// or less, it stays, and their gears fit as they did. It has to change with what the rank
/// computes: alone it also changes where a rank gets ahead of others, or they catch up with it. If
/// only others have more to do, the rank's gear harms nobody, and they tell. A rank that does not
/// wait for others in its slower gear tells when it has more to do: its share is all that it can
/// be.
class FitWatch {
public:
  /// Gears were chosen now for iterations of this length that were like these; at least one.
  /// `scale`: S of the rank's gear.
  void begin(Seconds now, Seconds length, double scale, const std::vector<Computed>& iterations);
  /// Nothing is watched any more.
  void end() { length_ = {}; }
  [[nodiscard]] bool watches() const { return length_ > Seconds{}; }

  /// An iteration of the loop is over. True where it and those before it show that the rank does
  /// something else; then not again before begin().
  bool add(Seconds now, const Computed& iteration);
  /// The loop goes on after is_away(). True where it does so late again and again: its iterations
  /// take longer than they may.
  bool is_late_again(Seconds now);
  /// Whether an iteration should have been over by now, so that the program does something else.
  [[nodiscard]] bool is_away(Seconds now) const;

private:
  static constexpr double least_away_factor = 1.5;

  [[nodiscard]] double against_usual(Seconds computation) const;
  void learn_length(Seconds now);
  [[nodiscard]] bool departs(std::size_t row) const;

  Seconds length_;       ///< of an iteration; 0: nothing is watched
  Seconds last_;         ///< end of the last iteration
  double scale_ = 1;     ///< S of the rank's gear
  Seconds usual_;        ///< computation in gear 0
  std::size_t late_ = 0; ///< iterations in a row
  bool told_ = false;    ///< since begin()
  Level shares_;         ///< that the rank computes, in gear 0
  Level computations_;   ///< against what is usual
  Variation lengths_;    ///< relative to what is usual, since the program began
  double away_factor_ =
      least_away_factor; ///< an iteration is not over in so many times the usual length
};

} // namespace hypermile::runtime
