#include "backend/cpufreq/uncore.hpp"

#include "backend/cpufreq/policy_files.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

namespace hypermile::cpufreq {
namespace {

namespace fs = std::filesystem;

constexpr const char* highest_file = "max_freq_khz";
constexpr const char* lowest_file = "min_freq_khz";
constexpr Hertz uncore_step{100e6}; ///< in which the hardware keeps them

std::string path_in(const UncoreDomain& domain, const char* file) {
  return domain.folder + "/" + file;
}

Hertz read_uncore(const UncoreDomain& domain, const char* file) {
  const std::string path = path_in(domain, file);
  const std::string text = control::read_small_file(path);
  try {
    return parse_khz(text);
  } catch (const Error&) {
    throw Error(ErrorKind::hardware,
                fmt::format("{} holds '{}', which is no frequency", path, text.substr(0, 32)));
  }
}

bool same(Hertz a, Hertz b) { return std::max(a, b) - std::min(a, b) < uncore_step; }

std::string uncore_ghz(Hertz frequency) {
  return fmt::format("{:.3g} GHz", frequency.value() / 1e9);
}

std::string domain_name(const UncoreDomain& domain) {
  return fs::path(domain.folder).filename().string();
}

/// Those of clusters ("uncore00") where there are some: a processor's own then only repeats them.
std::vector<std::string> folders_in(const std::string& root) {
  std::vector<std::string> clusters;
  std::vector<std::string> packages;
  std::error_code error;
  for (fs::directory_iterator entry(root, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    if (name.starts_with("uncore"))
      clusters.push_back(entry->path());
    else if (name.starts_with("package_"))
      packages.push_back(entry->path());
  }
  auto& folders = clusters.empty() ? packages : clusters;
  std::ranges::sort(folders);
  return folders;
}

void check_uncore_permission(UncoreInspection& found) {
  for (const UncoreDomain& domain : found.domains)
    for (const char* file : {highest_file, lowest_file}) {
      const std::string path = path_in(domain, file);
      const int why = control::why_not_writable(path);
      if (why == 0)
        continue;
      found.closed = why == EACCES || why == EPERM;
      found.obstacle =
          fmt::format("cannot set the uncore frequency: {}: {}", path, control::reason(why));
      if (found.closed)
        found.advice = "run 'hypermile doctor'";
      return;
    }
}

} // namespace

UncoreInspection inspect_uncore(const std::string& root) {
  const std::string folder = root + "/devices/system/cpu/intel_uncore_frequency";
  UncoreInspection found;
  try {
    for (std::string& domain : folders_in(folder)) {
      UncoreDomain one{.folder = std::move(domain)};
      one.highest = read_uncore(one, highest_file);
      one.lowest = read_uncore(one, lowest_file);
      found.domains.push_back(std::move(one));
    }
  } catch (const Error& error) {
    found.obstacle = error.what();
    return found;
  }
  found.absent = found.domains.empty();
  if (found.absent) {
    found.obstacle = fmt::format("Linux limits no uncore frequency here: {} is not there", folder);
    found.advice = "modprobe intel_uncore_frequency as root (Linux 5.6, Intel servers), or without "
                   "uncore frequencies";
    return found;
  }
  check_uncore_permission(found);
  return found;
}

Hertz highest_uncore(const std::vector<UncoreDomain>& domains) {
  return std::ranges::max_element(domains, {}, &UncoreDomain::highest)->highest;
}

UncoreLimits::UncoreLimits(std::vector<UncoreDomain> domains, control::Lease& lease)
    : domains_(std::move(domains)), lease_(lease), limit_(highest_uncore(domains_)) {}

Hertz UncoreLimits::target(const UncoreDomain& domain) const {
  return std::min(limit_, domain.highest);
}

/// The lower limit goes down before the upper one, and up after it.
void UncoreLimits::apply(const UncoreDomain& domain) {
  const Hertz highest = target(domain);
  const Hertz lowest = std::min(highest, domain.lowest);
  const Hertz present = read_uncore(domain, lowest_file);
  if (lowest < present)
    lease_.write(path_in(domain, lowest_file), in_khz(lowest));
  lease_.write(path_in(domain, highest_file), in_khz(highest));
  if (lowest > present)
    lease_.write(path_in(domain, lowest_file), in_khz(lowest));
  if (const Hertz after = read_uncore(domain, highest_file); !same(after, highest))
    throw Error(ErrorKind::hardware,
                fmt::format("the uncore frequency of {} is limited to {} instead of {}, though "
                            "Linux said that it did so",
                            domain_name(domain), uncore_ghz(after), uncore_ghz(highest)));
}

void UncoreLimits::set(Hertz limit) {
  touched_ = touched_ || limit < highest_uncore(domains_);
  limit_ = limit;
  if (touched_)
    for (const UncoreDomain& domain : domains_)
      apply(domain);
}

void UncoreLimits::set_back() { set(highest_uncore(domains_)); }

std::string UncoreLimits::verify() const {
  if (!touched_)
    return "";
  for (const UncoreDomain& domain : domains_)
    try {
      const Hertz highest = read_uncore(domain, highest_file);
      if (!same(highest, target(domain)))
        return fmt::format("the limit on the uncore frequency of {} was changed to {} by someone "
                           "else, from {}",
                           domain_name(domain), uncore_ghz(highest), uncore_ghz(target(domain)));
    } catch (const Error& error) {
      return error.what();
    }
  return "";
}

} // namespace hypermile::cpufreq
