#include "backend/cpufreq/frequencies.hpp"

#include "backend/cpufreq/policy_files.hpp"
#include "control/small_file.hpp"

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>

namespace hypermile::cpufreq {
namespace {

constexpr Hertz step{100e6}; ///< between gears where the driver lists none
constexpr int most_steps = 1000;

/// acpi-cpufreq lists turbo as 1 MHz more than the fastest frequency that is always there.
void remove_turbo(std::vector<Hertz>& frequencies) {
  if (frequencies.size() > 1 && frequencies[0] - frequencies[1] == Hertz{1e6})
    frequencies.erase(frequencies.begin());
}

std::vector<Hertz> listed(const std::string& text) {
  std::vector<Hertz> frequencies;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    frequencies.push_back(parse_khz(word));
  std::ranges::sort(frequencies, std::greater<>());
  frequencies.erase(std::unique(frequencies.begin(), frequencies.end()), frequencies.end());
  return frequencies;
}

std::vector<Hertz> stepped(Hertz highest, Hertz lowest) {
  std::vector<Hertz> frequencies;
  for (int i = 0; highest - i * step >= lowest && i < most_steps; ++i)
    frequencies.push_back(highest - i * step);
  return frequencies;
}

/// The fastest that the CPUs may run at: what somebody has limited or pinned them to (srun
/// --cpu-freq, say) is what the program would have without hypermile, and so is gear 0.
Hertz read_allowed(const Policy& policy) {
  const Hertz limit = read_frequency(policy, "scaling_max_freq");
  if (policy.governor == "userspace")
    return std::min(limit, read_frequency(policy, "scaling_setspeed"));
  return holds_lowest(policy) ? read_frequency(policy, "scaling_min_freq") : limit;
}

} // namespace

bool holds_lowest(const Policy& policy) {
  if (policy.governor != "powersave")
    return false;
  const std::string driver = read_text(policy, "scaling_driver"); // these decide by themselves
  return driver != "intel_pstate" && driver != "amd-pstate-epp";
}

std::vector<Hertz> read_frequencies(const Policy& policy, std::optional<bool> turbo) {
  const Hertz allowed = read_allowed(policy);
  std::vector<Hertz> frequencies;
  try {
    frequencies = listed(read_text(policy, "scaling_available_frequencies"));
  } catch (const control::FileError&) { // this driver does not have it
  }
  if (frequencies.empty())
    return stepped(std::min(allowed, read_frequency(policy, "cpuinfo_max_freq")),
                   read_frequency(policy, "cpuinfo_min_freq"));
  if (turbo == false)
    remove_turbo(frequencies);
  std::erase_if(frequencies, [&](Hertz f) { return f > allowed; });
  return frequencies;
}

} // namespace hypermile::cpufreq
