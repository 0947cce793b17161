#include "calibrate/power_source.hpp"

#include "backend/wattmeter/integration.hpp"
#include "machine/registry.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

namespace hypermile::calibrate {
namespace {

namespace wattmeter = backend::wattmeter;

std::vector<wattmeter::Sample> read_samples(const PowerSource& source) {
  return wattmeter::samples_of(machine::read_log(source.log), source.node,
                               *machine::log_file(source.log));
}

} // namespace

Watts mean_power(const PowerSource& source, const Window& window) {
  constexpr double enough = 0.9;
  if (window.counted)
    return *window.counted / (window.to - window.from);
  const auto samples = read_samples(source);
  const auto integral =
      wattmeter::integrate(samples, window.from, window.to, wattmeter::longest_gap(samples));
  if (integral.coverage() < enough)
    throw Error(ErrorKind::config,
                fmt::format("{} covers {:.0f} % of the {:.3g} s from {:.3f} (since 1970) on",
                            *machine::log_file(source.log), 100 * integral.coverage(),
                            integral.interval.value(), window.from.value()),
                "a meter that writes while hypermile measures, and whose clock is right");
  return integral.energy / integral.covered;
}

bool has_come_to(const PowerSource& source, Seconds end) {
  return source.counter || read_samples(source).back().time >= end;
}

} // namespace hypermile::calibrate
