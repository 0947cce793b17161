#include "trace/otf2_counters.hpp"

#include "trace/power_steps.hpp"

namespace hypermile::trace {
namespace {

// Members and classes alike.
constexpr std::uint32_t power_metric = 0;
constexpr std::uint32_t gear_metric = 1;
/// Instances of classes: two for each node, and one of all nodes.
constexpr std::uint32_t first_instance = 2;

std::uint32_t power_of(std::size_t counters) {
  return first_instance + 2 * static_cast<std::uint32_t>(counters);
}
std::uint32_t gear_of(std::size_t node) { return power_of(node) + 1; }

} // namespace

Otf2Counters::Otf2Counters(const TracedRun& run, const Ticks& ticks)
    : run_(run), steps_(run.nodes.size() + 1),
      end_(static_cast<std::uint64_t>(ticks.to() - ticks.from())), event_counts_(steps_.size(), 0) {
  const auto add = [&](std::size_t counters, std::int64_t moment, Watts power) {
    steps_[counters].push_back({static_cast<std::uint64_t>(moment - ticks.from()), power});
  };
  visit_power(
      run, ticks,
      {.changed = [&](std::int64_t moment, std::size_t node,
                      Watts power) { add(node, moment, power); },
       .total = [&](std::int64_t moment, Watts power) { add(run.nodes.size(), moment, power); }});
}

/// 0 W at the end: there is nothing more.
void Otf2Counters::write_events(OTF2_Archive* archive, const Check& check) {
  for (std::size_t c = 0; c < steps_.size(); ++c) {
    OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(archive, location(c));
    if (writer == nullptr)
      check(OTF2_ERROR_INVALID);
    const auto tell = [&](std::uint64_t time, std::uint32_t metric, OTF2_Type type,
                          OTF2_MetricValue value) {
      check(OTF2_EvtWriter_Metric(writer, nullptr, time, metric, 1, &type, &value));
    };
    const auto tell_power = [&](std::uint64_t time, Watts power) {
      tell(time, power_of(c), OTF2_TYPE_DOUBLE, {.floating_point = power.value()});
    };
    const auto tell_gear = [&](std::uint64_t time) {
      if (!is_all(c))
        tell(time, gear_of(c), OTF2_TYPE_UINT64, {.unsigned_int = run_.nodes[c].gear});
    };
    tell_gear(0);
    for (const Step& step : steps_[c])
      tell_power(step.time, step.power);
    tell_power(end_, Watts{});
    tell_gear(end_);
    check(OTF2_EvtWriter_GetNumberOfEvents(writer, &event_counts_[c]));
    check(OTF2_Archive_CloseEvtWriter(archive, writer));
    steps_[c] = {};
  }
}

void Otf2Counters::close_definitions(OTF2_Archive* archive, const Check& check) const {
  for (std::size_t c = 0; c < steps_.size(); ++c)
    check(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, location(c))));
}

/// In the process of the node's first rank, as tracers have it.
void Otf2Counters::define_location(std::size_t counters, OTF2_GlobalDefWriter* definitions,
                                   const Text& text, const Check& check) const {
  const auto define = [&](std::uint32_t instance, std::uint32_t metric) {
    check(OTF2_GlobalDefWriter_WriteMetricInstance(definitions, instance, metric,
                                                   location(counters), OTF2_SCOPE_SYSTEM_TREE_NODE,
                                                   is_all(counters) ? 0 : counters + 1));
  };
  const auto& node = run_.nodes[is_all(counters) ? 0 : counters];
  check(OTF2_GlobalDefWriter_WriteLocation(
      definitions, location(counters),
      text(is_all(counters) ? "power of all nodes" : "power and gear of " + node.name),
      OTF2_LOCATION_TYPE_METRIC, event_counts_[counters], node.ranks.front()));
  define(power_of(counters), power_metric);
  if (!is_all(counters))
    define(gear_of(counters), gear_metric);
}

void Otf2Counters::define(OTF2_GlobalDefWriter* definitions, const Text& text,
                          const Check& check) const {
  const auto member = [&](std::uint32_t number, const char* name, const char* what, OTF2_Type type,
                          const char* unit) {
    check(OTF2_GlobalDefWriter_WriteMetricMember(definitions, number, text(name), text(what),
                                                 OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_NEXT,
                                                 type, OTF2_BASE_DECIMAL, 0, text(unit)));
    check(OTF2_GlobalDefWriter_WriteMetricClass(
        definitions, number, 1, &number, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_ABSTRACT));
  };
  member(power_metric, "power", "what the platform says that it draws", OTF2_TYPE_DOUBLE, "W");
  member(gear_metric, "gear", "0 is the fastest", OTF2_TYPE_UINT64, "#");
  for (std::size_t c = 0; c < steps_.size(); ++c)
    define_location(c, definitions, text, check);
}

} // namespace hypermile::trace
