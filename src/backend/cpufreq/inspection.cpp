#include "backend/cpufreq/inspection.hpp"

#include "backend/cpufreq/cpu_list.hpp"
#include "backend/cpufreq/frequencies.hpp"
#include "backend/cpufreq/policy_files.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

namespace hypermile::cpufreq {
namespace {

namespace fs = std::filesystem;
using control::FileError;

std::string cpu_folder(const std::string& root) { return root + "/devices/system/cpu"; }

/// "policy3" -> 3.
std::optional<int> policy_number(const std::string& name) {
  constexpr std::string_view prefix = "policy";
  const bool is_one = name.starts_with(prefix) && name.size() > prefix.size() &&
                      name.size() < prefix.size() + 6 &&
                      name.find_first_not_of("0123456789", prefix.size()) == name.npos;
  return is_one ? std::optional(std::stoi(name.substr(prefix.size()))) : std::nullopt;
}

std::vector<int> policy_numbers(const std::string& root) {
  std::vector<int> numbers;
  std::error_code error;
  for (fs::directory_iterator entry(cpu_folder(root) + "/cpufreq", error), end;
       !error && entry != end; entry.increment(error))
    if (const auto number = policy_number(entry->path().filename().string()))
      numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

std::optional<bool> read_turbo(const std::string& root) {
  const auto is = [&](const char* file, const char* value) -> std::optional<bool> {
    try {
      return control::read_small_file(cpu_folder(root) + file) == value;
    } catch (const FileError&) {
      return std::nullopt;
    }
  };
  if (const auto intel = is("/intel_pstate/no_turbo", "0"))
    return intel;
  return is("/cpufreq/boost", "1");
}

bool is_writable(const Policy& policy, const char* file) {
  return control::why_not_writable(path_of(policy, file)) == 0;
}

bool may_use_userspace(const Policy& policy) {
  std::istringstream governors(read_text(policy, "scaling_available_governors"));
  for (std::string governor; governors >> governor;)
    if (governor == "userspace")
      return is_writable(policy, "scaling_governor") && is_writable(policy, "scaling_setspeed");
  return false;
}

Policy read_policy(const std::string& root, int number, std::optional<bool> turbo) {
  Policy policy;
  policy.folder = fmt::format("{}/cpufreq/policy{}", cpu_folder(root), number);
  policy.cpus = {number}; // an offline policy tells nothing
  policy.online = is_online(policy);
  if (!policy.online)
    return policy;
  policy.cpus = parse_cpu_list(read_text(policy, "related_cpus"));
  policy.governor = read_text(policy, "scaling_governor");
  policy.userspace = may_use_userspace(policy);
  policy.lowest = read_frequency(policy, "scaling_min_freq");
  policy.frequencies = read_frequencies(policy, turbo);
  return policy;
}

bool have_common(const std::vector<int>& a, const std::vector<int>& b) {
  return std::ranges::any_of(a, [&](int cpu) { return std::ranges::find(b, cpu) != b.end(); });
}

bool holds_lowest_now(const Policy& policy) { return policy.online && holds_lowest(policy); }

void find_gears(Inspection& found) {
  const Policy* most = nullptr; // the fastest that has a choice, or that there is
  const auto rank = [](const Policy& p) {
    return std::pair(p.frequencies.size() > 1, p.frequencies[0]);
  };
  for (const Policy& policy : found.policies)
    if (!policy.frequencies.empty() && (most == nullptr || rank(policy) > rank(*most)))
      most = &policy;
  if (most != nullptr)
    found.gears = model::GearTable(most->frequencies);
  if (found.gears && found.gears->size() > 1)
    return;
  if (std::ranges::any_of(found.policies, holds_lowest_now)) {
    found.obstacle = "the governor powersave holds the CPUs at their lowest frequency";
    found.advice = "another governor, such as schedutil or ondemand";
  } else
    found.obstacle = "the CPUs have one frequency only";
}

/// Half of the policies must be writable, as FrequencyActuator wants it.
void check_permission(Inspection& found) {
  std::size_t online = 0;
  std::size_t refused = 0;
  std::string first;
  for (const Policy& policy : found.policies) {
    if (!policy.online)
      continue;
    ++online;
    const std::string path = path_of(policy, "scaling_max_freq");
    const int why = policy.userspace ? 0 : control::why_not_writable(path);
    if (why != 0 && ++refused == 1)
      first = fmt::format("cannot set the frequency of {}: {}: {}", print_cpus(policy.cpus), path,
                          control::reason(why));
  }
  if (2 * refused <= online)
    return;
  found.obstacle =
      refused == 1 ? first : fmt::format("{}, and {} more like it", first, refused - 1);
  found.advice = "run 'hypermile doctor'";
}

void read_machine(Inspection& found, const std::string& root, const std::vector<int>& cpus) {
  for (const int number : policy_numbers(root)) {
    Policy policy = read_policy(root, number, found.turbo);
    if (!cpus.empty() && !have_common(policy.cpus, cpus))
      continue;
    if (policy.online && found.driver.empty())
      found.driver = read_text(policy, "scaling_driver");
    found.policies.push_back(std::move(policy));
  }
  if (found.driver.empty()) {
    found.obstacle = fmt::format("Linux sets no frequencies here: {}/cpufreq has no policy{}",
                                 cpu_folder(root), cpus.empty() ? "" : " of these CPUs");
    found.advice = "a machine that is not virtual, with its frequency driver loaded";
    return;
  }
  find_gears(found);
  if (found.obstacle.empty())
    check_permission(found);
}

} // namespace

Inspection inspect(const std::string& root, const std::vector<int>& cpus) {
  Inspection found;
  found.turbo = read_turbo(root);
  try {
    read_machine(found, root, cpus);
  } catch (const Error& error) {
    found.obstacle = error.what();
  }
  return found;
}

} // namespace hypermile::cpufreq
