#include "tune/answer.hpp"

#include "collective/order_statistics.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace hypermile::tune {
namespace {

using collective::Calibration;
using collective::Estimate;
using collective::PowerKind;
using collective::Question;
using collective::Within;
using Json = nlohmann::ordered_json;

constexpr std::size_t name_width = 36;
constexpr double wanted_confidence = 0.95;

std::string number(double value) { return fmt::format("{:.4g}", value); }

std::string percent(double share) {
  const double value = 100 * share;
  return fmt::format("{:.{}f}", value, value >= 0.05 && value < 9.95 ? 1 : 0);
}

/// How far its ends are from the value: "-1.5 +22 %".
template <class Quantity> std::string interval(const Within<Quantity>& within) {
  const double value = within.value.value();
  return within.low && value > 0
             ? fmt::format("-{} +{} %", percent(1 - within.low->value() / value),
                           percent(within.high->value() / value - 1))
             : "one pass";
}

/// What the platform's switches draw, unless the question has others.
std::string switches_text(const Calibration& calibration, const Question& question) {
  return calibration.switch_power && question.switches == 0
             ? fmt::format(" With {} W of the platform's switches.",
                           number(calibration.switch_power->value()))
             : "";
}

/// Without what Open MPI says of its package and date.
std::string short_version(const std::string& version) {
  return version.substr(0, version.find(", package"));
}

bool has_hybrids(const Answer& answer) {
  return std::ranges::any_of(answer.estimates,
                             [](const Estimate& estimate) { return is_hybrid(estimate.variant); });
}

std::string power_text(const Calibration& calibration, const Answer& answer, bool late) {
  const auto& conditions = calibration.conditions;
  switch (conditions.power) {
  case PowerKind::none:
    return "Energy: not known, since the calibration has no power.";
  case PowerKind::measured:
    return fmt::format("Energy: from measured power ({}).", conditions.power_source);
  case PowerKind::modelled:
    return fmt::format("Energy: from a model of power, not measured ({}). All algorithms draw the "
                       "same power in it{}{}.",
                       conditions.power_source, late ? ", for as long as processes are inside" : "",
                       has_hybrids(answer) ? "; threads that copy draw that of computing" : "");
  case PowerKind::simulated:
    return fmt::format("Energy: simulated ({}).{}{}", conditions.power_source,
                       switches_text(calibration, answer.question),
                       late ? " For as long as processes are inside."
                            : " The same each time; intervals tell how far the model misses it.");
  }
  return {};
}

std::string header(const Calibration& calibration, const Answer& answer) {
  const Question& question = answer.question;
  const auto& conditions = calibration.conditions;
  const bool late = conditions.arrival.kind != collective::Arrival::Kind::together;
  std::string text =
      wrapped(fmt::format("{} in {} processes on {} node{}; {}", conditions.collective,
                          question.nodes * question.processes_per_node, question.nodes,
                          question.nodes == 1 ? "" : "s", short_version(conditions.version)));
  if (late)
    text += wrapped(fmt::format("Processes come late, {}. Time: from the last arrival on.",
                                arrival_text(conditions.arrival)));
  return text + wrapped(power_text(calibration, answer, late));
}

std::vector<const Estimate*> fastest_first(const std::vector<Estimate>& estimates) {
  std::vector<const Estimate*> sorted;
  for (const Estimate& estimate : estimates)
    sorted.push_back(&estimate);
  std::ranges::stable_sort(sorted, {}, [](const Estimate* e) { return e->time.value; });
  return sorted;
}

/// The name, alone in a line where it is too long for the column before `rest`.
std::string beside(const std::string& name, std::size_t width, const std::string& rest) {
  const bool fits = name.size() <= width;
  return fmt::format("{}{:<{}} {}\n", fits ? "" : name + "\n", fits ? name : "", width, rest);
}

std::string row(const Estimate& estimate) {
  std::string text =
      fmt::format("{:>9} {:>11}", number(estimate.time.value.value()), interval(estimate.time));
  if (estimate.energy)
    text += fmt::format(" {:>9} {:>11}", number(estimate.energy->value.value()),
                        interval(*estimate.energy));
  return beside(label(estimate.variant), name_width, text);
}

/// How sure the intervals are; empty: they come from the model alone, or there is none.
std::string confidences(const std::vector<Answer>& answers) {
  double least = 1;
  double most = 0;
  for (const Answer& answer : answers)
    for (const Estimate& estimate : answer.estimates)
      if (!estimate.exact && estimate.time.low) {
        least = std::min(least, estimate.time.confidence);
        most = std::max(most, estimate.time.confidence);
      }
  if (most == 0)
    return "";
  const std::string reached = most - least < 0.0005
                                  ? fmt::format("{:.1f} %", 100 * least)
                                  : fmt::format("{:.1f} to {:.1f} %", 100 * least, 100 * most);
  return wrapped(fmt::format(
      "Intervals hold the median of passes with a probability of {}{}.", reached,
      least < wanted_confidence ? fmt::format("; 95 % take {} passes: calibrate with --passes {}",
                                              collective::values_needed(wanted_confidence),
                                              collective::values_needed(wanted_confidence))
                                : ""));
}

/// Each reason once.
std::string extrapolations(const std::vector<Answer>& answers) {
  std::set<std::string> reasons;
  for (const Answer& answer : answers)
    for (const Estimate& estimate : answer.estimates)
      if (!estimate.extrapolated.empty())
        reasons.insert(estimate.extrapolated);
  std::string text;
  for (const std::string& reason : reasons)
    text += wrapped(fmt::format("Extrapolated beyond the calibration: {}.", reason));
  return text;
}

template <class Quantity> Json within_json(const Within<Quantity>& within) {
  Json json{{"value", within.value.value()}};
  if (within.low) {
    json["low"] = within.low->value();
    json["high"] = within.high->value();
    json["confidence"] = within.confidence;
  }
  return json;
}

Json estimate_json(const Estimate& estimate) {
  Json json{{"algorithm", estimate.variant.algorithm},
            {"segment_b", estimate.variant.segment_b},
            {"hybrid", is_hybrid(estimate.variant)},
            {"threads", estimate.variant.threads},
            {"time_s", within_json(estimate.time)}};
  if (estimate.energy)
    json["energy_j"] = within_json(*estimate.energy);
  if (!estimate.extrapolated.empty())
    json["extrapolated"] = estimate.extrapolated;
  return json;
}

/// Whether only commutative operations may use it.
bool must_commute(const Calibration& calibration, const collective::Variant& variant) {
  const auto& conditions = calibration.conditions;
  const auto* const algorithm = find_algorithm(collective::collective_named(conditions.collective),
                                               conditions.library, variant.algorithm);
  return algorithm != nullptr && algorithm->commutative;
}

std::string gain_text(const std::optional<collective::Gain>& gain) {
  return gain ? fmt::format("{:+.0f} %", 100 * gain->time) : "-";
}

Json answer_json(const Answer& answer) {
  const Question& question = answer.question;
  Json json{{"nodes", question.nodes},
            {"processes_per_node", question.processes_per_node},
            {"size_b", question.size_b},
            {"messages", question.messages},
            {"estimates", Json::array()}};
  for (const Estimate& estimate : answer.estimates)
    json["estimates"].push_back(estimate_json(estimate));
  if (answer.choice) {
    const auto& best = answer.estimates[answer.choice->index].variant;
    json["choice"] = {{"decided", answer.choice->undecided.empty()},
                      {"algorithm", best.algorithm},
                      {"segment_b", best.segment_b},
                      {"hybrid", is_hybrid(best)},
                      {"threads", best.threads},
                      {"probability", answer.choice->probability}};
    if (!answer.choice->undecided.empty())
      json["choice"]["why_undecided"] = answer.choice->undecided;
    json["choice"]["probability_less_than_default"] = answer.probability_less_than_library;
    if (answer.gain) {
      json["choice"]["default_time_ratio"] = 1 + answer.gain->time;
      if (answer.gain->energy)
        json["choice"]["default_energy_ratio"] = 1 + *answer.gain->energy;
    }
  }
  return json;
}

/// Where nothing is decided, what is the least so far comes below, with the reason.
std::string choice_row(const Answer& answer) {
  const collective::Choice& choice = *answer.choice;
  const Estimate& best = answer.estimates[choice.index];
  const bool decided = choice.undecided.empty();
  std::string text =
      beside(fmt::format("{:<9} {}", collective::size_text(answer.question.size_b),
                         decided ? label(best.variant) : "undecided"),
             name_width + 10,
             fmt::format("{:>9} {:>9} {:>3.0f} % {:>7}", number(best.time.value.value()),
                         best.energy ? number(best.energy->value.value()) : "-",
                         std::floor(100 * choice.probability), gain_text(answer.gain)));
  if (!decided)
    text += labelled("", fmt::format("{} so far{}; {}", label(best.variant),
                                     answer.beats_library ? ", surely less than the default" : "",
                                     choice.undecided));
  return text;
}

} // namespace

