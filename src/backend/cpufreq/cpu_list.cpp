#include "backend/cpufreq/cpu_list.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace hypermile::cpufreq {
namespace {

constexpr int most_cpus = 1 << 16;

/// Cuts a number off; -1: there is none.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{} || number < 0 || number >= most_cpus)
    return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

} // namespace

std::vector<int> parse_cpu_list(const std::string& text) {
  std::vector<int> cpus;
  std::string_view rest = text;
  while (!rest.empty()) {
    const int first = take_number(rest);
    int last = first;
    if (first >= 0 && rest.starts_with('-')) {
      rest.remove_prefix(1);
      last = take_number(rest);
    }
    const bool ends = rest.empty() || rest.starts_with(',') || rest.starts_with(' ');
    if (first < 0 || last < first || !ends)
      throw Error(ErrorKind::hardware, fmt::format("'{}' is no list of CPUs", text));
    for (int cpu = first; cpu <= last; ++cpu)
      cpus.push_back(cpu);
    if (!rest.empty())
      rest.remove_prefix(1);
  }
  return cpus;
}

std::string print_cpus(const std::vector<int>& cpus) {
  std::string text = cpus.size() == 1 ? "cpu " : "cpus ";
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1)
      ++last;
    text += fmt::format("{}{}", i > 0 ? "," : "", cpus[i]);
    if (last > i)
      text += fmt::format("-{}", cpus[last]);
    i = last + 1;
  }
  return text;
}

} // namespace hypermile::cpufreq
