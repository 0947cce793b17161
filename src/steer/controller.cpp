#include "steer/controller.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::steer {
namespace {

constexpr double memory_s = 3;      ///< of what is smoothed
constexpr double fine_error = 0.02; ///< a visit may end
constexpr std::size_t least_looks = 2;
/// Fewer are no measure of how fast a program is: samples are put together until there are so many.
constexpr double enough_items = 10;
/// By so much of an item a count deviates, as some are half finished at its begin and its end.
constexpr double part_of_an_item = 0.4;
/// What a program does that is steady is looked at after so many samples, however little it is.
constexpr double most_samples = 10;
/// Single looks are taken to deviate by this, as if two had been seen, until more is known.
constexpr double first_deviation = 0.03;
constexpr double first_weight = 2;
/// So many samples in a row must say the same before anything is done about it.
constexpr std::size_t unlike_enough = 2;
constexpr std::size_t missed_enough = 3;
constexpr double missed_by = 0.02;
/// What is asked for may grow by this before another choice is made, and fall by this: a bound
/// should be kept, and a chance to save may wait.
constexpr double grown = 0.03;
constexpr double fallen = 0.10;
/// Deviations of a count that are no chance any more.
constexpr double significant = 2.5;

double log_ratio(double a, double b) { return std::abs(std::log(a / b)); }

/// The mean of looks at one configuration, without its error.
Measurement mean_of(const std::vector<Measurement>& looks) {
  const auto count = static_cast<double>(looks.size());
  Measurement mean{};
  mean.load = 0;
  for (const Measurement& look : looks) {
    mean.capacity += look.capacity / count;
    mean.power += look.power / count;
    mean.load += look.load / count;
  }
  return mean;
}

double squared_deviations(const std::vector<Measurement>& looks, const Measurement& mean) {
  double capacity = 0;
  double power = 0;
  for (const Measurement& look : looks) {
    capacity += std::pow(look.capacity / mean.capacity - 1, 2);
    power += std::pow(look.power / mean.power - 1, 2);
  }
  return std::max(capacity, power);
}

/// Whether a bound that grows as `now` / `then` asks for another choice.
bool has_moved(double now, double then, double noise) {
  const double change = now / then - 1;
  if (std::abs(change) <= significant * noise)
    return false;
  return change > grown || change < -fallen;
}

template <class Unit>
bool has_moved(std::optional<Quantity<Unit>> now, std::optional<Quantity<Unit>> then,
               double noise = 0) {
  if (now.has_value() != then.has_value())
    return true;
  return now && has_moved(now->value(), then->value(), noise);
}

/// Why there is another choice, but for bounds that a user has changed.
std::string reason_of(const Goal& goal, bool arrived) {
  if (arrived && goal.least_throughput)
    return fmt::format("{:.4g} items/s are asked for now", goal.least_throughput->value());
  if (!arrived && goal.most_energy_per_item)
    return fmt::format("{:.4g} J/item are left", goal.most_energy_per_item->value());
  return "nothing is asked for any more";
}

} // namespace

std::string name_of(Mode mode) {
  switch (mode) {
  case Mode::calibrating:
    return "calibrating";
  case Mode::choosing:
    return "choosing";
  case Mode::steady:
    break;
  }
  return "steady";
}

Controller::~Controller() = default;
Controller::Controller(Controller&&) noexcept = default;

Controller::Controller(const Space& space, const std::string& method, const Bounds& bounds,
                       const Watching& watching)
    : space_(space), method_(method), watching_(watching), order_{}, capacity_(memory_s),
      power_(memory_s), arrivals_(memory_s), scatter_(first_deviation, first_weight) {
  set_bounds(bounds);
  asked_ = false;
  account_.goal = goal_of(bounds_, {});
  begin_phase();
}

void Controller::set_bounds(const Bounds& bounds) {
  if (const std::string wrong = check(bounds); !wrong.empty())
    throw Error(ErrorKind::config, wrong);
  require_support(method_, goal_of(bounds, {}));
  asked_ = asked_ || bounds != bounds_;
  bounds_ = bounds;
}

Situation Controller::situation(const Sample& sample) const {
  Situation now{.time = sample.time, .items = sample.items_so_far, .energy = sample.energy_so_far};
  if (arrivals_.count() > 0)
    now.arrivals = Rate{arrivals_.mean()};
  return now;
}

Measurement Controller::measured(const Sample& sample) const {
  return {.capacity = capacity_of(sample).value(),
          .power = sample.power,
          .load = load_of(sample),
          .relative_error = std::hypot(scatter_.deviation(), part_of_an_item / sample.items)};
}

/// With the samples before it, if that is enough to tell something.
std::optional<Sample> Controller::put_together(const Sample& sample, Seconds longest) {
  pending_ = pending_ ? joined(*pending_, sample) : sample;
  constexpr double rounding = 1e-9;
  if (pending_->items < enough_items && pending_->length < longest * (1 - rounding))
    return std::nullopt;
  return std::exchange(pending_, std::nullopt);
}

