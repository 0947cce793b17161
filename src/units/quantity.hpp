#pragma once

#include <compare>

namespace hypermile {

/// A number with a unit. The unit is part of the type, so that a power cannot be
/// passed where an energy is meant; the value is in SI base units.
template <class Unit> class Quantity {
public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_(value) {}
  [[nodiscard]] constexpr double value() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) { return *this = *this + other; }
  constexpr Quantity& operator-=(Quantity other) { return *this = *this - other; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity{a.value_ + b.value_};
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity{a.value_ - b.value_};
  }
  friend constexpr Quantity operator*(Quantity a, double factor) {
    return Quantity{a.value_ * factor};
  }
  friend constexpr Quantity operator*(double factor, Quantity a) { return a * factor; }
  friend constexpr Quantity operator/(Quantity a, double divisor) {
    return Quantity{a.value_ / divisor};
  }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value_ / b.value_; }

private:
  double value_ = 0;
};

using Seconds = Quantity<struct SecondsUnit>;
using Joules = Quantity<struct JoulesUnit>;
using Watts = Quantity<struct WattsUnit>;
using Hertz = Quantity<struct HertzUnit>;
/// An amount of computation, and how fast a core does it. The unit is the
/// platform's own (the papers call it flop); only ratios have a meaning.
using Work = Quantity<struct WorkUnit>;
using Speed = Quantity<struct SpeedUnit>;
/// Items per second: requests, frames, steps, whatever a program works on.
using Rate = Quantity<struct RateUnit>;
using Bandwidth = Quantity<struct BandwidthUnit>;

constexpr Joules operator*(Watts p, Seconds t) { return Joules{p.value() * t.value()}; }
constexpr Joules operator*(Seconds t, Watts p) { return p * t; }
constexpr Watts operator/(Joules e, Seconds t) { return Watts{e.value() / t.value()}; }
constexpr Seconds operator/(Joules e, Watts p) { return Seconds{e.value() / p.value()}; }
constexpr Work operator*(Speed v, Seconds t) { return Work{v.value() * t.value()}; }
constexpr Work operator*(Seconds t, Speed v) { return v * t; }
constexpr Seconds operator/(Work w, Speed v) { return Seconds{w.value() / v.value()}; }

} // namespace hypermile
