#include "runtime/apply/meter_watch.hpp"

#include <fmt/format.h>

namespace hypermile::runtime {
namespace {

/// What is drawn in less time is not known well: slow meters, of a board's controller for instance,
/// are updated every second or two.
constexpr Seconds long_enough{5};
/// A meter that says the same for so long, half of which a rank computed, counts nothing.
constexpr Seconds frozen_after{10};
constexpr double computing_share = 0.5;
/// Processors may draw more than their limit for some time, and their memory is metered, too.
constexpr double beyond_limit = 1.5;

} // namespace

void MeterWatch::add(Seconds now, Seconds computing, Joules drawn) {
  if (!why_not_.empty())
    return;
  const Reading reading{now, computing, drawn};
  if (!changed_ || drawn != changed_->drawn)
    changed_ = reading;
  const Seconds stood = now - changed_->time;
  if (stood >= frozen_after && computing - changed_->computing >= stood * computing_share)
    why_not_ = fmt::format("the energy counter said the same for {:.0f} s although the node "
                           "computed",
                           stood.value());
  if (last_ && drawn < last_->drawn)
    why_not_ = "the energy counter fell";
  if (last_ && now - last_->time < long_enough)
    return;
  const Watts power = last_ ? (drawn - last_->drawn) / (now - last_->time) : Watts{};
  if (limit_ && power > *limit_ * beyond_limit)
    why_not_ = fmt::format("the energy counter said {:.0f} W, and the processors may draw {:.0f} W",
                           power.value(), limit_->value());
  last_ = reading;
}

} // namespace hypermile::runtime