std::vector<Answer> answers(const Calibration& calibration, const collective::Model& model,
                            const Question& question, const std::vector<std::size_t>& sizes_b,
                            const std::optional<collective::Aim>& aim) {
  std::vector<Answer> all;
  for (const std::size_t size_b : sizes_b) {
    Answer answer{.question = question, .estimates = {}, .choice = {}, .gain = {}};
    answer.question.size_b = size_b;
    answer.estimates = model.estimate(answer.question);
    if (aim) {
      answer.choice = choose(answer.estimates, *aim);
      const auto& best = answer.estimates[answer.choice->index].variant;
      answer.gain =
          gain_over_library(calibration, question.nodes, question.processes_per_node, size_b, best);
      answer.probability_less_than_library = probability_less_than_library(
          calibration, question.nodes, question.processes_per_node, size_b, best, aim->least);
      answer.beats_library = !answer.choice->undecided.empty() &&
                             answer.probability_less_than_library >= aim->confidence;
    }
    all.push_back(std::move(answer));
  }
  return all;
}

std::string print_estimates(const Calibration& calibration, const std::vector<Answer>& answers) {
  std::string text = header(calibration, answers.front());
  for (const Answer& answer : answers) {
    const std::string what = fmt::format("{} x {}", answer.question.messages,
                                         collective::size_text(answer.question.size_b));
    std::string columns = fmt::format("{:>9} {:>11}", "time s", "interval");
    if (answer.estimates.front().energy)
      columns += fmt::format(" {:>9} {:>11}", "energy J", "interval");
    text += "\n" + beside(what, name_width, columns);
    for (const Estimate* const estimate : fastest_first(answer.estimates))
      text += row(*estimate);
  }
  const std::string below = confidences(answers) + extrapolations(answers);
  return text + (below.empty() ? "" : "\n" + below);
}

