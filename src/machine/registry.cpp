#include "machine/registry.hpp"

#include "backend/command/backend.hpp"
#include "backend/cpufreq/backend.hpp"
#include "backend/cpufreq/uncore_gears.hpp"
#include "backend/emulated/computation.hpp"
#include "backend/powercap/limit_backend.hpp"
#include "backend/powercap/meter.hpp"
#include "io/text_file.hpp"
#include "units/error.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace hypermile::machine {
namespace {

namespace emulated = backend::emulated;
namespace powercap = backend::powercap;
namespace wattmeter = backend::wattmeter;

// clang-format off
constexpr std::array all_backends{
    Backend{.name = "cpufreq", .help = "the frequencies of this machine's processors, by Linux's cpufreq", .automatic = true, .options = cpufreq::options, .probe = cpufreq::probe, .open = cpufreq::open},
    Backend{.name = "power-limit", .help = "limits on the power of this machine's processors, by Linux's powercap; for run, those of a --platform", .needs_speeds = true, .options = powercap::limit_options, .probe = powercap::probe_limits, .open = powercap::open_limits},
    Backend{.name = "command", .help = "a command of yours, see --set-command", .options = backend::command::options, .probe = backend::command::probe, .open = backend::command::open},
    Backend{.name = "emulated", .help = "nothing real: this machine behaves like the nodes of --platform, the program is slowed down, energy is computed", .emulates = true, .probe = emulated::probe, .open = emulated::open},
};

constexpr std::array all_meters{
    Meter{.name = "powercap", .help = "the energy counters of the processors and their memory", .automatic = true, .probe = powercap::probe, .open = powercap::open},
    Meter{.name = "wattmeter", .argument = "FILE", .help = "the log of an external meter, CSV with columns time,power_w", .probe = wattmeter::probe, .parse = wattmeter::parse_power_log},
};
// clang-format on

/// Not rows of the tables: nothing is opened.
struct Word {
  std::string_view name;
  std::string_view help;
};
constexpr std::array backend_words{Word{"none", "no gear is set"},
                                   Word{"auto", "what this machine offers by itself, else "
                                                "none (the default)"}};
constexpr std::array meter_words{
    Word{"model", "no meter: energy is computed from the power tables of a platform"},
    Word{"none", "no energy at all"},
    Word{"auto", "the first of these that can be read here, else model (the default)"}};

std::string full_name(const Backend& row) { return std::string(row.name); }
std::string full_name(const Word& row) { return std::string(row.name); }
std::string full_name(const Meter& row) {
  return row.argument.empty() ? std::string(row.name)
                              : fmt::format("{}:{}", row.name, row.argument);
}

template <class Rows, class Words> std::string help_of(const Rows& rows, const Words& words) {
  std::string text;
  const auto add = [&](const auto& row) {
    constexpr std::size_t width = 18;
    text += labelled("  " + full_name(row), std::string(row.help), width);
  };
  std::ranges::for_each(rows, add);
  std::ranges::for_each(words, add);
  return text;
}

template <class Rows, class Words> std::string names_of(const Rows& rows, const Words& words) {
  std::string text;
  const auto add = [&](const auto& row) { text += (text.empty() ? "" : ", ") + full_name(row); };
  std::ranges::for_each(rows, add);
  std::ranges::for_each(words, add);
  return text;
}

template <class Rows> auto find(const Rows& rows, std::string_view name) {
  const auto row = std::ranges::find_if(rows, [&](const auto& r) { return r.name == name; });
  return row == std::ranges::end(rows) ? nullptr : &*row;
}

std::string argument_of(const std::string& spec) {
  const auto colon = spec.find(':');
  return colon == std::string::npos ? "" : spec.substr(colon + 1);
}

} // namespace

std::span<const Backend> backends() { return all_backends; }
std::span<const Meter> meters() { return all_meters; }

const Backend* find_backend(std::string_view name) { return find(all_backends, name); }

const Meter* find_meter(std::string_view spec) {
  const Meter* const meter = find(all_meters, spec.substr(0, spec.find(':')));
  const bool has_argument = spec.find(':') != std::string_view::npos;
  return meter != nullptr && has_argument == !meter->argument.empty() ? meter : nullptr;
}

std::string check_backend(const std::string& name) {
  if (find_backend(name) != nullptr || find(backend_words, name) != nullptr)
    return "";
  return fmt::format("unknown backend '{}'; there are: {}", name,
                     names_of(all_backends, backend_words));
}

std::string check_meter(const std::string& spec) {
  const Meter* const meter = find_meter(spec);
  if (meter != nullptr && !meter->argument.empty() && argument_of(spec).empty())
    return fmt::format("'{}' needs a value; try: {}", spec, full_name(*meter));
  if (meter != nullptr || find(meter_words, spec) != nullptr)
    return "";
  return fmt::format("unknown meter '{}'; there are: {}", spec, names_of(all_meters, meter_words));
}

std::string check_live_meter(const std::string& spec) {
  return log_file(spec) ? fmt::format("meter '{}' cannot be read while the program runs", spec)
                        : check_meter(spec);
}

std::string backends_help() { return help_of(all_backends, backend_words); }
std::string meters_help() { return help_of(all_meters, meter_words); }

std::optional<std::string> log_file(const std::string& spec) {
  const Meter* const meter = find_meter(spec);
  return meter != nullptr && meter->parse != nullptr ? std::optional(argument_of(spec))
                                                     : std::nullopt;
}

wattmeter::PowerLog read_log(const std::string& spec) {
  const std::string file = argument_of(spec);
  const std::string text = io::read_text_file(file);
  return find_meter(spec)->parse(wattmeter::complete_lines(text), file);
}

std::string variable_of(std::string_view option) {
  std::string variable = "HYPERMILE_";
  for (const char c : option)
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

bool is_variable(std::string_view name) {
  return std::ranges::any_of(all_backends, [name](const Backend& backend) {
    return std::ranges::any_of(backend.options, [name](const control::BackendOption& option) {
      return variable_of(option.name) == name;
    });
  });
}

std::string check_options(const Options& options) {
  for (const Backend& backend : all_backends)
    for (const control::BackendOption& option : backend.options)
      if (const auto value = options.find(option.name); value != options.end())
        if (const std::string wrong = option.check(value->second); !wrong.empty())
          return fmt::format("{}: {}", variable_of(option.name), wrong);
  return "";
}

Options options_in(const Environment& environment) {
  Options options;
  for (const Backend& backend : all_backends)
    for (const control::BackendOption& option : backend.options)
      if (const auto value = environment(variable_of(option.name)); value && !value->empty())
        options.emplace(option.name, *value);
  return options;
}

} // namespace hypermile::machine
