#include "accounting/step.hpp"

#include <charconv>

#include <pwd.h>
#include <unistd.h>

namespace hypermile::accounting {
namespace {

/// What sacct calls the parts of a job that run the batch script, and the shell of salloc, which
/// have numbers of their own inside Slurm.
constexpr const char* batch = "batch";
constexpr std::uint64_t number_of_batch = 0xfffffffb;
constexpr std::uint64_t number_of_interactive = 0xfffffffa;

std::string name_of(const std::optional<std::uint64_t>& number) {
  if (!number || *number == number_of_batch)
    return batch;
  return *number == number_of_interactive ? "interactive" : std::to_string(*number);
}

std::optional<std::uint64_t> whole_number(const std::string& text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end ? std::optional(number) : std::nullopt;
}

} // namespace

std::string Step::sacct_id() const { return job ? std::to_string(*job) + "." + step : ""; }

Step step_in(const Environment& environment, const std::string& user) {
  const auto text = [&](const char* name) { return environment(name).value_or(""); };
  Step step{.job = whole_number(text("SLURM_JOB_ID")), .user = user};
  if (!step.job)
    return step;
  step.step = name_of(whole_number(text("SLURM_STEP_ID")));
  step.cluster = text("SLURM_CLUSTER_NAME");
  if (const std::string owner = text("SLURM_JOB_USER"); !owner.empty())
    step.user = owner;
  return step;
}

std::string own_user() {
  const uid_t number = ::geteuid();
  passwd entry{};
  passwd* found = nullptr;
  std::string buffer(16'384, '\0');
  if (::getpwuid_r(number, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
    return found->pw_name;
  return std::to_string(number);
}

} // namespace hypermile::accounting
