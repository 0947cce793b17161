#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <vector>

namespace hypermile::runtime {

/// Notices when a rank's iterations are no longer what they were when gears were chosen: when
/// their computation or length departs by 10 % and more than its noise explains, for two blocks of
/// iterations in a row. A rank whose iterations change back and forth is heard less and less often.
class DriftWatch {
public:
  /// Gears were chosen: what comes next is what they were chosen for.
  void begin();
  /// An iteration is over. True where the iterations have drifted; then not again before begin().
  bool add(Seconds computation_in_gear0, Seconds length);

private:
  static constexpr std::size_t block = 16; ///< iterations
  /// Sums over a block.
  struct Block {
    std::size_t iterations = 0;
    double sum[2] = {0, 0}; ///< of computation and length, in s
    double squares[2] = {0, 0};
    void add(double computation, double length);
  };
  void refer_to(const Block& first);
  [[nodiscard]] int departure(const Block& recent) const;

  Block reference_;
  bool known_ = false; ///< the reference is complete
  Block recent_;
  int departed_ = 0;  ///< how the last block did: as departure()
  bool told_ = false; ///< since begin()
  std::size_t since_begin_ = 0;
  std::size_t patience_ = 2 * block; ///< iterations between begin() and telling
  bool caused_ = false;         ///< it told before the last begin(), and has no reference since
  std::vector<double> earlier_; ///< computation before, the last levels
};

} // namespace hypermile::runtime
