// libFuzzer: whatever somebody asks a session to change is refused with an Error, or leads to
// bounds that can be used together, each a positive and finite number. Each line is a request, and
// changes what the one before it left.

#include "fuzz/expect.hpp"
#include "session/request.hpp"
#include "units/error.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

using namespace hypermile;

namespace {

bool is_figure(double value) { return std::isfinite(value) && value > 0; }

template <class Unit> bool is_figure(std::optional<Quantity<Unit>> bound) {
  return !bound || is_figure(bound->value());
}

void expect_usable(const steer::Bounds& bounds) {
  EXPECT_THAT(steer::check(bounds).empty());
  EXPECT_THAT(is_figure(bounds.power) && is_figure(bounds.throughput));
  EXPECT_THAT(is_figure(bounds.deadline) && is_figure(bounds.energy));
  EXPECT_THAT(!bounds.items || is_figure(*bounds.items));
  EXPECT_THAT(!bounds.utilisation || (is_figure(*bounds.utilisation) && *bounds.utilisation <= 1));
}

steer::Bounds after(const steer::Bounds& before, std::string_view request) {
  try {
    const steer::Bounds bounds = session::changed(before, request);
    expect_usable(bounds);
    return bounds;
  } catch (const Error&) {
    return before; // refused, as it may be
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  steer::Bounds bounds{.deadline = Seconds{100}, .items = 1000};
  while (!text.empty()) {
    const auto end = text.find('\n');
    bounds = after(bounds, text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return 0;
}