std::string print_choices(const Calibration& calibration, const std::vector<Answer>& answers) {
  std::string text = header(calibration, answers.front());
  text += fmt::format("\n{:<9} {:<36} {:>9} {:>9} {:>5} {:>7}\n", "size", "choice", "time s",
                      "energy J", "sure", "default");
  for (const Answer& answer : answers)
    text += choice_row(answer);
  if (std::ranges::any_of(answers, [](const Answer& answer) { return answer.gain.has_value(); }))
    text += "\ndefault: how much longer the library takes by its own rules, as measured\n";
  if (std::ranges::any_of(answers, &Answer::beats_library))
    text += wrapped("Where the least so far is surely less than the default, 'apply' takes it.");
  if (std::ranges::any_of(answers, [&](const Answer& answer) {
        return must_commute(calibration, answer.estimates[answer.choice->index].variant);
      }))
    text += "\n" + wrapped("Rings give wrong results with operations that do not commute: 'apply' "
                           "leaves them out unless --commutative says that there are none.");
  const std::string beyond = extrapolations(answers);
  return text + (beyond.empty() ? "" : "\n" + beyond);
}

std::string answers_json(const Calibration& calibration, const std::vector<Answer>& answers) {
  const auto& conditions = calibration.conditions;
  Json json{{"schema", "hypermile/collective-estimate/1"},
            {"collective", conditions.collective},
            {"library", collective::name_of(conditions.library)},
            {"version", conditions.version},
            {"power_source", conditions.power_source},
            {"arrival", arrival_text(conditions.arrival)},
            {"answers", Json::array()}};
  for (const Answer& answer : answers)
    json["answers"].push_back(answer_json(answer));
  return json.dump(2) + "\n";
}

} // namespace hypermile::tune
