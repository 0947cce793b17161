#pragma once

#include "master_worker/worker.hpp"

#include <vector>

namespace apps::master_worker {

/// Hands out the items of each integral to whoever is free. Where the next integral has its
/// peaks depends on the value of this one, so they are computed one after the other.
class Master {
public:
  /// `ranks`: with the master. If there is no other, it computes itself.
  Master(const Problem& problem, int ranks);

  /// The next integral.
  double next();
  /// Ends the workers.
  void end() const;

  /// What came back, all integrals together.
  [[nodiscard]] Tally handed_in() const { return handed_in_; }
  /// The largest distance of an integral from its exact value.
  [[nodiscard]] double largest_error() const { return largest_error_; }
  /// The sum of all integrals.
  [[nodiscard]] double checksum() const { return checksum_; }
  /// Whether the first integral is, to the bit, what the master gets without the workers.
  [[nodiscard]] bool first_is_that_of_one_rank() const;

private:
  void compute_alone(double shift);
  void hand_out(double shift);
  void take_answer(double shift, std::uint32_t& next);
  void send(double shift, std::uint32_t index, int worker) const;

  Problem problem_;
  int ranks_;
  double shift_ = 0.0;
  std::vector<double> values_; ///< of the items, in their order
  std::vector<double> first_;  ///< those of the first integral
  Tally handed_in_;
  double largest_error_ = 0.0;
  double checksum_ = 0.0;
};

} // namespace apps::master_worker
