#include "backend/command/backend.hpp"

#include "control/run_command.hpp"
#include "control/small_file.hpp"
#include "control/spawn.hpp"
#include "units/error.hpp"
#include "units/parse.hpp"
#include "units/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string_view>
#include <utility>

namespace hypermile::backend::command {
namespace {

using control::Access;
using control::GearSetting;
using Words = std::vector<std::string>;

constexpr std::array<std::string_view, 5> placeholders{"khz", "ghz", "gear", "cpus", "node"};

/// What stands for {name}.
using Value = std::function<std::string(std::string_view name)>;

/// The absolute path of a program; empty: there is none.
std::string program_of(const std::string& name) {
  const char* const folders = std::getenv("PATH");
  const std::string file = control::find_program(name, folders == nullptr ? "" : folders);
  return file.empty() ? "" : std::filesystem::absolute(file).string();
}

/// `word` with the values of its placeholders. Throws Error{config} for one that there is not.
std::string fill(const std::string& word, const Value& value) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto end = word[i] == '{' ? word.find('}', i) : std::string::npos;
    if (end == std::string::npos) {
      text += word[i];
      continue;
    }
    const std::string name = word.substr(i + 1, end - i - 1);
    if (std::ranges::find(placeholders, name) == placeholders.end())
      throw Error(ErrorKind::config, fmt::format("unknown placeholder '{{{}}}'", name),
                  "{khz}, {ghz}, {gear}, {cpus} or {node}");
    text += value(name);
    i = end;
  }
  return text;
}

Words fill(const std::string& command, const Value& value, bool resolved) {
  Words words = split_words(command);
  for (std::string& word : words)
    word = fill(word, value);
  if (resolved)
    words[0] = program_of(words[0]);
  return words;
}

std::string option(const Access& access, const char* name) {
  const auto found = access.options.find(name);
  return found == access.options.end() ? "" : found->second;
}

std::vector<GearSetting> parse_gears(const std::string& text) {
  std::vector<GearSetting> gears;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const Hertz frequency = hypermile::parse_hertz(part);
    if (frequency <= Hertz{} || (!gears.empty() && frequency >= *gears.back().frequency))
      throw Error(ErrorKind::config, fmt::format("gear '{}' is not slower than those before", part),
                  "the fastest first");
    gears.push_back(control::gear_at(frequency));
  }
  if (gears.empty())
    throw Error(ErrorKind::config, "there is no gear");
  return gears;
}

std::vector<GearSetting> gears_of(const Access& access) {
  const std::string own = option(access, "command-gears");
  return own.empty() ? access.gears : parse_gears(own);
}

/// As {cpus}: "0,1,2".
std::string cpus_of(const Access& access) {
  if (access.cpus.empty())
    return control::read_small_file(access.place.sysfs + "/devices/system/cpu/online");
  return fmt::format("{}", fmt::join(access.cpus, ","));
}

/// Sets gears by the command, which the guard runs.
class CommandActuator final : public control::Actuator {
public:
  CommandActuator(const Access& access, std::vector<GearSetting> gears, control::Lease& lease)
      : access_(access), gears_(std::move(gears)), lease_(lease) {}

  [[nodiscard]] std::size_t gear() const override { return gear_; }

  void set_gear(std::size_t gear) override {
    if (gear >= gears_.size())
      throw Error(ErrorKind::hardware, fmt::format("this node has no gear {}", gear));
    if (gear == gear_)
      return;
    const std::string set = option(access_, "set-command");
    const std::string restore = option(access_, "restore-command");
    lease_.run(words(set, gear), words(restore.empty() ? set : restore, 0));
    gear_ = gear;
  }

  [[nodiscard]] Words words(const std::string& command, std::size_t gear) const {
    return fill(
        command, [&](std::string_view name) { return value(name, gear); }, true);
  }

private:
  [[nodiscard]] std::string value(std::string_view name, std::size_t gear) const {
    if (name == "gear")
      return std::to_string(gear);
    if (name == "cpus")
      return cpus_of(access_);
    if (name == "node")
      return control::node_name();
    const double hertz = gears_[gear].frequency.value_or(Hertz{}).value();
    return name == "khz" ? std::to_string(std::llround(hertz / 1e3))
                         : fmt::format("{:.6g}", hertz / 1e9);
  }

  Access access_;
  std::vector<GearSetting> gears_;
  control::Lease& lease_;
  std::size_t gear_ = 0; ///< what the node had before
};

/// Why a command cannot be run; empty: it can.
std::string obstacle(const std::string& command) {
  const std::string program = split_words(command)[0];
  return program_of(program).empty()
             ? fmt::format("there is no program '{}' that could be run", program)
             : "";
}

} // namespace

std::string check_command(const std::string& text) {
  try {
    (void)fill(
        text, [](std::string_view) { return "0"; }, false);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string check_gears(const std::string& text) {
  try {
    (void)parse_gears(text);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

control::Finding probe(const Access& access) {
  const std::string set = option(access, "set-command");
  const std::string restore = option(access, "restore-command");
  control::Finding finding;
  if (set.empty()) {
    finding.why_not = "no command is given";
    finding.advice = "--backend command --set-command COMMAND, or HYPERMILE_SET_COMMAND";
    return finding;
  }
  for (const control::BackendOption& own : options)
    if (const auto given = access.options.find(own.name); given != access.options.end())
      if (const std::string wrong = own.check(given->second); !wrong.empty()) {
        finding.why_not = fmt::format("--{}: {}", own.name, wrong);
        return finding;
      }
  finding.gears = gears_of(access);
  finding.what = fmt::format("{} gears by '{}'", finding.gears.size(), set);
  finding.why_not = obstacle(set);
  if (finding.why_not.empty() && !restore.empty())
    finding.why_not = obstacle(restore);
  if (finding.why_not.empty()) {
    finding.why_not = control::why_no_frequencies(finding.gears);
    finding.advice = finding.why_not.empty() ? "" : "--backend power-limit, or --command-gears";
  }
  if (finding.why_not.empty() && finding.gears.size() < 2) {
    finding.why_not = "it is not known which gears the command can set";
    finding.advice = "--command-gears 2.4GHz,1.8GHz, or --platform";
  }
  return finding;
}

control::OpenGears open(const Access& access) {
  const control::Finding found = probe(access);
  control::OpenGears open{.gears = found.gears, .why_not = found.why_not, .advice = found.advice};
  if (!open.why_not.empty())
    return open;
  open.lease = std::make_unique<control::Lease>(
      control::Lease::acquire(access.place, access.guard, access.owner));
  open.actuator = std::make_unique<CommandActuator>(access, open.gears, *open.lease);
  return open;
}

} // namespace hypermile::backend::command
