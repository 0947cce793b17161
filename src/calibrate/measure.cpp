#include "calibrate/measure.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hypermile::calibrate {
namespace {

constexpr std::array loads{Load::idle, Load::waiting, Load::computing};

/// One gear, before a log tells its power.
struct Part {
  model::Gear gear = 0;
  std::array<Window, loads.size()> windows{};
  double pairs_per_second = 0;
};

std::optional<Joules> count(PowerSource* source) {
  if (source == nullptr || !source->counter)
    return std::nullopt;
  const auto consumed = source->counter->consumed();
  if (!consumed)
    throw Error(ErrorKind::hardware, "the energy counter failed while it was read",
                "hypermile doctor");
  return consumed;
}

/// Waits so that a counter is read every few seconds: it may turn over.
void wait_and_count(Workbench& bench, PowerSource* source, Seconds time) {
  constexpr Seconds often{2};
  for (; time > often; time -= often) {
    bench.wait(often);
    (void)count(source);
  }
  bench.wait(time);
}

Window measure_window(Workbench& bench, PowerSource* source, Seconds time) {
  const auto before = count(source);
  const Seconds from = bench.now();
  wait_and_count(bench, source, time);
  const auto after = count(source);
  const Seconds to = bench.now();
  Window window{from, to, std::nullopt};
  if (before && after)
    window.counted = *after - *before;
  return window;
}

class Measurer {
public:
  Measurer(const Course& course, Workbench& bench, control::Actuator* actuator, PowerSource* source,
           const Observe& observe)
      : course_(course), bench_(bench), actuator_(actuator), source_(source), observe_(observe) {}

  Measurements run() {
    for (const model::Gear gear : course_.gears)
      if (shift(gear))
        parts_.push_back(measure_gear(gear));
    bench_.put(Load::idle);
    wait_for_log();
    for (const Part& part : parts_)
      result_.gears.push_back({part.gear, power_of(part), part.pairs_per_second});
    return std::move(result_);
  }

private:
  bool shift(model::Gear gear) {
    if (actuator_ == nullptr)
      return true;
    try {
      bench_.put(Load::idle);
      actuator_->set_gear(gear);
      return true;
    } catch (const Error& error) {
      done_ += parts();
      result_.remarks.push_back(fmt::format("gear {} is not measured: {}", gear, error.what()));
      return false;
    }
  }

  /// Of each gear. Without a meter only computing has anything to tell: its speed.
  [[nodiscard]] std::size_t parts() const { return source_ == nullptr ? 1 : loads.size(); }

  Part measure_gear(model::Gear gear) {
    Part part{.gear = gear};
    for (std::size_t i = loads.size() - parts(); i < loads.size(); ++i) {
      observe_(gear, loads.at(i),
               static_cast<double>(done_++) / static_cast<double>(course_.gears.size() * parts()));
      bench_.put(loads.at(i));
      bench_.wait(settling(course_, actuator_));
      const double pairs = bench_.pairs();
      part.windows.at(i) = measure_window(bench_, source_, course_.seconds);
      if (loads.at(i) == Load::computing) {
        const Window& window = part.windows.at(i);
        part.pairs_per_second = (bench_.pairs() - pairs) / (window.to - window.from).value();
        check_gear(gear);
      }
    }
    return part;
  }

  /// While all cores compute, since idle ones may have any frequency.
  void check_gear(model::Gear gear) {
    const std::string problem = actuator_ == nullptr ? "" : actuator_->verify();
    if (!problem.empty())
      result_.remarks.push_back(fmt::format("in gear {}: {}", gear, problem));
  }

  /// A meter may write its samples some time after they were taken.
  void wait_for_log() {
    constexpr int most = 20;
    if (source_ == nullptr || parts_.empty())
      return;
    const Seconds end = parts_.back().windows.back().to;
    for (int i = 0; i < most && !has_come_to(*source_, end); ++i)
      bench_.wait(Seconds{0.5});
  }

  [[nodiscard]] std::optional<model::GearPower> power_of(const Part& part) const {
    if (source_ == nullptr)
      return std::nullopt;
    const auto& [idle, waiting, computing] = part.windows;
    return model::GearPower{.computing = mean_power(*source_, computing),
                            .waiting = mean_power(*source_, waiting),
                            .idle = mean_power(*source_, idle)};
  }

  const Course& course_;
  Workbench& bench_;
  control::Actuator* actuator_;
  PowerSource* source_;
  const Observe& observe_;
  std::size_t done_ = 0;
  std::vector<Part> parts_;
  Measurements result_;
};

} // namespace

Measurements measure(const Course& course, Workbench& bench, control::Actuator* actuator,
                     PowerSource* source, const Observe& observe) {
  return Measurer(course, bench, actuator, source, observe).run();
}

Seconds settling(const Course& course, const control::Actuator* actuator) {
  const Seconds usual = course.seconds * 0.1;
  return actuator == nullptr ? usual : std::max(usual, actuator->settling());
}

const char* name_of(Load load) {
  return load == Load::idle ? "idle" : load == Load::waiting ? "waiting" : "computing";
}

} // namespace hypermile::calibrate