const Order& Controller::on_sample(const Sample& sample) {
  last_ = sample;
  order_.reason.clear();
  if (sample.arrivals) {
    arrivals_.add(*sample.arrivals / sample.length.value(), sample.length.value());
    account_.arrivals = Rate{arrivals_.mean()};
  }
  if (order_.mode == Mode::steady)
    watch(sample);
  else
    look(sample);
  return order_;
}

/// The phase that begins is the present one.
void Controller::begin_phase() {
  account_.phase = phases_.size();
  phases_.push_back({make_search(method_, space_, goal_of(bounds_, {})), {}, {}});
  aim_search(account_.goal);
  account_.phases = phases_.size();
  ++account_.calibrations;
  calibrated_for_ = Seconds{};
  order_.mode = Mode::calibrating;
  advance("");
}

/// One more look at the configuration that is visited.
void Controller::look(const Sample& sample) {
  looked_for_ += sample.length;
  calibrated_for_ += sample.length;
  const bool over = looked_for_ >= watching_.longest_visit;
  const auto all = put_together(sample, over ? Seconds{} : watching_.longest_visit);
  if (all && capacity_of(*all) && (all->items >= enough_items || looks_.empty())) {
    looks_.push_back(measured(*all));
    looked_at_ += all->items;
  }
  if (over && all && all->items <= 0)
    looks_.clear(); // it has stopped, nobody knows when
  const bool fine = looks_.size() >= least_looks && error_of_looks() <= fine_error;
  if (!fine && !over)
    return;
  if (looks_.empty())
    give_up_visit();
  else
    finish_visit();
}

/// Of their mean.
double Controller::error_of_looks() const {
  return std::hypot(scatter_.deviation() / std::sqrt(static_cast<double>(looks_.size())),
                    part_of_an_item / looked_at_);
}

void Controller::finish_visit() {
  Measurement mean = mean_of(looks_);
  scatter_.add(squared_deviations(looks_, mean), looks_.size());
  mean.relative_error = error_of_looks();
  phase().search->observe(order_.configuration, mean);
  phase().visits.add(order_.configuration, mean);
  // What arrives may only now be known.
  const Goal goal = goal_of(bounds_, situation(last_));
  const bool arrived =
      !overloaded_ && has_moved(goal.least_throughput, account_.goal.least_throughput);
  if (asked_ || arrived)
    aim(goal);
  advance("");
}

void Controller::aim(const Goal& goal) {
  account_.goal = goal;
  asked_ = false;
  overloaded_ = false;
  aim_search(goal);
}

void Controller::aim_search(const Goal& goal) {
  phase().goal = goal;
  phase().search->aim(goal);
}

/// There was nothing to do: nothing can be learnt now. Stays until there is.
void Controller::give_up_visit() {
  interrupted_ = order_.mode;
  reference_.reset();
  order_.mode = Mode::steady;
  order_.sample = watching_.steady_sample;
  order_.reason = "the program did nothing that could be measured; waits for work";
}

/// Goes on with the search where it is.
void Controller::advance(const std::string& why) {
  looks_.clear();
  looked_at_ = 0;
  looked_for_ = Seconds{};
  pending_.reset();
  interrupted_.reset();
  Step step = phase().search->next();
  const bool too_long = calibrated_for_ >= watching_.longest_calibration;
  if (step.what == Step::What::visit && too_long && !phase().visits.empty()) {
    const Pick best = best_visited(phase().visits, account_.goal);
    step = {Step::What::settle, best.configuration, best.keeps_bounds,
            fmt::format("the best of those visited in {:.3g} s, the longest calibration",
                        watching_.longest_calibration.value())};
  }
  if (step.what == Step::What::settle && !step.keeps_bounds && aim_at_what_is_possible())
    return advance(why.empty() ? "more arrives than can be served within the bounds" : why);
  if (step.what == Step::What::settle)
    return settle(step, why);
  order_.configuration = step.configuration;
  order_.sample = watching_.calibration_sample;
  order_.reason = why.empty() ? step.reason : why + ": " + step.reason;
}

bool Controller::aim_at_what_is_possible() {
  const auto possible = goal_of_overloaded(bounds_, situation(last_));
  if (overloaded_ || !possible)
    return false;
  overloaded_ = true;
  aim_search(*possible);
  return true;
}

void Controller::settle(const Step& step, const std::string& why) {
  const bool stays = order_.configuration == step.configuration;
  order_.configuration = step.configuration;
  order_.mode = Mode::steady;
  order_.sample = watching_.steady_sample;
  order_.reason = (why.empty() ? "" : why + ": ") + (stays ? "stays: " : "") + step.reason;
  account_.keeps_bounds = step.keeps_bounds && !overloaded_;
  const Visit* visit = phase().visits.find(step.configuration);
  reference_ = visit == nullptr ? std::nullopt : std::optional(visit->mean);
  capacity_.reset();
  power_.reset();
  unlike_ = 0;
  missed_ = 0;
}

