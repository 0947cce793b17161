#include "calibrate/node_gears.hpp"

#include "backend/cpufreq/backend.hpp"
#include "doctor/files.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace hypermile::calibrate {
namespace {

std::optional<Hertz> frequency_in_cpuinfo(const std::string& root) {
  const auto cpuinfo = doctor::read_if_there(root + "/proc/cpuinfo");
  const auto text = cpuinfo ? doctor::value_of(*cpuinfo, "cpu MHz") : std::nullopt;
  double mhz = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), mhz).ec != std::errc{} ||
      !(mhz > 0))
    return std::nullopt;
  return Hertz{mhz * 1e6};
}

/// Gears that are not the frequencies which Linux offers by itself: to measure the present one
/// would not be what was asked for.
bool asks_for_more(const std::string& backend, const control::Access& access) {
  const machine::Backend* const row = machine::find_backend(backend);
  if (row == nullptr || !row->automatic)
    return row != nullptr && row->needs_speeds;
  return std::ranges::any_of(row->options, [&](const control::BackendOption& option) {
    return access.options.contains(option.name);
  });
}

} // namespace

NodeGears::NodeGears(const std::string& backend, control::Access access, const std::string& root)
    : access_(std::move(access)), root_(root), gears_(machine::open_gears(backend, access_)),
      table_(gears_.table) {
  if (gears_.in_use || (gears_.problem && asks_for_more(backend, access_)))
    throw Error(*gears_.problem);
  if (table_)
    return;
  const auto frequency = present_frequency();
  frequencies_known_ = frequency.has_value();
  table_ = model::GearTable({frequency.value_or(Hertz{1e9})});
}

NodeGears::~NodeGears() { restore(); }

std::string NodeGears::why_not() const {
  if (gears_.actuator)
    return "";
  return gears_.problem ? gears_.problem->what() : "none is to be set";
}

std::vector<Watts> NodeGears::power_limits() const {
  return control::power_limits_of(gears_.settings);
}

std::vector<Hertz> NodeGears::uncore() const { return control::uncore_of(gears_.settings); }

std::size_t NodeGears::count() const {
  const std::size_t limits = power_limits().size();
  return limits > 0 ? limits : table_->size();
}

std::string NodeGears::name(model::Gear gear) const {
  return gears_.settings.empty() ? control::gear_at(table_->frequency(gear)).name
                                 : gears_.settings[gear].name;
}

std::optional<Hertz> NodeGears::present_frequency() const {
  const auto frequency = cpufreq::present_frequency(access_);
  return frequency ? frequency : frequency_in_cpuinfo(root_);
}

model::Gear NodeGears::present() const {
  const auto frequency = cpufreq::present_frequency(access_);
  if (!frequency)
    return 0;
  model::Gear nearest = 0;
  const auto distance = [&](model::Gear gear) {
    return std::abs((table_->frequency(gear) - *frequency).value());
  };
  for (model::Gear gear = 1; gear < table_->size(); ++gear)
    if (distance(gear) < distance(nearest))
      nearest = gear;
  return nearest;
}

std::vector<std::string> NodeGears::restore() noexcept {
  return gears_.lease ? gears_.lease->release() : std::vector<std::string>{};
}

} // namespace hypermile::calibrate
