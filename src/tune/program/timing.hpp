#pragma once

namespace hypermile::tune {

/// One operation on a rank, in seconds since all have left the barrier before it.
struct Times {
  double begin_s;
  double end_s;
};

} // namespace hypermile::tune
