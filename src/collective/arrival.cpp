#include "collective/arrival.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace hypermile::collective {
namespace {

using Kind = Arrival::Kind;

constexpr std::array kinds{std::pair{Kind::together, std::string_view{"together"}},
                           std::pair{Kind::uniform, std::string_view{"uniform"}},
                           std::pair{Kind::normal, std::string_view{"normal"}},
                           std::pair{Kind::exponential, std::string_view{"exponential"}}};
constexpr std::array units{std::pair{std::string_view{"us"}, 1e-6},
                           std::pair{std::string_view{"ms"}, 1e-3},
                           std::pair{std::string_view{"s"}, 1.0}};

/// D. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators" (2014): mixes
/// all bits of a number.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// Above 0, and at most 1.
double share(std::uint64_t bits) { return (static_cast<double>(bits >> 11U) + 1) * 0x1p-53; }

[[noreturn]] void refuse(std::string_view text) {
  throw std::invalid_argument("'" + std::string(text) +
                              "' is not together, or uniform, normal or exponential with a time "
                              "from 1us to 1s, such as uniform:5ms");
}

} // namespace

Arrival parse_arrival(std::string_view text) {
  const auto colon = text.find(':');
  const auto* const kind =
      std::ranges::find(kinds, text.substr(0, colon), [](const auto& row) { return row.second; });
  if (kind == kinds.end() || (kind->first == Kind::together) != (colon == std::string_view::npos))
    refuse(text);
  if (kind->first == Kind::together)
    return {};
  const std::string_view time = text.substr(colon + 1);
  double value = 0;
  const auto [end, status] = std::from_chars(time.data(), time.data() + time.size(), value);
  const auto* const unit =
      std::ranges::find(units, time.substr(static_cast<std::size_t>(end - time.data())),
                        [](const auto& row) { return row.first; });
  if (status != std::errc{} || unit == units.end())
    refuse(text);
  const double scale_s = value * unit->second;
  if (!(scale_s >= 1e-6 && scale_s <= 1))
    refuse(text);
  return {.kind = kind->first, .scale_s = scale_s};
}

std::string arrival_text(const Arrival& arrival) {
  const auto* const kind =
      std::ranges::find(kinds, arrival.kind, [](const auto& row) { return row.first; });
  if (arrival.kind == Kind::together)
    return std::string(kind->second);
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), arrival.scale_s);
  return std::string(kind->second) + ":" + std::string(digits.data(), written.ptr) + "s";
}

double usual_last_s(const Arrival& arrival) {
  switch (arrival.kind) {
  case Kind::together:
    return 0;
  case Kind::uniform:
    return arrival.scale_s;
  case Kind::normal:
    return 4 * arrival.scale_s;
  case Kind::exponential:
    return 2 * arrival.scale_s;
  }
  return 0;
}

double lateness_s(const Arrival& arrival, std::uint64_t seed, std::uint64_t operation,
                  std::uint64_t process) {
  const std::uint64_t bits = mixed(mixed(mixed(seed) ^ operation) ^ process);
  switch (arrival.kind) {
  case Kind::together:
    return 0;
  case Kind::uniform:
    return arrival.scale_s * share(bits);
  case Kind::normal: { // Box and Muller
    const double standard =
        std::sqrt(-2 * std::log(share(bits))) * std::cos(2 * std::numbers::pi * share(mixed(bits)));
    return arrival.scale_s * std::clamp(3 + standard, 0.0, 6.0);
  }
  case Kind::exponential:
    return arrival.scale_s * std::min(-std::log(share(bits)), 10.0);
  }
  return 0;
}

} // namespace hypermile::collective
