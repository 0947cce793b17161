#include "cli/choice_options.hpp"

#include "cli/read_option.hpp"

#include "govern/governors.hpp"
#include "io/request_words.hpp"
#include "runtime/request.hpp"
#include "runtime/settings.hpp"
#include "units/parse.hpp"

#include <fmt/ranges.h>

namespace hypermile::cli {
namespace {

Seconds read_think(const std::string& text) {
  const Seconds time = parse_seconds(text);
  if (time <= Seconds{})
    throw Error(ErrorKind::config, fmt::format("'{}' is not more than 0", text));
  return time;
}

io::PowerCaps read_caps(const std::vector<std::string>& texts) {
  try {
    return io::parse_power_caps(fmt::format("{}", fmt::join(texts, ",")));
  } catch (const Error& error) {
    throw CLI::ValidationError("--power-cap", error.what());
  }
}

void add_cap_option(CLI::App& command, Choice choice) {
  command
      .add_option_function<std::vector<std::string>>(
          "--power-cap",
          [choice](const std::vector<std::string>& texts) { choice.power_caps = read_caps(texts); },
          "With 'exact': most average power of the whole job, e.g. 2kW, or with peak: before it "
          "most power while all nodes compute, e.g. peak:2kW; may be there twice. It comes before "
          "--max-slowdown: where no gears keep both, the fastest that keep the cap are chosen. "
          "Default: none")
      ->type_name("[peak:]POWER")
      ->check(understood_by(io::parse_power_caps))
      ->allow_extra_args(false);
}

} // namespace

std::string check_caps(const std::string& name) {
  const auto method = select::method_named(name);
  return method && select::row_of(*method).keeps_bounds
             ? ""
             : fmt::format("the method '{}' keeps no cap; try: exact", name);
}

std::string check_method(const std::string& name) {
  const auto method = select::method_named(name);
  if (name == "none" || (method && runtime::is_for_runs(select::row_of(*method))))
    return "";
  if (govern::governor_named(name) != nullptr)
    return fmt::format("the method '{}' is for simulations only; try: {}, none", name,
                       runtime::method_names_of_runs());
  return fmt::format("'{}' is not a method; try: {}, none", name, runtime::method_names_of_runs());
}

std::string check_objective(const std::string& name) {
  return understood_by(io::parse_objective)(name);
}

std::string check_time_model(const std::string& name) {
  return one_of({"auto", "cluster", "dependency", "hybrid", "async"})(name);
}

std::string check_choice(const std::string& method, const Choice& choice) {
  const auto known = select::method_named(method);
  const auto model = runtime::time_model_named(choice.time_model);
  if (!known || !model)
    return "";
  try {
    runtime::check_choice(select::row_of(*known), *model,
                          {.max_slowdown = choice.max_slowdown,
                           .average_power_cap = choice.power_caps.average,
                           .peak_power_cap = choice.power_caps.peak});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

namespace {

void add_what_is_taken_for_granted(CLI::App& command, const Choice& choice) {
  command.add_flag(
      "--equal-shares", choice.equal_shares,
      "All ranks have as much to do: put faster nodes into slower gears from MPI_Init "
      "on, in which they are no later than the slowest node; choices go on from there");
  command.add_flag(
      "--full-sensitivity", choice.full_sensitivity,
      "Take all computation to react to gears in full, as if it never waited for memory. Default: "
      "how much it does is learnt from the gears that were visited");
}

} // namespace

void add_choice_options(CLI::App& command, Choice choice, const std::string& bound) {
  command
      .add_option("--objective", choice.objective,
                  "What the gears optimise, see below. Default: maxdist")
      ->type_name("OBJECTIVE")
      ->check(check_objective);
  command
      .add_option_function<std::string>(
          "--max-slowdown",
          [choice](const std::string& text) { choice.max_slowdown = runtime::parse_bound(text); },
          "With 'exact': by how much the run may take longer than in gear 0, e.g. 3%, or none. For "
          "a while iterations may be slower than that, because the time before was in gear 0. "
          "Without a bound, the objective may give up as much time as it saves energy. "
          "Default: " +
              bound)
      ->type_name("RATIO")
      ->check(understood_by(runtime::parse_bound));
  add_cap_option(command, choice);
  command
      .add_option_function<std::string>(
          "--confidence",
          [choice](const std::string& text) {
            choice.confidence = runtime::parse_confidence(text);
          },
          "Probability with which --max-slowdown is kept although iterations vary, from 50% to "
          "less than 100%; a higher one leaves more slack. Default: 95%")
      ->type_name("RATIO")
      ->check(understood_by(runtime::parse_confidence));
  add_what_is_taken_for_granted(command, choice);
  command
      .add_option(
          "--time-model", choice.time_model,
          "Model of the choices: cluster (all wait for the slowest rank), dependency (which rank "
          "waits for which; 'exact' only), hybrid (ranks wait for those at the same site of the "
          "platform alone; without bounds), async (nobody waits; without bounds), or auto "
          "(default): with 'exact' dependency if all events were recorded, or hybrid if messages "
          "are used or not as time has it; else cluster")
      ->type_name("MODEL")
      ->check(check_time_model);
  command
      .add_option_function<std::string>(
          "--apply",
          [choice](const std::string& text) { choice.apply = runtime::parse_apply(text); },
          "How long ranks wait for a choice of gears. brief (default): 2% of an iteration; rank 0 "
          "until the choice is made, for at most 1% of the time. sync: all until they have the "
          "first choice, for at most 20 iterations, so that it is applied at the end of the same "
          "iteration on all; later as brief. async: nobody waits, gears are set whenever the "
          "messages arrive")
      ->type_name("HOW")
      ->check(understood_by(runtime::parse_apply));
  command
      .add_option_function<std::string>(
          "--think", [choice](const std::string& text) { choice.think = read_think(text); },
          "About how long one choice by the dependency model may take, e.g. 1s. Default: 50ms")
      ->type_name("TIME")
      ->check(understood_by(read_think));
}

} // namespace hypermile::cli
