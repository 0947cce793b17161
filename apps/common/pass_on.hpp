#pragma once

#include "common/session.hpp"

#include <cmath>
#include <limits>

namespace apps {

/// A ring of ranks, each of which tells the next one a number again and again.
class PassOn {
public:
  explicit PassOn(const Session& session) : session_(session) {}

  /// Returns what the rank before has told.
  double operator()(double own) {
    double other = 0;
    MPI_Sendrecv(&own, 1, MPI_DOUBLE, (session_.rank() + 1) % session_.ranks(), 0, &other, 1,
                 MPI_DOUBLE, (session_.rank() + session_.ranks() - 1) % session_.ranks(), 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    told_ += own;
    heard_ += other;
    ++times_;
    return other;
  }

  /// How far what all ranks have heard is from what they have told, as a part of that. On every
  /// rank.
  [[nodiscard]] double error() const {
    return std::abs(sum_of_ranks(heard_) / sum_of_ranks(told_) - 1);
  }
  /// How far it may be off: sums of positive numbers round once for each.
  [[nodiscard]] double bound() const {
    return 4.0 * (times_ + 1) * session_.ranks() * std::numeric_limits<double>::epsilon();
  }

private:
  const Session& session_;
  double told_ = 0;
  double heard_ = 0;
  int times_ = 0;
};

} // namespace apps
