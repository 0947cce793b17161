#include "steer/controller.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hypermile::steer {
namespace {

constexpr double memory_s = 3; ///< of what is smoothed
/// So many samples in a row must miss the bounds by so much before anything is done about it.
constexpr std::size_t missed_enough = 3;
constexpr double missed_by = 0.02;

/// Why there is another choice, but for bounds that a user has changed.
std::string reason_of(const Goal& goal, bool arrived, double granted) {
  const std::string without = granted < 1 ? fmt::format(", without other programs, which leave it "
                                                        "{:.0f} % of the time that it wants its "
                                                        "cores",
                                                        100 * granted)
                                          : "";
  if (arrived && goal.least_throughput)
    return fmt::format("{:.4g} items/s are asked for now{}", goal.least_throughput->value(),
                       without);
  if (!arrived && goal.most_energy_per_item)
    return fmt::format("{:.4g} J/item are left", goal.most_energy_per_item->value());
  return "nothing is asked for any more";
}

/// Of the share that is granted: less is not worth another choice.
constexpr double hardly_contended = 0.95;

/// What arrives; while the program does more than that, it works off what has been waiting.
double items_to_serve(const Sample& sample) {
  return load_of(sample) < 1 ? *sample.arrivals : std::max(*sample.arrivals, sample.items);
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
                       const Sampling& sampling)
    : space_(space), method_(method), sampling_(sampling), action_{}, averager_(sampling),
      phase_watch_(sampling.phase_change), arrivals_(Seconds{memory_s}), granted_(memory_s),
      capacity_(memory_s), power_(memory_s) {
  set_bounds(bounds);
  asked_ = false;
  account_.goal = goal_of(bounds_, {});
  begin_phase();
  advance("");
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
  if (arrivals_.known())
    now.arrivals = arrivals_.rate();
  if (!granted_.empty() && granted_.mean() < hardly_contended)
    now.granted = granted_.mean();
  return now;
}

const Action& Controller::on_sample(const Sample& sample) {
  last_ = sample;
  granted_.add(granted(sample), sample.length.value());
  action_.reason.clear();
  if (sample.arrivals) {
    arrivals_.add(items_to_serve(sample), sample.length);
    account_.arrivals = arrivals_.rate();
  }
  if (action_.mode == Mode::steady)
    watch(sample);
  else
    add_to_visit(sample);
  return action_;
}

/// The phase that begins is the present one.
void Controller::begin_phase() {
  account_.phase = phases_.size();
  phases_.push_back(make_search(method_, space_, goal_of(bounds_, {})));
  search().aim(account_.goal);
  account_.phases = phases_.size();
  ++account_.calibrations;
  calibrated_for_ = Seconds{};
  action_.mode = Mode::calibrating;
}

/// One more sample of the configuration that is visited.
void Controller::add_to_visit(const Sample& sample) {
  calibrated_for_ += sample.length;
  if (!averager_.add(sample))
    return;
  if (const auto mean = averager_.finish())
    finish_visit(*mean);
  else
    give_up_visit();
}

void Controller::finish_visit(const Measurement& mean) {
  search().observe(action_.configuration, mean);
  // What arrives may only now be known.
  const Goal goal = goal_of(bounds_, situation(last_));
  const bool arrived =
      !overloaded_ && asks_for_more_or_less(goal.least_throughput, account_.goal.least_throughput);
  if (asked_ || arrived)
    aim(goal);
  advance("");
}

void Controller::aim(const Goal& goal) {
  account_.goal = goal;
  contended_ = situation(last_).granted < 1;
  asked_ = false;
  overloaded_ = false;
  search().aim(goal);
}

/// There was nothing to do: nothing can be learnt now. Stays until there is.
void Controller::give_up_visit() {
  interrupted_ = action_.mode;
  phase_watch_.compare_with(std::nullopt);
  action_.mode = Mode::steady;
  action_.sample = sampling_.steady_sample;
  action_.reason = "the program did nothing that could be measured; waits for work";
}

/// Goes on with the search where it is.
void Controller::advance(const std::string& why) {
  averager_.begin();
  interrupted_.reset();
  Step step = search().next();
  const bool too_long = calibrated_for_ >= sampling_.longest_calibration;
  if (step.what == Step::What::visit && too_long && !search().visits().empty()) {
    const Pick best = best_visited(search().visits(), account_.goal);
    step = {Step::What::settle, best.configuration, best.keeps_bounds,
            fmt::format("the best of those visited in {:.3g} s, the longest calibration",
                        sampling_.longest_calibration.value())};
  }
  if (step.what == Step::What::settle && !step.keeps_bounds && aim_at_what_is_possible())
    return advance(why.empty() ? "more arrives than can be served within the bounds" : why);
  if (step.what == Step::What::settle)
    return settle(step, why);
  action_.configuration = step.configuration;
  action_.sample = sampling_.calibration_sample;
  action_.reason = why.empty() ? step.reason : why + ": " + step.reason;
}

/// By the models that there are.
void Controller::choose_again(const std::string& why) {
  action_.mode = Mode::choosing;
  calibrated_for_ = Seconds{};
  advance(why);
}

bool Controller::aim_at_what_is_possible() {
  const auto possible = goal_of_overloaded(bounds_, situation(last_));
  if (overloaded_ || !possible)
    return false;
  overloaded_ = true;
  search().aim(*possible);
  return true;
}

void Controller::settle(const Step& step, const std::string& why) {
  const bool stays = action_.configuration == step.configuration;
  action_.configuration = step.configuration;
  action_.mode = Mode::steady;
  action_.sample = sampling_.steady_sample;
  action_.reason = (why.empty() ? "" : why + ": ") + (stays ? "stays: " : "") + step.reason;
  account_.keeps_bounds = step.keeps_bounds && !overloaded_;
  const Visit* visit = search().visits().find(step.configuration);
  phase_watch_.compare_with(visit == nullptr ? std::nullopt : std::optional(visit->mean));
  capacity_.reset();
  power_.reset();
  missed_ = 0;
}

void Controller::watch(const Sample& latest) {
  const auto sample = averager_.enough_with(latest);
  if (!sample || !capacity_of(*sample)) { // hardly anything to do, or nothing
    (void)follow_goal(latest);
    return;
  }
  if (interrupted_) {
    action_.mode = *interrupted_;
    calibrated_for_ = Seconds{};
    return advance("work has come");
  }
  const Measurement seen = averager_.measured(*sample);
  if (phase_watch_.is_another(seen, averager_.error_of(*sample)))
    return change_phase(seen);
  if (phase_watch_.doubts()) // not a word on bounds before it is known what phase this is
    return;
  capacity_.add(seen.capacity.value(), sample->length.value());
  power_.add(seen.power.value(), sample->length.value());
  if (!follow_goal(*sample))
    mend_missed_bound(*sample);
}

std::optional<std::size_t> Controller::known_phase(const Measurement& seen) const {
  std::optional<std::size_t> nearest;
  double least = std::log(1 + sampling_.phase_change); // more would be a change of it
  for (std::size_t index = 0; index < phases_.size(); ++index) {
    if (index == account_.phase)
      continue;
    const Search& known = *phases_[index];
    const auto expected = known.expected(action_.configuration);
    if (!expected)
      continue;
    const double of_capacity = log_ratio(seen.capacity.value(), expected->capacity.value());
    const bool comparable = seen.load == 1 && seen.granted > hardly_contended &&
                            load(known.goal(), expected->capacity) == 1;
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
  const Goal goal = goal_of(bounds_, situation(last_));
  if (const auto known = known_phase(seen)) {
    account_.phase = *known;
    aim(goal);
    return choose_again(fmt::format("phase {} is back", *known + 1));
  }
  overloaded_ = false;
  account_.goal = goal;
  begin_phase();
  // What was just seen is the first visit of the new phase.
  search().observe(action_.configuration, seen);
  advance(fmt::format("phase {} is new", account_.phase + 1));
}

/// Chooses again if what is asked for has changed. True: it did.
bool Controller::follow_goal(const Sample& sample) {
  const Situation now = situation(sample);
  const Goal goal = goal_of(bounds_, now);
  const Goal& before = account_.goal;
  const bool asked = asked_;
  const bool arrived = asks_for_more_or_less(goal.least_throughput, before.least_throughput,
                                             goal.arrivals ? arrivals_.relative_error() : 0);
  const bool spent = leaves_less_or_more(goal.most_energy_per_item, before.most_energy_per_item);
  const bool alone = contended_ && now.granted == 1; // other programs have gone
  if ((!asked && !arrived && !spent && !alone) || search().visits().empty())
    return false;
  aim(goal);
  const std::size_t here = action_.configuration;
  choose_again(asked ? "the bounds have changed" : reason_of(goal, arrived || alone, now.granted));
  const bool moves = action_.configuration != here;
  if (!asked && arrived && moves && goal.arrivals)
    ++account_.arrival_changes;
  if (!asked && !moves && action_.mode == Mode::steady)
    action_.reason.clear(); // nothing to tell: it is right as it is
  return true;
}

/// What was measured where it settled may no longer keep the bounds, in the same phase.
void Controller::mend_missed_bound(const Sample& sample) {
  if (!account_.keeps_bounds)
    return;
  const Performance now{Rate{capacity_.mean()}, Watts{power_.mean()}};
  missed_ = excess(account_.goal, now) > missed_by ? missed_ + 1 : 0;
  if (missed_ < missed_enough)
    return;
  search().correct(action_.configuration, {.capacity = now.capacity,
                                           .power = now.power,
                                           .load = load_of(sample),
                                           .relative_error = averager_.deviation() / 2});
  choose_again("the bounds are missed by more than was measured");
}

} // namespace hypermile::steer
