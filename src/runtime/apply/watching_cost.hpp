#pragma once

#include "units/quantity.hpp"

#include <algorithm>
#include <cstddef>

namespace hypermile::runtime {

/// What it costs a rank that its MPI calls are watched, by a sample of them: to read the clock more
/// often in every call would cost half as much again.
class WatchingCost {
public:
  /// A prime, so that the calls of hardly any loop are in step with it.
  static constexpr std::size_t between_samples = 61;

  /// A call begins. True: what it costs is to be told.
  bool is_sampled() { return ++calls_ % between_samples == 0; }
  /// Of a call that was sampled; what a call costs that has nothing to do but wait need not be
  /// told. Where it took longer than watching ever does, another program had the core.
  void add(Seconds of_call) {
    sampled_ += std::min(of_call, most);
    ++samples_;
  }
  /// Of all calls, about.
  [[nodiscard]] Seconds total() const { return sampled_ * static_cast<double>(between_samples); }
  /// Of one call, about.
  [[nodiscard]] Seconds of_one() const {
    return samples_ == 0 ? Seconds{} : sampled_ / static_cast<double>(samples_);
  }

private:
  static constexpr Seconds most{1e-5};

  std::size_t calls_ = 0;
  std::size_t samples_ = 0;
  Seconds sampled_;
};

} // namespace hypermile::runtime
