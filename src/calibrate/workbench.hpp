#pragma once

#include "units/quantity.hpp"

namespace hypermile::calibrate {

/// What the cores of the node do.
enum class Load {
  idle,     ///< nothing
  waiting,  ///< look for messages, as MPI libraries do
  computing ///< draw random numbers, as NAS EP does
};

/// The cores of a node, and time.
class Workbench {
public:
  virtual ~Workbench() = default;
  /// From now on, until it is called again.
  virtual void put(Load load) = 0;
  /// Pairs of random numbers that all cores have drawn together, since an origin that is the same
  /// for all calls.
  [[nodiscard]] virtual double pairs() const = 0;
  /// Since 1970-01-01 00:00 UTC; does not jump.
  [[nodiscard]] virtual Seconds now() const = 0;
  /// Throws Interrupted when the user wants it all to end.
  virtual void wait(Seconds time) = 0;
};

/// Thrown where work stops because of a signal.
struct Interrupted {
  int signal;
};

} // namespace hypermile::calibrate
