#include "report/explanation.hpp"

#include "report/neighbours.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using simulate::Explanation;

ordered_json call_json(const Explanation::Call& call) {
  using Kind = Explanation::Call::Kind;
  ordered_json json{{"function", call.function},      {"kind", nullptr},    {"rank", nullptr},
                    {"with_rank", nullptr},           {"members", nullptr}, {"times", call.times},
                    {"inside_s", call.inside.value()}};
  json["kind"] = call.kind == Kind::message      ? "message"
                 : call.kind == Kind::collective ? "collective"
                                                 : "alone";
  if (call.kind != Kind::collective)
    json["rank"] = call.rank;
  if (call.kind == Kind::message)
    json["with_rank"] = call.with;
  if (call.kind == Kind::collective)
    json["members"] = call.with;
  return json;
}

ordered_json stretch_json(const Explanation::Segment& segment) {
  const auto or_null = [](const auto& value, bool there) {
    return there ? ordered_json(value) : ordered_json(nullptr);
  };
  return {{"rank", segment.rank},
          {"begin_s", segment.begin.value()},
          {"computing_s", segment.computing.value()},
          {"inside_s", segment.inside.value()},
          {"first_call", or_null(segment.first_call, !segment.first_call.empty())},
          {"last_call", or_null(segment.last_call, !segment.last_call.empty())},
          {"first_iteration", or_null(segment.first_iteration, segment.first_iteration > 0)},
          {"last_iteration", or_null(segment.last_iteration, segment.last_iteration > 0)}};
}

ordered_json path_json(const Explanation& e, std::size_t top) {
  ordered_json json{
      {"time_s", e.path_time.value()},      {"late_begin_s", e.late_begin.value()},
      {"computing_s", e.computing.value()}, {"inside_s", e.inside.value()},
      {"handovers", e.handovers},           {"calls", ordered_json::array()},
      {"calls_in_all", e.calls.size()},     {"longest_segments", ordered_json::array()}};
  for (std::size_t i = 0; i < std::min(top, e.calls.size()); ++i)
    json["calls"].push_back(call_json(e.calls[i]));
  for (const auto& segment : e.longest)
    json["longest_segments"].push_back(stretch_json(segment));
  return json;
}

ordered_json ranks_json(const Explanation& e) {
  ordered_json ranks = ordered_json::array();
  for (const auto& rank : e.ranks)
    ranks.push_back({{"node", rank.node},
                     {"on_path_s", rank.on_path.value()},
                     {"computing_s", rank.account.computing.value()},
                     {"messages_s", rank.account.inside.value()},
                     {"waiting_s", rank.account.waiting.value()},
                     {"slack_s", rank.slack.least.value()},
                     {"typical_slack_s", rank.slack.typical.value()}});
  return ranks;
}

ordered_json nodes_json(const Explanation& e) {
  ordered_json nodes = ordered_json::array();
  for (std::size_t n = 0; n < e.nodes.size(); ++n) {
    const auto& node = e.nodes[n];
    const auto& [faster, slower] = e.neighbourhood.units[n];
    nodes.push_back({{"name", node.name},
                     {"type", node.type},
                     {"gear", node.gear},
                     {"frequency_ghz", nullptr},
                     {"faster", neighbour_json(faster)},
                     {"slower", neighbour_json(slower)}});
    if (node.frequency)
      nodes.back()["frequency_ghz"] = node.frequency->value() / 1e9;
  }
  return nodes;
}

ordered_json heading_json(const ExplainedRun& run) {
  ordered_json json{{"schema", "hypermile/explanation/1"},
                    {"of", "run"},
                    {"folder", run.folder.empty() ? ordered_json() : ordered_json(run.folder)},
                    {"run", nullptr},
                    {"gears_from", nullptr},
                    {"platform", run.platform},
                    {"program", run.program},
                    {"simulated", nullptr},
                    {"whole", nullptr}};
  json[run.given ? "gears_from" : "run"] = run.run;
  if (run.simulated)
    json["simulated"] = {{"time_s", run.simulated->time.value()},
                         {"energy_j", run.simulated->energy.value()},
                         {"gears_changed_on_the_way", run.changed_on_the_way}};
  if (run.whole)
    json["whole"] = {{"time_s", run.whole->time.value()}, {"energy_j", run.whole->energy.value()}};
  return json;
}

} // namespace

std::string explanation_json(const ExplainedRun& run, const Explanation& explanation,
                             std::size_t top) {
  ordered_json json = heading_json(run);
  add_aim_and_figures(run.request, explanation.neighbourhood, json);
  json["baseline"] = {{"time_s", explanation.baseline.time.value()},
                      {"energy_j", explanation.baseline.energy.value()}};
  json["path"] = path_json(explanation, top);
  json["ranks"] = ranks_json(explanation);
  json["nodes"] = nodes_json(explanation);
  json["better"] = nullptr;
  if (const auto found = best(explanation.neighbourhood))
    json["better"] = {{"node", found->unit}, {"gear", found->neighbour.gear}};
  // Names come from files and systems that need not write UTF-8.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::report