void Controller::watch(const Sample& latest) {
  const auto enough = put_together(latest, watching_.steady_sample * most_samples);
  if (!enough || !capacity_of(*enough)) { // hardly anything to do, or nothing
    (void)follow_goal(latest);
    return;
  }
  const Sample& sample = *enough;
  const Measurement seen = measured(sample);
  if (interrupted_) {
    order_.mode = *interrupted_;
    calibrated_for_ = Seconds{};
    return advance("work has come");
  }
  if (is_another_phase(sample))
    return change_phase(seen);
  if (unlike_ > 0) // not a word on bounds before it is known what phase this is
    return;
  capacity_.add(seen.capacity.value(), sample.length.value());
  power_.add(seen.power.value(), sample.length.value());
  if (!follow_goal(sample))
    (void)mend_missed_bound(sample);
}

/// The arrivals cannot tell: capacity does not depend on them. Power does, so it is compared where
/// the load is as it was.
bool Controller::is_another_phase(const Sample& sample) {
  constexpr double same_load = 0.1;
  const Measurement seen = measured(sample);
  if (!reference_) {
    reference_ = seen;
    return false;
  }
  const double of_sample =
      scatter_.deviation() / std::sqrt(sample.length / watching_.calibration_sample);
  const double error = std::hypot(of_sample, part_of_an_item / sample.items);
  const double tolerance = std::log(1 + watching_.phase_change) + 3 * error;
  const bool other_capacity =
      log_ratio(seen.capacity.value(), reference_->capacity.value()) > tolerance;
  const bool other_power = std::abs(seen.load - reference_->load) < same_load &&
                           log_ratio(seen.power.value(), reference_->power.value()) > tolerance;
  unlike_ = other_capacity || other_power ? unlike_ + 1 : 0;
  return unlike_ >= unlike_enough;
}

std::optional<std::size_t> Controller::known_phase(const Measurement& seen) const {
  std::optional<std::size_t> nearest;
  double least = std::log(1 + watching_.phase_change); // more would be a change of it
  for (std::size_t index = 0; index < phases_.size(); ++index) {
    if (index == account_.phase)
      continue;
    const auto expected = phases_[index].search->expected(order_.configuration);
    if (!expected)
      continue;
    const double of_capacity = log_ratio(seen.capacity.value(), expected->capacity.value());
    const bool comparable = seen.load == 1 && load(phases_[index].goal, expected->capacity) == 1;
    const double of_power = comparable ? log_ratio(seen.power.value(), expected->power.value()) : 0;
    if (std::max(of_capacity, of_power) < least) {
      least = std::max(of_capacity, of_power);
      nearest = index;
    }
  }
  return nearest;
}

void Controller::change_phase(const Measurement& seen) {
  ++account_.phase_changes;
  overloaded_ = false;
  account_.goal = goal_of(bounds_, situation(last_));
  if (const auto known = known_phase(seen)) {
    account_.phase = *known;
    aim(account_.goal);
    order_.mode = Mode::choosing;
    calibrated_for_ = Seconds{};
    return advance(fmt::format("phase {} is back", *known + 1));
  }
  const std::size_t here = order_.configuration;
  begin_phase();
  // What was just seen is the first visit of the new phase.
  phase().search->observe(here, seen);
  phase().visits.add(here, seen);
  advance(fmt::format("phase {} is new", account_.phase + 1));
}

/// Chooses again if what is asked for has changed. True: it did.
bool Controller::follow_goal(const Sample& sample) {
  const Goal goal = goal_of(bounds_, situation(sample));
  const double noise =
      goal.arrivals ? 1 / std::sqrt(std::max(goal.arrivals->value() * 2 * memory_s, 1.0)) : 0;
  const bool asked = asked_;
  const bool arrived = has_moved(goal.least_throughput, account_.goal.least_throughput, noise);
  const bool spent = has_moved(account_.goal.most_energy_per_item, goal.most_energy_per_item);
  if ((!asked && !arrived && !spent) || phase().visits.empty())
    return false;
  aim(goal);
  order_.mode = Mode::choosing;
  calibrated_for_ = Seconds{};
  const std::size_t before = order_.configuration;
  advance(asked ? "the bounds have changed" : reason_of(goal, arrived));
  const bool moves = order_.configuration != before;
  if (!asked && arrived && moves && goal.arrivals)
    ++account_.arrival_changes;
  if (!asked && !moves && order_.mode == Mode::steady)
    order_.reason.clear(); // nothing to tell: it is right as it is
  return true;
}

/// What was measured where it settled no longer keeps the bounds, in the same phase.
bool Controller::mend_missed_bound(const Sample& sample) {
  if (!account_.keeps_bounds)
    return false;
  const Performance now{Rate{capacity_.mean()}, Watts{power_.mean()}};
  missed_ = excess(account_.goal, now) > missed_by ? missed_ + 1 : 0;
  if (missed_ < missed_enough)
    return false;
  const Measurement seen{.capacity = now.capacity,
                         .power = now.power,
                         .load = load_of(sample),
                         .relative_error = scatter_.deviation() / 2};
  phase().search->correct(order_.configuration, seen);
  phase().visits.replace(order_.configuration, seen);
  order_.mode = Mode::choosing;
  calibrated_for_ = Seconds{};
  advance("the bounds are missed by more than was measured");
  return true;
}

} // namespace hypermile::steer
