#include "runtime/exchange/messages.hpp"

#include "runtime/exchange/archive.hpp"
#include "runtime/exchange/timeline_message.hpp"

#include <algorithm>
#include <string>
#include <utility>

// What is read is checked member by member: a message that encode() did not make is an error, and
// never a wrapped or cut number.
namespace hypermile::runtime {

inline LoopReport::Found last_of(LoopReport::Found /*type*/) { return LoopReport::Found::marker; }
inline TimeModelKind last_of(TimeModelKind /*type*/) { return TimeModelKind::async; }

// Nodes

template <class Archive, Of<model::GearPower> T> void fields(Archive& archive, T& power) {
  archive(power.computing, power.waiting, power.idle);
}

inline void fields(Writer& writer, const RankNode& node) {
  std::vector<Hertz> frequencies;
  for (model::Gear g = 0; g < node.type.gears.size(); ++g)
    frequencies.push_back(node.type.gears.frequency(g));
  writer(node.name, node.type.name, node.type.site, node.type.cores, node.type.speed, frequencies,
         node.type.power, node.type.frequencies_known, node.type.active, node.type.power_limits,
         node.type.uncore, node.power_assumed);
}

inline void fields(Reader& reader, RankNode& node) {
  std::vector<Hertz> frequencies;
  reader(node.name, node.type.name, node.type.site, node.type.cores, node.type.speed, frequencies,
         node.type.power, node.type.frequencies_known, node.type.active, node.type.power_limits,
         node.type.uncore, node.power_assumed);
  node.type.gears = model::GearTable{std::move(frequencies)};
  if (node.type.cores == 0 || node.type.speed <= Speed{})
    refuse("a node has no cores or no speed");
  if (!node.type.active.empty() && node.type.active.size() != node.type.cores + 1)
    refuse("a node has not a power for each number of cores");
  if (node.type.power.size() != node.type.gears.size())
    refuse("a node has not one power per gear");
  const auto by_gear = [&](std::size_t size) {
    return size == 0 || size == node.type.gears.size();
  };
  if (!by_gear(node.type.power_limits.size()) || !by_gear(node.type.uncore.size()))
    refuse("a node has not one power limit or uncore frequency per gear");
  for (const model::GearPower& power : node.type.power)
    if (power.computing < Watts{} || power.waiting < Watts{} || power.idle < Watts{})
      refuse("a power is negative");
}

// Parts of messages

template <class Archive, Of<LoopReport> T> void fields(Archive& archive, T& loop) {
  archive(loop.found, loop.description, loop.phase, loop.times, loop.iterations,
          loop.first_iteration, loop.total, loop.computation, loop.calls, loop.calls_before,
          loop.computation_before);
}

template <class Archive, Of<GearChange> T> void fields(Archive& archive, T& change) {
  archive(change.time, change.gear, change.iteration, change.calls, change.computation,
          change.energy, change.in_effect, change.away, change.computation_away, change.stolen);
}

template <class Archive, Of<EnergyReading> T> void fields(Archive& archive, T& reading) {
  archive(reading.time, reading.energy);
}

template <class Archive, Of<PowerPoint> T> void fields(Archive& archive, T& point) {
  archive(point.time, point.gear, point.computing, point.drawn, point.after_gap);
}

template <class Archive, Of<NodeAccess> T> void fields(Archive& archive, T& access) {
  archive(access.backend, access.meter, access.power_assumed, access.assumed, access.remarks);
}

template <class Archive, Of<Spent> T> void fields(Archive& archive, T& spent) {
  archive(spent.computing, spent.waiting, spent.metered);
}

template <class Archive, Of<LastIterations> T> void fields(Archive& archive, T& last) {
  archive(last.phase, last.iterations, last.computation, last.communication, last.calls,
          last.stolen);
}

template <class Archive, Of<model::Baseline> T> void fields(Archive& archive, T& baseline) {
  archive(baseline.time, baseline.energy);
}

template <class Archive, Of<model::Prediction> T> void fields(Archive& archive, T& p) {
  archive(p.time, p.energy, p.p_norm, p.e_norm, p.distance);
}

template <class Archive, Of<Misfit> T> void fields(Archive& archive, T& misfit) {
  archive(misfit.time, misfit.time_ratio, misfit.energy_ratio);
}

template <class Archive, Of<Decision> T> void fields(Archive& archive, T& d) {
  archive(d.time_model, d.before_loop, d.phase, d.again, d.nodes, d.gears, d.baseline, d.prediction,
          d.exact, d.gap, d.violated, d.declined, d.stepped_back, d.measured_time_ratio, d.misfit);
}

// Messages

/// It is most of what a rank tells again and again, and the same every time.
template <class Archive, class T> void node_unless_known(Archive& archive, T& m) {
  archive(m.rank, m.node_is_known);
  if (!m.node_is_known)
    archive(m.node);
}

/// Most iterations are in the gear of the one before.
struct EqualScales {
  std::size_t count = 0;
  double scale = 1;
};

template <class Archive, Of<EqualScales> T> void fields(Archive& archive, T& equal) {
  archive(equal.count, equal.scale);
}

void scales_of(Writer& writer, const Measurement& m) {
  std::vector<EqualScales> runs;
  for (const double scale : m.scales)
    if (!runs.empty() && runs.back().scale == scale)
      ++runs.back().count;
    else
      runs.push_back({1, scale});
  writer(runs);
}

void scales_of(Reader& reader, Measurement& m) {
  if (!std::ranges::is_sorted(m.iterations))
    refuse("iterations do not come one after the other");
  std::vector<EqualScales> runs;
  reader(runs);
  for (const auto& [count, scale] : runs) {
    if (count > m.computations.size() - m.scales.size() || scale < 0)
      refuse("iterations were in gears that make no sense");
    m.scales.insert(m.scales.end(), count, scale);
  }
}

/// The numbers of communicators are long, and few: in messages operations have an index.
void timeline_of(Writer& writer, const Measurement& m) {
  std::optional<model::RankTimeline> timeline = m.timeline;
  std::vector<std::uint64_t> communicators;
  std::vector<std::uint32_t> places;
  if (timeline)
    for (model::Operation& operation : timeline->operations) {
      places.push_back(operation.site);
      const auto known = std::ranges::find(communicators, operation.communicator);
      const auto index = static_cast<std::uint64_t>(known - communicators.begin());
      if (known == communicators.end())
        communicators.push_back(operation.communicator);
      operation.communicator = index;
    }
  writer(communicators, places, timeline);
  if (timeline)
    pauses_of(writer, *timeline);
}

void timeline_of(Reader& reader, Measurement& m) {
  std::vector<std::uint64_t> communicators;
  std::vector<std::uint32_t> places;
  reader(communicators, places, m.timeline);
  if (m.timeline)
    pauses_of(reader, *m.timeline);
  if (places.size() != (m.timeline ? m.timeline->operations.size() : 0))
    refuse("an operation has no place");
  auto place = places.begin();
  if (m.timeline)
    for (model::Operation& operation : m.timeline->operations) {
      operation.site = *place++;
      if (operation.communicator >= communicators.size())
        refuse("an operation has no communicator");
      operation.communicator = communicators[operation.communicator];
    }
}

template <class Archive, Of<Measurement> T> void fields(Archive& archive, T& m) {
  node_unless_known(archive, m);
  archive(m.phase, m.gear, m.computation, m.computation_in_gear0, m.communication, m.calls,
          m.elapsed, m.own, m.spent, m.power, m.deviation, m.orders, m.loop, m.measured_iterations,
          m.stolen, m.computed, m.of_one_loop, m.computations, m.iterations);
  scales_of(archive, m);
  timeline_of(archive, m);
}

template <class Archive, Of<EarlyMeasurement> T> void fields(Archive& archive, T& m) {
  node_unless_known(archive, m);
  archive(m.look, m.elapsed, m.computation_in_gear0);
}

template <class Archive, Of<Drifted> T> void fields(Archive& archive, T& drifted) {
  archive(drifted.rank, drifted.orders);
}

template <class Archive, Of<GearOrder> T> void fields(Archive& archive, T& order) {
  archive(order.gear, order.set_it, order.look_again, order.before_loop, order.any_gear,
          order.after);
}

template <class Archive, Of<Ask> T> void fields(Archive& archive, T& ask) { archive(ask.meant); }

template <class Archive, Of<Remeasure> T> void fields(Archive& /*archive*/, T& /*message*/) {}
template <class Archive, Of<Stay> T> void fields(Archive& /*archive*/, T& /*message*/) {}
template <class Archive, Of<Withdrawal> T> void fields(Archive& /*archive*/, T& /*message*/) {}

template <class Archive, Of<Outline> T> void fields(Archive& archive, T& outline) {
  archive(outline.computation, outline.total, outline.calls);
}

template <class Archive, Of<Lesson> T> void fields(Archive& archive, T& lesson) {
  archive(lesson.outline, lesson.timeline);
  pauses_of(archive, lesson.timeline);
}

template <class Archive, Of<PlannedRun> T> void fields(Archive& archive, T& plan) {
  archive(plan.origin, plan.runs, plan.baseline, plan.time, plan.energy);
}

template <class Archive, Of<WaitGearUse> T> void fields(Archive& archive, T& use) {
  archive(use.set, use.pays, use.gear, use.times, use.time, use.saved, use.late, use.cost,
          use.change, use.cpu, use.problem);
}

template <class Archive, Of<RankReport> T> void fields(Archive& archive, T& r) {
  archive(r.rank, r.node, r.loop, r.phases, r.changes, r.gear, r.fastest, r.time, r.computation,
          r.communication, r.overhead, r.watching, r.unwatched, r.in_init, r.in_finalize, r.calls,
          r.energy, r.readings, r.switches, r.divergences, r.from_like_calls, r.power,
          r.meter_dropped, r.failure, r.access, r.last, r.departed, r.lesson, r.stolen,
          r.wait_gear);
}

template <class Archive, Of<model::dependency::Protocol> T>
void fields(Archive& archive, T& protocol) {
  archive(protocol.synchronous_from, protocol.starts_at_receive, protocol.synchronous_from_seen,
          protocol.start_seen, protocol.eager_below, protocol.moves_in_calls, protocol.known);
}

template <class Archive, Of<TradeOff> T> void fields(Archive& archive, T& trade_off) {
  archive(trade_off.max_slowdown, trade_off.time_ratio, trade_off.energy_ratio, trade_off.in_force);
}

template <class Archive, Of<LearntSensitivity> T> void fields(Archive& archive, T& learnt) {
  archive(learnt.function, learnt.place, learnt.share, learnt.value, learnt.low, learnt.high,
          learnt.phase);
}

template <class Archive, Of<estimate::Estimate> T> void fields(Archive& archive, T& estimate) {
  archive(estimate.value, estimate.low, estimate.high);
}

template <class Archive, Of<LearntPower::OfGear> T> void fields(Archive& archive, T& gear) {
  archive(gear.metered, gear.computing, gear.waiting, gear.beaten_by);
}

/// An entry of estimate::NodeSums.
struct SumsOfGear {
  std::size_t gear = 0;
  estimate::GearSums sums{};
};

template <class Archive, Of<SumsOfGear> T> void fields(Archive& archive, T& of) {
  archive(of.gear, of.sums.count, of.sums.seconds, of.sums.cc, of.sums.cw, of.sums.ww, of.sums.cp,
          of.sums.wp, of.sums.pp);
}

inline void fields(Writer& writer, const LearntPower& learnt) {
  std::vector<SumsOfGear> sums;
  for (const auto& [gear, of_gear] : learnt.sums)
    sums.push_back({gear, of_gear});
  writer(RankNode{.name = "", .type = learnt.type}, learnt.assumed, learnt.nodes,
         learnt.from_earlier, learnt.in_use, learnt.why_not, learnt.noise, learnt.gears,
         learnt.table, sums);
}

inline void fields(Reader& reader, LearntPower& learnt) {
  RankNode node = unknown_node();
  std::vector<SumsOfGear> sums;
  reader(node, learnt.assumed, learnt.nodes, learnt.from_earlier, learnt.in_use, learnt.why_not,
         learnt.noise, learnt.gears, learnt.table, sums);
  learnt.type = std::move(node.type);
  const std::size_t gears = learnt.type.gears.size();
  if (learnt.gears.size() != gears || learnt.table.size() != gears)
    refuse("not every gear has a power that was learnt");
  for (const LearntPower::OfGear& gear : learnt.gears)
    if (gear.beaten_by && *gear.beaten_by >= gears)
      refuse("gear " + std::to_string(*gear.beaten_by) + " does not exist");
  for (const SumsOfGear& of : sums) {
    const estimate::GearSums& s = of.sums;
    for (const double sum : {s.count, s.seconds, s.cc, s.cw, s.ww, s.cp, s.wp, s.pp})
      if (!(sum >= 0))
        refuse("a sum of what a meter counted is negative");
    if (of.gear >= gears || !(s.seconds > 0))
      refuse("a meter has counted in a gear that does not exist, or for no time");
    learnt.sums[of.gear] = s;
  }
}

template <class Archive, Of<LoopExample> T> void fields(Archive& archive, T& example) {
  archive(example.timeline.functions, example.timeline.ranks, example.begin, example.iterations,
          example.scales);
  for (auto& rank : example.timeline.ranks) {
    pauses_of(archive, rank);
    archive(rank.sensitivity, rank.sensitivity_otherwise);
  }
}

template <class Archive, Of<RunReport> T> void fields(Archive& archive, T& run) {
  archive(run.ranks, run.decisions, run.phases, run.without_loop, run.plan, run.learnt,
          run.trade_offs, run.sensitivities, run.power, run.in_finalize, run.protocol, run.example);
}

inline Measurement blank(const Measurement* /*type*/) { return {.node = unknown_node()}; }
inline EarlyMeasurement blank(const EarlyMeasurement* /*type*/) { return {.node = unknown_node()}; }
inline RankReport blank(const RankReport* /*type*/) { return {.node = unknown_node()}; }
inline LearntPower blank(const LearntPower* /*type*/) { return {.type = unknown_node().type}; }

namespace {

void check_rank(int rank) {
  if (rank < 0)
    refuse("rank " + std::to_string(rank) + " does not exist");
}

void check_gear(std::size_t gear, const RankNode& node) {
  if (gear >= node.type.gears.size())
    refuse("gear " + std::to_string(gear) + " does not exist");
}

template <class Other> void check(const Other& /*message*/) {}
void check(const EarlyMeasurement& m) { check_rank(m.rank); }
void check(const Drifted& drifted) { check_rank(drifted.rank); }
void check(const LoopExample& example, std::size_t ranks) {
  const auto& timelines = example.timeline.ranks;
  if (timelines.empty() || timelines.size() != ranks || example.scales.size() != ranks)
    refuse("the recorded loop has not one timeline and one gear per rank");
  for (const double scale : example.scales)
    if (scale < 1)
      refuse("a gear is faster than gear 0");
  for (const model::RankTimeline& rank : timelines)
    for (const model::Operation& operation : rank.operations)
      if (operation.function >= example.timeline.functions.size())
        refuse("a recorded MPI function has no name");
}
void check(const Measurement& m) {
  check_rank(m.rank);
  if (!m.node_is_known)
    check_gear(m.gear, m.node);
  if (m.deviation < Seconds{})
    refuse("a deviation is negative");
  if (m.stolen < 0)
    refuse("a share is negative");
  for (const Seconds computation : m.computations)
    if (computation < Seconds{})
      refuse("a computation is negative");
}
void check(const RankReport& report) {
  check_rank(report.rank);
  check_gear(report.gear, report.node);
  check_gear(report.fastest, report.node);
  if (report.wait_gear)
    check_gear(report.wait_gear->gear, report.node);
  for (const GearChange& change : report.changes)
    check_gear(change.gear, report.node);
}

/// The message of that kind, by its place in the variant.
template <std::size_t alternative = 0> Message read(std::size_t kind, Reader& reader) {
  if constexpr (alternative == std::variant_size_v<Message>) {
    refuse("its kind is unknown");
  } else {
    if (kind != alternative)
      return read<alternative + 1>(kind, reader);
    using Kind = std::variant_alternative_t<alternative, Message>;
    auto message = blank(static_cast<Kind*>(nullptr));
    fields(reader, message);
    check(message);
    return message;
  }
}

template <class Reading> auto reading(const char* what, const Reading& read_it) {
  try {
    return read_it();
  } catch (const Error& error) {
    throw Error(ErrorKind::hardware, std::string(what) + " cannot be read: " + error.what(),
                "the same version of hypermile on all nodes");
  }
}

} // namespace

RankNode unknown_node() {
  return {"unknown",
          {.name = "unknown",
           .cores = 1,
           .speed = Speed{1},
           .gears = model::GearTable{{Hertz{1}}},
           .power = {model::GearPower{}},
           .frequencies_known = false}};
}

Bytes encode(const Message& message) {
  Writer writer;
  writer(message.index());
  std::visit([&](const auto& of_kind) { fields(writer, of_kind); }, message);
  return writer.take();
}

Message decode(const Bytes& bytes) {
  return reading("a message from another rank", [&] {
    Reader reader(bytes);
    std::size_t kind = 0;
    reader(kind);
    Message message = read(kind, reader);
    if (!reader.at_end())
      refuse("it is longer than it should be");
    return message;
  });
}

std::string encode_run(const RunReport& run) {
  Writer writer;
  fields(writer, run);
  const Bytes bytes = writer.take();
  return {bytes.begin(), bytes.end()};
}

RunReport decode_run(std::string_view bytes) {
  return reading("the report of the run", [&] {
    Reader reader({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    RunReport run;
    fields(reader, run);
    if (!reader.at_end())
      refuse("it is longer than it should be");
    for (const RankReport& rank : run.ranks)
      check(rank);
    for (const Decision& decision : run.decisions)
      if (decision.gears.size() != decision.nodes.size())
        refuse("a decision has not one gear per node");
      else if (decision.phase >= std::max<std::size_t>(run.phases.size(), 1))
        refuse("a decision is for a phase that does not exist");
    if (run.example)
      check(*run.example, run.ranks.size());
    for (const auto& loops : run.phases)
      if (loops.size() != run.ranks.size())
        refuse("a phase has not one loop per rank");
    for (const int rank : run.without_loop)
      check_rank(rank);
    return run;
  });
}

} // namespace hypermile::runtime
