#include "runtime/messages.hpp"

#include "units/error.hpp"

#include <nlohmann/json.hpp>

namespace hypermile {

/// A quantity travels as its number in SI base units.
template <class Unit> void to_json(nlohmann::json& j, const Quantity<Unit>& q) { j = q.value(); }
template <class Unit> void from_json(const nlohmann::json& j, Quantity<Unit>& q) {
  q = Quantity<Unit>{j.get<double>()};
}

} // namespace hypermile

namespace hypermile::runtime {
namespace {

using nlohmann::json;

json pack(const std::optional<Joules>& energy) { return energy ? json(energy->value()) : json(); }
std::optional<Joules> unpack_energy(const json& j) {
  return j.is_null() ? std::nullopt : std::optional(Joules{j.get<double>()});
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
  std::vector<model::GearPower> power;
  for (const json& gear : j.at("gears")) {
    frequencies.push_back(gear.at(0).get<Hertz>());
    power.push_back({gear.at(1).get<Watts>(), gear.at(2).get<Watts>(), gear.at(3).get<Watts>()});
  }
  model::NodeType type{.name = j.at("type"),
                       .cores = j.at("cores"),
                       .speed = j.at("speed").get<Speed>(),
                       .gears = model::GearTable{std::move(frequencies)},
                       .power = std::move(power),
                       .frequencies_known = j.at("known")};
  return {j.at("name"), std::move(type)};
}

json pack(const LoopReport& loop) {
  return {{"found", static_cast<int>(loop.found)},
          {"description", loop.description},
          {"iterations", loop.iterations},
          {"first", loop.first_iteration},
          {"total", loop.total}};
}

LoopReport unpack_loop(const json& j) {
  return {.found = static_cast<LoopReport::Found>(j.at("found").get<int>()),
          .description = j.at("description"),
          .iterations = j.at("iterations"),
          .first_iteration = j.at("first").get<Seconds>(),
          .total = j.at("total").get<Seconds>()};
}

json pack(const std::vector<GearChange>& changes) {
  json list = json::array();
  for (const GearChange& change : changes)
    list.push_back({change.time, change.gear, change.iteration, pack(change.energy)});
  return list;
}

std::vector<GearChange> unpack_changes(const json& list) {
  std::vector<GearChange> changes;
  for (const json& j : list)
    changes.push_back({j.at(0).get<Seconds>(), j.at(1), j.at(2), unpack_energy(j.at(3))});
  return changes;
}

struct Pack {
  json operator()(const Measurement& m) const {
    return {{"kind", "measurement"},
            {"rank", m.rank},
            {"node", pack(m.node)},
            {"phase", m.phase},
            {"gear0", m.gear0},
            {"gear", m.gear},
            {"computation", m.computation},
            {"in_gear0", m.computation_in_gear0},
            {"communication", m.communication},
            {"calls", m.calls}};
  }
  json operator()(const Order& o) const {
    return {{"kind", "order"}, {"gear", o.gear}, {"set_it", o.set_it}};
  }
  json operator()(const Arrived&) const { return {{"kind", "arrived"}}; }
  json operator()(const ReportRequest&) const { return {{"kind", "request"}}; }
  json operator()(const RankReport& r) const {
    return {{"kind", "report"},
            {"rank", r.rank},
            {"node", pack(r.node)},
            {"loop", pack(r.loop)},
            {"changes", pack(r.changes)},
            {"gear", r.gear},
            {"time", r.time},
            {"computation", r.computation},
            {"communication", r.communication},
            {"overhead", r.overhead},
            {"calls", r.calls},
            {"energy", pack(r.energy)},
            {"divergences", r.divergences},
            {"failure", r.failure}};
  }
};

Measurement unpack_measurement(const json& j) {
  return {.rank = j.at("rank"),
          .node = unpack_node(j.at("node")),
          .phase = j.at("phase"),
          .gear0 = j.at("gear0"),
          .gear = j.at("gear"),
          .computation = j.at("computation").get<Seconds>(),
          .computation_in_gear0 = j.at("in_gear0").get<Seconds>(),
          .communication = j.at("communication").get<Seconds>(),
          .calls = j.at("calls")};
}

RankReport unpack_report(const json& j) {
  return {.rank = j.at("rank"),
          .node = unpack_node(j.at("node")),
          .loop = unpack_loop(j.at("loop")),
          .changes = unpack_changes(j.at("changes")),
          .gear = j.at("gear"),
          .time = j.at("time").get<Seconds>(),
          .computation = j.at("computation").get<Seconds>(),
          .communication = j.at("communication").get<Seconds>(),
          .overhead = j.at("overhead").get<Seconds>(),
          .calls = j.at("calls"),
          .energy = unpack_energy(j.at("energy")),
          .divergences = j.at("divergences"),
          .failure = j.at("failure")};
}

json pack(const Decision& d) {
  return {{"nodes", d.nodes},
          {"gears", d.gears},
          {"baseline", {d.baseline.time, d.baseline.energy}},
          {"prediction", {d.prediction.time, d.prediction.energy}},
          {"norms", {d.prediction.p_norm, d.prediction.e_norm, d.prediction.distance}},
          {"exact", d.exact},
          {"gap", d.gap ? json(*d.gap) : json()},
          {"violated", d.violated},
          {"declined", d.declined}};
}

Decision unpack_decision(const json& j) {
  const json& norms = j.at("norms");
  return {.nodes = j.at("nodes"),
          .gears = j.at("gears"),
          .baseline = {j.at("baseline").at(0).get<Seconds>(), j.at("baseline").at(1).get<Joules>()},
          .prediction = {.time = j.at("prediction").at(0).get<Seconds>(),
                         .energy = j.at("prediction").at(1).get<Joules>(),
                         .p_norm = norms.at(0),
                         .e_norm = norms.at(1),
                         .distance = norms.at(2)},
          .exact = j.at("exact"),
          .gap = j.at("gap").is_null() ? std::nullopt : std::optional(j.at("gap").get<double>()),
          .violated = j.at("violated"),
          .declined = j.at("declined")};
}

Message unpack(const json& j) {
  const std::string kind = j.at("kind");
  if (kind == "measurement")
    return unpack_measurement(j);
  if (kind == "order")
    return Order{j.at("gear"), j.at("set_it")};
  if (kind == "arrived")
    return Arrived{};
  if (kind == "request")
    return ReportRequest{};
  if (kind == "report")
    return unpack_report(j);
  throw Error(ErrorKind::hardware, "a message of unknown kind '" + kind + "' from another rank");
}

} // namespace

Bytes encode(const Message& message) { return json::to_cbor(std::visit(Pack{}, message)); }

Message decode(const Bytes& bytes) {
  try {
    return unpack(json::from_cbor(bytes));
  } catch (const json::exception& error) {
    throw Error(ErrorKind::hardware,
                std::string("a message from another rank cannot be read: ") + error.what(),
                "the same version of hypermile on all nodes");
  }
}

std::string print_run(const RunReport& run) {
  json ranks = json::array();
  for (const RankReport& rank : run.ranks)
    ranks.push_back(Pack{}(rank));
  json decisions = json::array();
  for (const Decision& decision : run.decisions)
    decisions.push_back(pack(decision));
  return json{{"ranks", ranks}, {"decisions", decisions}, {"without_loop", run.without_loop}}
      .dump();
}

RunReport parse_run(const std::string& text) {
  try {
    const json j = json::parse(text);
    RunReport run;
    for (const json& rank : j.at("ranks"))
      run.ranks.push_back(unpack_report(rank));
    for (const json& decision : j.at("decisions"))
      run.decisions.push_back(unpack_decision(decision));
    run.without_loop = j.at("without_loop").get<std::vector<int>>();
    return run;
  } catch (const json::exception& error) {
    throw Error(ErrorKind::hardware,
                std::string("the report of the run cannot be read: ") + error.what());
  }
}

} // namespace hypermile::runtime
