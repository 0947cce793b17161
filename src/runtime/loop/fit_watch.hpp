#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace hypermile::runtime {

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
  void learn_variation(double share);
  [[nodiscard]] double deviation() const;
  [[nodiscard]] bool departs(std::size_t iterations, double change, double errors) const;

  Seconds length_;             ///< of an iteration; 0: nothing is watched
  Seconds last_;               ///< end of the last iteration
  double mean_ = 0;            ///< share that gears were chosen for
  double deviation_ = 0;       ///< of one iteration's, in these
  double count_ = 0;           ///< iterations that these rest on
  std::vector<double> recent_; ///< shares of the last iterations, the latest at the end
  std::size_t late_ = 0;       ///< iterations in a row
  bool told_ = false;          ///< since begin()
  // From one iteration to the next, since the program began:
  double variation_ = 0; ///< sum of the squares of differences
  double differences_ = 0;
  std::optional<double> previous_; ///< share
};

} // namespace hypermile::runtime
