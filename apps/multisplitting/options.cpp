#include "multisplitting/options.hpp"

#include "multisplitting/problem.hpp"

#include <array>
#include <charconv>

namespace apps::multisplitting {
namespace {

/// Reads the value of an option; false: it is none.
using Read = bool (*)(Options& options, std::string_view value);

struct Option {
  std::string_view name;
  std::string_view wants;
  Read read;
};

/// Also refuses what is no number: it is neither below nor above a bound.
template <class Number>
bool read_between(std::string_view value, Number least, Number most, Number& number) {
  const char* const end = value.data() + value.size();
  const auto [stopped, problem] = std::from_chars(value.data(), end, number);
  return problem == std::errc{} && stopped == end && number >= least && number <= most;
}

bool read_class(Options& options, std::string_view value) {
  if (value.size() != 1 || problem_classes.find(value) == std::string_view::npos)
    return false;
  options.side = side_of_class(value.front());
  return true;
}

bool read_outer(Options& options, std::string_view value) {
  options.is_asynchronous = value == "async";
  return options.is_asynchronous || value == "sync";
}

const std::array options_with_value{
    Option{"--class", "one of S|W|A", read_class},
    Option{"--grid", "a whole number from 1 to 2000",
           [](Options& o, std::string_view v) {
             return read_between<std::uint32_t>(v, 1, 2000, o.side);
           }},
    Option{"--clusters", "a whole number from 1 to 2000",
           [](Options& o, std::string_view v) {
             return read_between(v, 1, 2000, o.clusters.emplace());
           }},
    Option{"--outer", "sync or async", read_outer},
    Option{"--restart", "a whole number from 1 to 1000",
           [](Options& o, std::string_view v) { return read_between(v, 1, 1000, o.restart); }},
    Option{"--cycles", "a whole number from 1 to 1000000",
           [](Options& o, std::string_view v) { return read_between(v, 1, 1'000'000, o.cycles); }},
    Option{"--inner-tolerance", "a number from 0 to 0.9",
           [](Options& o, std::string_view v) {
             return read_between(v, 0.0, 0.9, o.inner_tolerance);
           }},
    Option{"--tolerance", "a number from 1e-12 to 0.1",
           [](Options& o, std::string_view v) { return read_between(v, 1e-12, 0.1, o.tolerance); }},
    Option{"--limit", "a whole number from 1 to 1000000",
           [](Options& o, std::string_view v) { return read_between(v, 1, 1'000'000, o.limit); }},
    Option{"--disturb", "a whole number from 0 to 1000000000",
           [](Options& o, std::string_view v) {
             return read_between<std::uint64_t>(v, 0, 1'000'000'000, o.disturbance.emplace());
           }},
};

bool read_flag(Options& options, std::string_view argument) {
  if (argument == "--verbose" || argument == "-v")
    options.verbose = true;
  else if (argument == "--help" || argument == "-h")
    options.help = true;
  else
    return false;
  return true;
}

/// `value`: what stands behind the '=' or in the next argument, if there is one.
void read_option(Options& options, std::string_view name, std::optional<std::string_view> value) {
  for (const Option& option : options_with_value) {
    if (option.name != name)
      continue;
    if (!value)
      options.error = std::string(name) + " needs a value";
    else if (!option.read(options, *value))
      options.error = std::string(name) + " cannot be '" + std::string(*value) + "'";
    if (!options.error.empty())
      options.error += "; try: " + std::string(option.wants);
    return;
  }
  options.error = "unknown argument '" + std::string(name) + "'; try: --help";
}

} // namespace

Options read_options(const std::vector<std::string_view>& arguments) {
  Options options;
  options.side = side_of_class('S');
  for (std::size_t i = 0; i < arguments.size() && options.error.empty(); ++i) {
    const std::string_view argument = arguments[i];
    if (read_flag(options, argument))
      continue;
    const auto equals = argument.find('=');
    if (equals != std::string_view::npos)
      read_option(options, argument.substr(0, equals), argument.substr(equals + 1));
    else if (i + 1 < arguments.size())
      read_option(options, argument, arguments[++i]);
    else
      read_option(options, argument, std::nullopt);
  }
  if (options.error.empty() && options.disturbance && !options.is_asynchronous)
    options.error = "--disturb delays messages that nobody waits for; try: with --outer async";
  return options;
}

std::string help() {
  return "usage: multisplitting [--class S|W|A] [--grid N] [--clusters N] [--outer sync|async]\n"
         "                      [--restart N] [--cycles N] [--inner-tolerance X] [--tolerance X]\n"
         "                      [--limit N] [--disturb SEED] [--verbose]\n"
         "  --class X            the size of the problem: S (default), W, A: 24, 48, 96 points\n"
         "                       along each axis\n"
         "  --grid N             points along each axis, instead\n"
         "  --clusters N         into how many the ranks are divided (default 4, or fewer ranks)\n"
         "  --outer sync|async   whether clusters wait for each other (default sync)\n"
         "  --restart N          steps after which GMRES starts again (default 10)\n"
         "  --cycles N           such starts in an outer iteration, at most (default 1)\n"
         "  --inner-tolerance X  reduction of the residual in an outer iteration that is enough\n"
         "                       (default 0.01)\n"
         "  --tolerance X        of the residual, as a share of the right-hand side (default "
         "1e-6)\n"
         "  --limit N            outer iterations after which it gives up (default 10000)\n"
         "  --disturb SEED       holds messages between clusters back at random, and loses some:\n"
         "                       to test --outer async\n"
         "  --verbose            also print how the residual falls\n"
         "  -h, --help           this text (smpirun keeps --help to itself)\n"
         "exit code: 0 verified, 1 verification failed or limit reached, 2 wrong usage\n";
}

} // namespace apps::multisplitting
