#include "learn/memory.hpp"

#include "learn/condensed.hpp"
#include "runtime/decide/power_learner.hpp"
#include "units/checksum.hpp"
#include "units/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace hypermile::learn {
namespace {

using runtime::Outline;
using runtime::RankReport;

/// Older runs count for less and less.
constexpr std::size_t most_runs_in_mean = 7;
/// A timeline of less of the run than this part of what is known of it does not take its place.
constexpr double least_coverage = 0.8;

Seconds mean(Seconds known, Seconds latest, double runs) {
  return (known * runs + latest) / (runs + 1);
}

Outline mean(const Outline& known, Outline latest, double runs) {
  latest.total = mean(known.total, latest.total, runs);
  for (std::size_t k = 0; k < std::min(latest.computation.size(), known.computation.size()); ++k)
    latest.computation[k] = mean(known.computation[k], latest.computation[k], runs);
  return latest;
}

/// The next plan rests on what was measured.
void plan_by(const std::vector<runtime::LearntPower>& power, std::vector<RankReport>& ranks) {
  for (RankReport& rank : ranks)
    if (const auto* const known = runtime::learnt_of(power, rank.node.type);
        known != nullptr && known->why_not.empty())
      rank.node.type.power = known->table;
}

/// Of types that no meter told anything of this time.
void keep_power(const Memory& known, Memory& latest) {
  for (const runtime::LearntPower& before : known.power) {
    const auto* const now = runtime::learnt_of(latest.power, before.type);
    if (now != nullptr && now->nodes > 0)
      continue;
    std::erase_if(latest.power, [&](const auto& of_type) { return &of_type == now; });
    latest.power.push_back(before);
  }
  plan_by(latest.power, latest.ranks);
}

std::string difference_of(const Memory& known, const Memory& latest) {
  for (std::size_t r = 0; r < known.ranks.size(); ++r) {
    const auto what =
        runtime::difference(known.ranks[r].lesson->outline, latest.ranks[r].lesson->outline);
    if (!what.empty())
      return fmt::format("rank {}: {}", r, what);
  }
  return "";
}

} // namespace

std::string key_of(const Identity& identity) {
  std::map<std::string, std::size_t> nodes;
  std::string key = fmt::format("{}\n{}\n", identity.program, identity.arguments.size());
  for (const std::string& argument : identity.arguments)
    key += fmt::format("{}:{}\n", argument.size(), argument);
  for (const runtime::RankNode& node : identity.nodes) {
    key += fmt::format("{} {} {}", nodes.emplace(node.name, nodes.size()).first->second,
                       node.type.name, node.type.cores);
    for (model::Gear gear = 0; gear < node.type.gears.size(); ++gear)
      key += fmt::format(" {}", node.type.gears.frequency(gear).value());
    key += '\n';
  }
  return key;
}

std::string command_of(const Identity& identity) {
  std::string command = identity.program;
  for (const std::string& argument : identity.arguments)
    command.append(" ").append(argument);
  return command;
}

std::string shell_command_of(const Identity& identity) {
  std::vector<std::string> words{identity.started_as.empty() ? identity.program
                                                             : identity.started_as};
  words.insert(words.end(), identity.arguments.begin(), identity.arguments.end());
  return shell_words(words);
}

std::string file_name_of(const Identity& identity) {
  constexpr std::size_t longest = 60;
  std::string name = identity.program.substr(0, longest);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '+')
      c = '_';
  return fmt::format("{}-{:016x}.memory", name, checksum(key_of(identity)));
}

Memory first_memory(Identity identity, std::vector<std::string> functions,
                    std::vector<RankReport> run, std::vector<runtime::LearntPower> power) {
  plan_by(power, run);
  return {.identity = std::move(identity),
          .runs = 1,
          .functions = std::move(functions),
          .ranks = std::move(run),
          .power = std::move(power)};
}

Improved improve(const Memory& known, const Memory& latest) {
  Improved improved{.memory = latest, .difference = difference_of(known, latest)};
  if (!improved.difference.empty())
    return improved;
  keep_power(known, improved.memory);
  const auto runs = static_cast<double>(std::min(known.runs, most_runs_in_mean));
  const bool keeps_timelines = coverage(latest) < least_coverage * coverage(known);
  improved.memory.runs = known.runs + 1;
  for (std::size_t r = 0; r < known.ranks.size(); ++r) {
    auto& lesson = *improved.memory.ranks[r].lesson;
    lesson.outline = mean(known.ranks[r].lesson->outline, lesson.outline, runs);
    if (keeps_timelines)
      lesson.timeline = known.ranks[r].lesson->timeline;
  }
  if (keeps_timelines)
    improved.memory.functions = known.functions;
  return improved;
}

} // namespace hypermile::learn
