#pragma once

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

/// Whether a rank still does what its gear was chosen for. Gears fit one loop; what they cost in
/// another, or once other ranks have most to do, nobody knows. Under a bound on slowdown that is to
/// be noticed at once, and not when the loop is next measured.
///
/// What tells is the share of an iteration that the rank computes: where all ranks get more to do,
/// or less, it stays, and their gears fit as they did.
class FitWatch {
public:
  /// Gears were chosen now for iterations of this length, of which the rank computed these shares,
  /// in gear 0; at least one.
  void begin(Seconds now, Seconds length, const std::vector<double>& shares);
  /// Nothing is watched any more.
  void end() { length_ = {}; }
  [[nodiscard]] bool watches() const { return length_ > Seconds{}; }

  /// An iteration of the loop is over. True where it and those before it show that the share is no
  /// longer what it was; then not again before begin().
  bool add(Seconds now, double share);
  /// The loop goes on after is_away(). True where it does so late again and again: its iterations
  /// take longer than they may.
  bool is_late_again(Seconds now);
  /// Whether an iteration should have been over by now, so that the program does something else.
  [[nodiscard]] bool is_away(Seconds now) const;

private:
  /// So many iterations in a row may tell.
  static constexpr std::array<std::size_t, 2> rows{2, 4};
  static constexpr double least_away_factor = 1.5;
  /// What the means of a row are like. Where iterations that follow each other are alike, they vary
  /// more than the mean of as many that are not.
  struct Row {
    double sum = 0;
    std::size_t count = 0;
    Variation means;
  };

  void learn_length(Seconds now);
  void learn_share(double share);
  [[nodiscard]] bool departs(std::size_t row) const;

  Seconds length_;             ///< of an iteration; 0: nothing is watched
  Seconds last_;               ///< end of the last iteration
  double mean_ = 0;            ///< share that gears were chosen for
  double deviation_ = 0;       ///< of one iteration's, in these
  double count_ = 0;           ///< iterations that these rest on
  std::vector<double> recent_; ///< shares of the last iterations, the latest at the end
  std::size_t late_ = 0;       ///< iterations in a row
  bool told_ = false;          ///< since begin()
  // Since the program began:
  Variation shares_;
  Variation lengths_; ///< relative to what is usual
  double away_factor_ =
      least_away_factor; ///< an iteration is not over in so many times the usual length
  std::array<Row, rows.size()> rows_;
};

} // namespace hypermile::runtime
