#include "session/steering.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::session {
namespace {

/// Between looks whether there is any progress.
constexpr Seconds look_again{0.05};
/// After a change: threads have moved, and a duty cycle has its pace.
constexpr Seconds settling{0.06};
/// Of a gear that says that it takes longer, as a power limit does: most of its effect is there.
constexpr Seconds longest_settling{2};
/// What is assumed of a node whose power nobody measures: a share of its power whatever it does,
/// the rest by V^2 f of busy cores. The watts mean nothing, their ratios something.
constexpr Watts assumed_most{100};
constexpr double assumed_static = 0.3;

} // namespace

Steering::Steering(const NodeLayout& node, const Ports& ports, steer::Controller controller,
                   Tell tell)
    : node_(node), ports_(ports), controller_(std::move(controller)), tell_(std::move(tell)) {}

Steering::Reading Steering::read() const {
  const control::Done done = ports_.progress.done().value_or(control::Done{});
  return {.time = ports_.clock.now(),
          .done = done,
          .cpu_time = ports_.confiner.cpu_time(),
          .contended = ports_.contended ? ports_.contended() : Seconds{},
          .energy = ports_.meter.consumed()};
}

/// A core that is busy all the time shows 1/S of it where gears take time. A program with fewer
/// threads than cores cannot use them all, but nobody knows which of its threads would work.
double Steering::share_of_cores(Seconds cpu_time, Seconds length) const {
  const steer::Configuration& present = node_.space[*applied_];
  const double scale = node_.gears_take_time ? node_.space.node.gears.scale(present.gear) : 1.0;
  return std::clamp(cpu_time / length * scale / static_cast<double>(present.cores), 0.0, 1.0);
}

Watts Steering::assumed_power(double load) const {
  const steer::NodeShape& node = node_.space.node;
  const auto switching = [&](const steer::Configuration& one) {
    const double volts = node.volts(0, one.gear);
    return volts * volts / node.gears.scale(one.gear) * static_cast<double>(one.cores);
  };
  const double share = switching(node_.space[*applied_]) / switching({.cores = node.cores()});
  return assumed_most * (assumed_static + (1 - assumed_static) * share * load);
}

steer::Sample Steering::sample_since(const Reading& before, const Reading& now) {
  steer::Sample sample{};
  sample.time = now.time - begin_;
  sample.length = now.time - before.time;
  sample.items = now.done.items - before.done.items;
  if (now.done.arrivals)
    sample.arrivals = *now.done.arrivals - before.done.arrivals.value_or(0);
  sample.busy = share_of_cores(now.cpu_time - before.cpu_time, sample.length);
  sample.contended =
      std::min(share_of_cores(now.contended - before.contended, sample.length), 1 - sample.busy);
  power_measured_ = before.energy && now.energy;
  sample.power = power_measured_ ? (*now.energy - *before.energy) / sample.length
                                 : assumed_power(steer::load_of(sample));
  // What passed between the samples counts, too, where there is a meter that saw it.
  energy_ = first_->energy && now.energy ? *now.energy - *first_->energy
                                         : energy_ + sample.power * sample.length;
  sample.items_so_far = now.done.items - first_->done.items;
  sample.energy_so_far = energy_;
  return sample;
}

Seconds Steering::apply(const steer::Action& order) {
  if (applied_ == order.configuration)
    return {};
  const steer::Configuration& wanted = node_.space[order.configuration];
  const auto& cores =
      wanted.placement == model::Placement::linear ? node_.linear : node_.interleaved;
  std::vector<std::size_t> cpus;
  for (std::size_t core = 0; core < wanted.cores; ++core)
    cpus.insert(cpus.end(), cores[core].begin(), cores[core].end());
  std::ranges::sort(cpus);
  ports_.confiner.confine(cpus);
  Seconds takes = settling;
  if (ports_.gears != nullptr) {
    if (ports_.gears->gear() != wanted.gear)
      takes = std::max(takes, std::min(ports_.gears->settling(), longest_settling));
    ports_.gears->set_gear(wanted.gear);
  }
  (void)ports_.progress.want_threads(wanted.cores);
  applied_ = order.configuration;
  return takes;
}

void Steering::begin(const Reading& first) {
  first_ = first;
  begin_ = first.time;
  result_.reported = true;
  const Seconds takes = apply(controller_.action());
  state_ = State::settling;
  due_ = ports_.clock.now() + takes;
}

/// What a sample can tell: its power, and whether the program could have done as much as was asked.
bool Steering::keeps_bounds(const steer::Sample& sample) const {
  constexpr double noise = 0.02;
  const auto capacity = steer::capacity_of(sample);
  const steer::Goal& goal = controller_.account().goal;
  if (!capacity)
    return true;
  return steer::excess(goal, {*capacity, sample.power}) <= noise;
}

void Steering::account(const Row& row) {
  if (row.mode == steer::Mode::steady) {
    result_.steady += row.length;
    if (row.keeps_bounds)
      result_.kept += row.length;
  }
  if (row.mode == steer::Mode::calibrating)
    result_.calibrating += row.length;
}

Seconds Steering::step() {
  const Seconds now = ports_.clock.now();
  if (now < due_)
    return due_;
  const Reading reading = read();
  switch (state_) {
  case State::waiting:
    due_ = now + look_again;
    if (reading.done.items > 0)
      begin(reading);
    return due_;
  case State::settling:
    before_ = reading;
    state_ = State::sampling;
    due_ = now + controller_.action().sample;
    return due_;
  case State::sampling:
    break;
  }
  return finish_sample(reading);
}

Row Steering::row_of(const steer::Sample& sample) const {
  Row row{.time = sample.time, .length = sample.length, .mode = controller_.action().mode};
  row.phase = controller_.account().phase;
  row.configuration = controller_.action().configuration;
  row.throughput = Rate{sample.items / sample.length.value()};
  if (sample.arrivals)
    row.arrivals = Rate{*sample.arrivals / sample.length.value()};
  row.capacity = steer::capacity_of(sample);
  row.load = steer::load_of(sample);
  row.power = sample.power;
  row.keeps_bounds = keeps_bounds(sample);
  return row;
}

Seconds Steering::finish_sample(const Reading& reading) {
  const steer::Sample sample = sample_since(*before_, reading);
  Row row = row_of(sample);
  const steer::Action next = controller_.on_sample(sample);
  row.next = next.configuration;
  row.decision = next.reason;
  account(row);
  if (tell_)
    tell_(row);
  const bool moves = applied_ != next.configuration;
  const Seconds takes = apply(next);
  before_ = reading;
  state_ = moves ? State::settling : State::sampling;
  due_ = moves ? ports_.clock.now() + takes : reading.time + next.sample;
  return due_;
}

Result Steering::result() const {
  Result result = result_;
  result.energy = energy_;
  if (before_) {
    result.time = before_->time - begin_;
    result.items = before_->done.items - first_->done.items;
  }
  result.configuration = applied_.value_or(0);
  return result;
}

} // namespace hypermile::session
