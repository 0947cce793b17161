#include "runtime/exchange/messages.hpp"

#include "units/error.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace hypermile {

/// A quantity travels as its number in SI base units.
template <class Unit> void to_json(nlohmann::json& j, const Quantity<Unit>& q) { j = q.value(); }
template <class Unit> void from_json(const nlohmann::json& j, Quantity<Unit>& q) {
  q = Quantity<Unit>{j.get<double>()};
  if (!std::isfinite(q.value()))
    throw Error(ErrorKind::hardware, "a quantity is not finite");
}

} // namespace hypermile

namespace hypermile::runtime {
namespace {

using nlohmann::json;

// What follows reads strictly: a member of a message that encode() did not write is an error, and
// never a wrapped or cut number. Whatever can throw comes before a braced list with members to
// destroy: g++ 12 destroys these twice when a later one throws.

[[noreturn]] void refuse_report(const std::string& what) { throw Error(ErrorKind::hardware, what); }

double number(const json& j) {
  const auto value = j.get<double>();
  if (!std::isfinite(value))
    refuse_report("a number is not finite");
  return value;
}

std::size_t count(const json& j) {
  if (!j.is_number_unsigned())
    refuse_report("a count is not a whole number from 0");
  return j.get<std::size_t>();
}

std::size_t count_below(const json& j, std::size_t limit, const char* what) {
  const std::size_t value = count(j);
  if (value >= limit)
    refuse_report(std::string(what) + " " + std::to_string(value) + " does not exist");
  return value;
}

int rank_number(const json& j) {
  return static_cast<int>(count_below(j, std::numeric_limits<int>::max(), "rank"));
}

Watts power(const json& j) {
  const auto watts = j.get<Watts>();
  if (watts < Watts{})
    refuse_report("a power is negative");
  return watts;
}

json pack(const std::optional<Joules>& energy) { return energy ? json(energy->value()) : json(); }
std::optional<Joules> unpack_energy(const json& j) {
  return j.is_null() ? std::nullopt : std::optional(j.get<Joules>());
}

json pack(const Node& node) {
  json gears = json::array();
  for (model::Gear g = 0; g < node.type.gears.size(); ++g) {
    const auto& power = node.type.power[g];
    gears.push_back({node.type.gears.frequency(g), power.computing, power.waiting, power.idle});
  }
  return {{"name", node.name},        {"type", node.type.name},
          {"cores", node.type.cores}, {"speed", node.type.speed},
          {"gears", gears},           {"known", node.type.frequencies_known}};
}

Node unpack_node(const json& j) {
  std::vector<Hertz> frequencies;
  std::vector<model::GearPower> powers;
  for (const json& gear : j.at("gears")) {
    frequencies.push_back(gear.at(0).get<Hertz>());
    powers.push_back({power(gear.at(1)), power(gear.at(2)), power(gear.at(3))});
  }
  model::GearTable gears{std::move(frequencies)};
  auto name = j.at("name").get<std::string>();
  auto type = j.at("type").get<std::string>();
  const std::size_t cores = count(j.at("cores"));
  const auto speed = j.at("speed").get<Speed>();
  const auto known = j.at("known").get<bool>();
  if (cores == 0 || speed <= Speed{})
    refuse_report("a node has no cores or no speed");
  return {std::move(name),
          {.name = std::move(type),
           .cores = cores,
           .speed = speed,
           .gears = std::move(gears),
           .power = std::move(powers),
           .frequencies_known = known}};
}

json pack(const LoopReport& loop) {
  return {{"found", static_cast<int>(loop.found)},
          {"description", loop.description},
          {"iterations", loop.iterations},
          {"first", loop.first_iteration},
          {"total", loop.total},
          {"computation", loop.computation},
          {"calls", loop.calls},
          {"calls_before", loop.calls_before},
          {"computation_before", loop.computation_before}};
}

LoopReport unpack_loop(const json& j) {
  constexpr auto last = static_cast<std::size_t>(LoopReport::Found::marker);
  LoopReport loop;
  loop.found = static_cast<LoopReport::Found>(count_below(j.at("found"), last + 1, "way to find"));
  loop.description = j.at("description").get<std::string>();
  loop.iterations = count(j.at("iterations"));
  loop.first_iteration = j.at("first").get<Seconds>();
  loop.total = j.at("total").get<Seconds>();
  loop.computation = j.at("computation").get<Seconds>();
  loop.calls = count(j.at("calls"));
  loop.calls_before = count(j.at("calls_before"));
  loop.computation_before = j.at("computation_before").get<Seconds>();
  return loop;
}

json pack(const std::vector<GearChange>& changes) {
  json list = json::array();
  for (const GearChange& change : changes)
    list.push_back({change.time, change.gear, change.iteration, change.calls, change.computation,
                    pack(change.energy), change.in_effect, change.away, change.computation_away,
                    change.stolen});
  return list;
}

std::vector<GearChange> unpack_changes(const json& list, std::size_t gears) {
  std::vector<GearChange> changes;
  for (const json& j : list)
    changes.push_back({j.at(0).get<Seconds>(), count_below(j.at(1), gears, "gear"), count(j.at(2)),
                       count(j.at(3)), j.at(4).get<Seconds>(), unpack_energy(j.at(5)),
                       j.at(6).get<bool>(), j.at(7).get<Seconds>(), j.at(8).get<Seconds>(),
                       j.at(9).get<Seconds>()});
  return changes;
}

json pack(const std::optional<LastIterations>& last) {
  return last ? json{last->phase,         last->iterations, last->computation,
                     last->communication, last->calls,      last->stolen}
              : json();
}

std::optional<LastIterations> unpack_last(const json& j) {
  if (j.is_null())
    return std::nullopt;
  return LastIterations{count(j.at(0)),         count(j.at(1)),  j.at(2).get<Seconds>(),
                        j.at(3).get<Seconds>(), number(j.at(4)), number(j.at(5))};
}

json pack(const std::optional<NodeAccess>& access) {
  if (!access)
    return {};
  return {{"backend", access->backend},
          {"meter", access->meter},
          {"power_assumed", access->power_assumed},
          {"assumed", access->assumed},
          {"remarks", access->remarks}};
}

std::optional<NodeAccess> unpack_access(const json& j) {
  if (j.is_null())
    return std::nullopt;
  NodeAccess access;
  access.backend = j.at("backend").get<std::string>();
  access.meter = j.at("meter").get<std::string>();
  access.power_assumed = j.at("power_assumed").get<bool>();
  access.assumed = j.at("assumed").get<std::string>();
  access.remarks = j.at("remarks").get<std::vector<std::string>>();
  return access;
}

json pack(const RankReport& r) {
  return {{"rank", r.rank},
          {"node", pack(r.node)},
          {"loop", pack(r.loop)},
          {"changes", pack(r.changes)},
          {"gear", r.gear},
          {"fastest", r.fastest},
          {"time", r.time},
          {"computation", r.computation},
          {"communication", r.communication},
          {"overhead", r.overhead},
          {"calls", r.calls},
          {"energy", pack(r.energy)},
          {"divergences", r.divergences},
          {"failure", r.failure},
          {"access", pack(r.access)},
          {"last", pack(r.last)},
          {"stolen", r.stolen ? json(r.stolen->value()) : json()}};
}

RankReport unpack_report(const json& j) {
  RankReport r{.node = unpack_node(j.at("node"))};
  const std::size_t gears = r.node.type.gears.size();
  r.rank = rank_number(j.at("rank"));
  r.loop = unpack_loop(j.at("loop"));
  r.changes = unpack_changes(j.at("changes"), gears);
  r.gear = count_below(j.at("gear"), gears, "gear");
  r.fastest = count_below(j.at("fastest"), gears, "gear");
  r.time = j.at("time").get<Seconds>();
  r.computation = j.at("computation").get<Seconds>();
  r.communication = j.at("communication").get<Seconds>();
  r.overhead = j.at("overhead").get<Seconds>();
  r.calls = count(j.at("calls"));
  r.energy = unpack_energy(j.at("energy"));
  r.divergences = count(j.at("divergences"));
  r.failure = j.at("failure").get<std::string>();
  r.access = unpack_access(j.at("access"));
  r.last = unpack_last(j.at("last"));
  if (!j.at("stolen").is_null())
    r.stolen = j.at("stolen").get<Seconds>();
  return r;
}

json pack(const Decision& d) {
  return {{"by_dependencies", d.time_model == TimeModelKind::dependency},
          {"nodes", d.nodes},
          {"gears", d.gears},
          {"baseline", {d.baseline.time, d.baseline.energy}},
          {"prediction", {d.prediction.time, d.prediction.energy}},
          {"norms", {d.prediction.p_norm, d.prediction.e_norm, d.prediction.distance}},
          {"exact", d.exact},
          {"gap", d.gap ? json(*d.gap) : json()},
          {"violated", d.violated},
          {"declined", d.declined},
          {"stepped_back", d.stepped_back},
          {"before_loop", d.before_loop},
          {"measured", d.measured_time_ratio ? json(*d.measured_time_ratio) : json()}};
}

Decision unpack_decision(const json& j) {
  Decision d;
  if (j.at("by_dependencies").get<bool>())
    d.time_model = TimeModelKind::dependency;
  d.nodes = j.at("nodes").get<std::vector<std::string>>();
  for (const json& gear : j.at("gears"))
    d.gears.push_back(count(gear));
  if (d.gears.size() != d.nodes.size())
    refuse_report("a decision has not one gear per node");
  const json& baseline = j.at("baseline");
  d.baseline = {baseline.at(0).get<Seconds>(), baseline.at(1).get<Joules>()};
  const json& prediction = j.at("prediction");
  const json& norms = j.at("norms");
  d.prediction = {.time = prediction.at(0).get<Seconds>(),
                  .energy = prediction.at(1).get<Joules>(),
                  .p_norm = number(norms.at(0)),
                  .e_norm = number(norms.at(1)),
                  .distance = number(norms.at(2))};
  d.exact = j.at("exact").get<bool>();
  if (!j.at("gap").is_null())
    d.gap = number(j.at("gap"));
  d.violated = j.at("violated").get<std::vector<std::string>>();
  d.declined = j.at("declined").get<std::string>();
  d.stepped_back = j.at("stepped_back").get<std::string>();
  d.before_loop = j.at("before_loop").get<bool>();
  if (!j.at("measured").is_null())
    d.measured_time_ratio = number(j.at("measured"));
  return d;
}

} // namespace

std::string print_run(const RunReport& run) {
  json ranks = json::array();
  for (const RankReport& rank : run.ranks)
    ranks.push_back(pack(rank));
  json decisions = json::array();
  for (const Decision& decision : run.decisions)
    decisions.push_back(pack(decision));
  // Names come from files and systems that need not write UTF-8.
  return json{{"ranks", ranks}, {"decisions", decisions}, {"without_loop", run.without_loop}}.dump(
      -1, ' ', false, json::error_handler_t::replace);
}

RunReport parse_run(const std::string& text) {
  try {
    const json j = json::parse(text);
    RunReport run;
    for (const json& rank : j.at("ranks"))
      run.ranks.push_back(unpack_report(rank));
    for (const json& decision : j.at("decisions"))
      run.decisions.push_back(unpack_decision(decision));
    for (const json& rank : j.at("without_loop"))
      run.without_loop.push_back(rank_number(rank));
    return run;
  } catch (const std::exception& error) {
    throw Error(ErrorKind::hardware,
                std::string("the report of the run cannot be read: ") + error.what());
  }
}

} // namespace hypermile::runtime
