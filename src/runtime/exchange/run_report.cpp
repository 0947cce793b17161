#include "runtime/exchange/run_report.hpp"

#include "runtime/exchange/report_fields.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::runtime {

inline TimeModelKind last_of(TimeModelKind /*type*/) { return TimeModelKind::async; }

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

template <class Archive, Of<PlannedRun> T> void fields(Archive& archive, T& plan) {
  archive(plan.origin, plan.runs, plan.baseline, plan.time, plan.energy);
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

inline LearntPower blank(const LearntPower* /*type*/) { return {.type = unknown_node().type}; }

namespace {

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

std::string encode_run(const RunReport& run) {
  Writer writer;
  fields(writer, run);
  const auto bytes = writer.take();
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
