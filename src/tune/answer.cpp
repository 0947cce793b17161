#include "tune/answer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace hypermile::tune {
namespace {

using collective::Calibration;
using collective::Estimate;
using collective::PowerKind;
using collective::Question;
using collective::Within;
using Json = nlohmann::ordered_json;

std::string number(double value) { return fmt::format("{:.4g}", value); }

template <class Quantity> std::string interval(const Within<Quantity>& within) {
  return within.low
             ? fmt::format("{} to {}", number(within.low->value()), number(within.high->value()))
             : "one pass";
}

/// What the platform's switches draw, unless the question has others.
std::string switches_line(const Calibration& calibration, const Question& question) {
  return calibration.switch_power && question.switches == 0
             ? fmt::format("  With {} W of the platform's switches.\n",
                           number(calibration.switch_power->value()))
             : "";
}

std::string header(const Calibration& calibration, const Question& question) {
  const auto& conditions = calibration.conditions;
  const bool late = conditions.arrival.kind != collective::Arrival::Kind::together;
  std::string text = fmt::format("{} in {} processes on {} node{}; {}\n", conditions.collective,
                                 question.nodes * question.processes_per_node, question.nodes,
                                 question.nodes == 1 ? "" : "s", conditions.version);
  if (late)
    text += fmt::format("Processes come late, {}. Time: from the last arrival on.\n",
                        arrival_text(conditions.arrival));
  switch (conditions.power) {
  case PowerKind::none:
    return text + "Energy: not known, since the calibration has no power.\n";
  case PowerKind::measured:
    return text + fmt::format("Energy: from measured power ({}).\n", conditions.power_source);
  case PowerKind::modelled:
    return text + fmt::format("Energy: from a model of power, not measured ({}).\n"
                              "  All algorithms draw the same power in it{}.\n",
                              conditions.power_source,
                              late ? ", for as long as processes are inside" : "");
  case PowerKind::simulated:
    return text + fmt::format("Energy: simulated ({}).\n{}"
                              "  The same each time; intervals tell how far the model misses it.\n",
                              conditions.power_source, switches_line(calibration, question));
  }
  return text;
}

std::vector<const Estimate*> fastest_first(const std::vector<Estimate>& estimates) {
  std::vector<const Estimate*> sorted;
  for (const Estimate& estimate : estimates)
    sorted.push_back(&estimate);
  std::ranges::stable_sort(sorted, {}, [](const Estimate* e) { return e->time.value; });
  return sorted;
}

std::string row(const Estimate& estimate) {
  std::string text = fmt::format("{:<36} {:>10}  {:<24}", label(estimate.variant),
                                 number(estimate.time.value.value()), interval(estimate.time));
  if (estimate.energy)
    text += fmt::format(" {:>10}  {}", number(estimate.energy->value.value()),
                        interval(*estimate.energy));
  text.resize(text.find_last_not_of(' ') + 1);
  return text + "\n";
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
    text += fmt::format("Extrapolated beyond the calibration: {}.\n", reason);
  return text;
}

template <class Quantity> Json within_json(const Within<Quantity>& within) {
  Json json{{"value", within.value.value()}};
  if (within.low) {
    json["low"] = within.low->value();
    json["high"] = within.high->value();
  }
  return json;
}

Json estimate_json(const Estimate& estimate) {
  Json json{{"algorithm", estimate.variant.algorithm},
            {"segment_b", estimate.variant.segment_b},
            {"hybrid", estimate.variant.hybrid},
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
  return find_algorithm(collective::collective_named(conditions.collective), conditions.library,
                        variant.algorithm)
      ->commutative;
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
                      {"hybrid", best.hybrid},
                      {"probability", answer.choice->probability}};
    if (!answer.choice->undecided.empty())
      json["choice"]["why_undecided"] = answer.choice->undecided;
    if (answer.gain) {
      json["choice"]["default_time_ratio"] = 1 + answer.gain->time;
      if (answer.gain->energy)
        json["choice"]["default_energy_ratio"] = 1 + *answer.gain->energy;
    }
  }
  return json;
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
      answer.gain = gain_over_library(calibration, question.nodes, question.processes_per_node,
                                      size_b, answer.estimates[answer.choice->index].variant);
    }
    all.push_back(std::move(answer));
  }
  return all;
}

std::string print_estimates(const Calibration& calibration, const std::vector<Answer>& answers) {
  std::string text = header(calibration, answers.front().question);
  for (const Answer& answer : answers) {
    const std::string what = fmt::format("{} x {}", answer.question.messages,
                                         collective::size_text(answer.question.size_b));
    text += fmt::format("\n{:<36} {:>10}  {:<24}", what, "time s", "95 %");
    text += answer.estimates.front().energy ? fmt::format(" {:>10}  95 %\n", "energy J") : "\n";
    for (const Estimate* const estimate : fastest_first(answer.estimates))
      text += row(*estimate);
  }
  const std::string beyond = extrapolations(answers);
  return text + (beyond.empty() ? "" : "\n" + beyond);
}

std::string print_choices(const Calibration& calibration, const std::vector<Answer>& answers) {
  std::string text = header(calibration, answers.front().question);
  text += fmt::format("\n{:<9} {:<36} {:>9} {:>9} {:>5} {:>7}\n", "size", "choice", "time s",
                      "energy J", "sure", "default");
  for (const Answer& answer : answers) {
    const Estimate& best = answer.estimates[answer.choice->index];
    const bool decided = answer.choice->undecided.empty();
    text += fmt::format(
        "{:<9} {:<36} {:>9} {:>9} {:>3.0f} % {:>7}\n",
        collective::size_text(answer.question.size_b),
        decided ? label(best.variant) : fmt::format("undecided ({})", label(best.variant)),
        number(best.time.value.value()), best.energy ? number(best.energy->value.value()) : "-",
        100 * answer.choice->probability, gain_text(answer.gain));
    if (!decided)
      text += fmt::format("          {}\n", answer.choice->undecided);
  }
  if (std::ranges::any_of(answers, [](const Answer& answer) { return answer.gain.has_value(); }))
    text += "\ndefault: how much longer the library takes by its own rules, as measured\n";
  if (std::ranges::any_of(answers, [&](const Answer& answer) {
        return must_commute(calibration, answer.estimates[answer.choice->index].variant);
      }))
    text +=
        "\nRings give wrong results with operations that do not commute: 'apply' leaves them out\n"
        "unless --commutative says that there are none.\n";
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
