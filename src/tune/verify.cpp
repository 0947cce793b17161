#include "tune/verify.hpp"

#include "tune/mpi_library.hpp"

#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace hypermile::tune {
namespace {

using collective::Library;

std::string verdict(const Observed& observed) {
  if (observed.expected.algorithm.empty())
    return "the library's choice";
  return observed.as_expected() ? "as intended"
                                : fmt::format("WRONG, intended: {}", observed.expected.algorithm);
}

} // namespace

bool Observed::as_expected() const {
  return expected.algorithm.empty() ||
         ("=" + seen + "=").find("=" + expected.algorithm + "=") != std::string::npos;
}

std::vector<const collective::Collective*> collectives_of(const std::vector<Expected>& expected) {
  std::vector<const collective::Collective*> all;
  for (const Expected& one : expected)
    if (std::ranges::find(all, one.collective) == all.end())
      all.push_back(one.collective);
  return all;
}

std::vector<Observed> observe(const Launch& launch, const std::vector<Expected>& expected) {
  std::vector<Observed> all;
  for (const auto* const collective : collectives_of(expected)) {
    std::string asked;
    for (const Expected& one : expected)
      if (one.collective == collective)
        asked += fmt::format("{}{}:{}", asked.empty() ? "" : ",", one.processes, one.size_b);
    std::map<std::pair<std::size_t, std::size_t>, std::string> seen;
    const JobEnd end = run_collectives(launch, {"observe", std::string(collective->name), asked},
                                       [&](const Line& line) {
                                         if (const auto* const saw = std::get_if<Saw>(&line))
                                           seen[{saw->processes, saw->size_b}] = saw->algorithm;
                                       });
    if (!end.done)
      throw Error(ErrorKind::config, "interrupted; nothing is proven");
    for (const Expected& one : expected)
      if (one.collective == collective)
        all.push_back({.expected = one, .seen = seen[{one.processes, one.size_b}]});
  }
  return all;
}

control::Variables settings_of_file(const RulesFile& rules) {
  auto variables = settings_for_choice(rules.library, rules.collectives);
  variables.emplace_back(rules.library == Library::openmpi
                             ? "OMPI_MCA_coll_tuned_dynamic_rules_filename"
                             : "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
                         rules.file);
  return variables;
}

std::vector<std::string> options_of_file(const RulesFile& rules) {
  constexpr std::string_view prefix = "OMPI_MCA_";
  std::vector<std::string> options;
  for (const auto& [name, value] : settings_of_file(rules))
    options.push_back(rules.library == Library::openmpi
                          ? fmt::format("--mca {} {}", name.substr(prefix.size()), value)
                          : fmt::format("-genv {} {}", name, value));
  return options;
}

std::string applied_json(const RulesFile& rules, const std::vector<Choices>& all) {
  nlohmann::ordered_json json{
      {"schema", "hypermile/collective-rules/1"},
      {"library", collective::name_of(rules.library)},
      {"file", rules.file},
      {"mpirun_options", fmt::format("{}", fmt::join(options_of_file(rules), " "))},
      {"chosen", nlohmann::ordered_json::array()}};
  for (const Choices& choices : all)
    for (const Chosen& chosen : choices.chosen)
      for (const ChosenFrom& from : chosen.from) {
        json["chosen"].push_back({{"collective", choices.collective->name},
                                  {"processes", chosen.processes},
                                  {"from_b", from.size_b}});
        if (from.variant) {
          json["chosen"].back()["algorithm"] = from.variant->algorithm;
          json["chosen"].back()["segment_b"] = from.variant->segment_b;
        }
      }
  return json.dump(2) + "\n";
}

std::string print_observed(const std::vector<Observed>& observed) {
  constexpr std::size_t width = 79;
  constexpr std::size_t column = 55;
  std::string text = fmt::format("{:<9} {:>9}  {:<9} {}\n", "", "processes", "size", "ran");
  for (const Observed& one : observed) {
    const std::string line =
        fmt::format("{:<9} {:>9}  {:<9} {}", one.expected.collective->name, one.expected.processes,
                    collective::size_text(one.expected.size_b), one.seen);
    const std::string said = verdict(one);
    if (std::max(line.size(), column) + 1 + said.size() <= width)
      text += fmt::format("{:<{}} {}\n", line, column, said);
    else
      text += fmt::format("{}\n{:>{}}\n", line, said, width);
  }
  return text;
}

std::string observed_json(Library library, const std::vector<Observed>& observed) {
  nlohmann::ordered_json json{{"schema", "hypermile/collective-verification/1"},
                              {"library", collective::name_of(library)},
                              {"observed", nlohmann::ordered_json::array()}};
  for (const Observed& one : observed) {
    json["observed"].push_back({{"collective", one.expected.collective->name},
                                {"processes", one.expected.processes},
                                {"size_b", one.expected.size_b},
                                {"ran", one.seen},
                                {"as_intended", one.as_expected()}});
    if (!one.expected.algorithm.empty())
      json["observed"].back()["intended"] = one.expected.algorithm;
  }
  return json.dump(2) + "\n";
}

} // namespace hypermile::tune
