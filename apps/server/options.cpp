#include "server/options.hpp"

#include <array>
#include <cmath>

namespace apps::server {
namespace {

/// Reads the value of an option; false: it is none.
using Read = bool (*)(Options& options, std::string_view value);

struct Option {
  std::string_view name;
  std::string_view wants;
  Read read;
};

template <class Number>
bool read_between(std::string_view value, double least, double most, Number& number) {
  const auto read = read_number(value);
  if (!read || *read < least || *read > most)
    return false;
  number = static_cast<Number>(*read);
  return true;
}

template <class Number>
bool read_whole(std::string_view value, double least, double most, Number& number) {
  const auto read = read_number(value);
  return read && std::floor(*read) == *read && read_between(value, least, most, number);
}

bool read_list(std::string_view value, Steps& steps) {
  if (auto read = read_steps(value)) {
    steps = std::move(*read);
    return true;
  }
  return false;
}

constexpr std::string_view a_list = "TIME:FACTOR,... by time, factors from 0.001 to 1000";

const std::array options_with_value{
    Option{"--rate", "a number from 0.001 to 1000000",
           [](Options& o, std::string_view v) { return read_between(v, 0.001, 1e6, o.rate); }},
    Option{"--swing", "a number from 0 to 1",
           [](Options& o, std::string_view v) { return read_between(v, 0, 1, o.swing); }},
    Option{"--day", "seconds, 0.1 to 1000000",
           [](Options& o, std::string_view v) { return read_between(v, 0.1, 1e6, o.day); }},
    Option{"--rate-steps", a_list,
           [](Options& o, std::string_view v) { return read_list(v, o.rate_steps); }},
    Option{"--work", "microseconds, 1 to 10000000",
           [](Options& o, std::string_view v) { return read_between(v, 1, 1e7, o.work); }},
    Option{
        "--points", "a whole number from 1 to 1000000000",
        [](Options& o, std::string_view v) { return read_whole(v, 1, 1e9, o.points.emplace()); }},
    Option{"--phases", a_list,
           [](Options& o, std::string_view v) { return read_list(v, o.phases); }},
    Option{"--duration", "seconds, 0.01 to 1000000",
           [](Options& o, std::string_view v) {
             return read_between(v, 0.01, 1e6, o.duration.emplace());
           }},
    Option{"--threads", "a whole number from 1 to 1000",
           [](Options& o, std::string_view v) { return read_whole(v, 1, 1000, o.threads); }},
    Option{"--queue", "a whole number from 1 to 10000000",
           [](Options& o, std::string_view v) { return read_whole(v, 1, 1e7, o.queue); }},
    Option{"--seed", "a whole number from 0 to 1000000000",
           [](Options& o, std::string_view v) { return read_whole(v, 0, 1e9, o.seed); }},
};

bool read_flag(Options& options, std::string_view argument) {
  if (argument == "--saturate")
    options.saturate = true;
  else if (argument == "--verbose" || argument == "-v")
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
  return options;
}

std::string help() {
  return "usage: server [OPTION]...\n"
         "Items of work arrive at random, wait in a queue, and are done by threads.\n"
         "  --rate R         arrivals per second, on average (default 100)\n"
         "  --swing X        the rate goes up and down by this share of it over a day (default 0)\n"
         "  --day S          how long a day is, in seconds (default 60)\n"
         "  --rate-steps L   factors of the rate, \"0:1,20:2,40:0.5\": twice as many from 20 s on\n"
         "  --work U         of an item, in microseconds of CPU time (default 1000)\n"
         "  --points N       of an item, instead: the points that it draws, so that a run repeats\n"
         "  --phases L       factors of the work, as those of the rate\n"
         "  --saturate       nothing arrives, there is always work to do\n"
         "  --threads N      that work (default: as many as CPUs)\n"
         "  --queue N        most items that wait; more are dropped (default 10000)\n"
         "  --seed N         of the arrivals (default 1)\n"
         "  --duration S     seconds (default: until SIGINT or SIGTERM)\n"
         "  --verbose        also print each second how far it is\n"
         "  --help           this text\n"
         "exit code: 0 verified, 1 verification failed, 2 wrong usage\n";
}

} // namespace apps::server
