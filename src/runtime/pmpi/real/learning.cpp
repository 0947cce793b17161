#include "runtime/pmpi/real/learning.hpp"

#include "learn/memory_folder.hpp"

#include "io/text_file.hpp"
#include "runtime/pmpi/real/node_connection.hpp"
#include "runtime/reason.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace hypermile::runtime::pmpi {
namespace {

/// Every rank waits in MPI_Init for the plan.
constexpr Seconds least_think{0.05};
constexpr Seconds most_think{1};
constexpr double think_share = 0.01;

/// The words that started this process.
std::vector<std::string> own_command_line() {
  std::vector<std::string> words;
  const std::string text = io::read_text_file("/proc/self/cmdline");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\0', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

learn::Identity identify(std::vector<RankNode> nodes) {
  auto words = own_command_line();
  if (words.empty())
    throw Error(ErrorKind::hardware, "/proc/self/cmdline does not name the program");
  learn::Identity identity{.program = std::filesystem::path(words[0]).filename(),
                           .arguments = {words.begin() + 1, words.end()},
                           .nodes = std::move(nodes),
                           .started_as = words[0]};
  return identity;
}

Seconds think_for(const learn::Memory& memory) {
  Seconds longest;
  for (const RankReport& rank : memory.ranks)
    longest = std::max(longest, rank.time);
  return std::clamp(longest * think_share, least_think, most_think);
}

/// Which jobs of the same program are known.
std::string other_memories(const learn::MemoryFolder& folder, const learn::Identity& identity) {
  const std::size_t known = folder.files_of(identity.program).size();
  return known == 0 ? ""
                    : fmt::format(" ({} job{} of this program, with other arguments, ranks or "
                                  "nodes)",
                                  known, known == 1 ? "" : "s");
}

} // namespace

Learning::Learning(const Settings& settings, const JobCommunicators& job, const RankNode& node,
                   const std::optional<select::Request>& request)
    : folder_(settings.learn_folder) {
  if (folder_.empty() && settings.plan_file.empty())
    return;
  const auto nodes = nodes_of_ranks(job, node);
  std::string text;
  if (job.rank() == 0) {
    identity_.nodes = nodes;
    look_for_plan(settings, request);
    text = plan_ ? learn::print_starting_plan(*plan_) : "";
  }
  text = job.from_first(std::move(text));
  if (text.empty())
    return;
  const auto plan = learn::parse_starting_plan(text, "the plan from rank 0");
  start_ = plan.ranks.at(static_cast<std::size_t>(job.rank()));
  for (std::size_t r = 0; r < nodes.size(); ++r)
    largest_scale_ = std::max(largest_scale_, nodes[r].type.gears.scale(plan.ranks.at(r).gear));
}

/// What goes wrong here must not keep the program from running as if nothing were known.
void Learning::look_for_plan(const Settings& settings,
                             const std::optional<select::Request>& request) {
  try {
    identity_ = identify(std::move(identity_.nodes));
    plan_ = settings.plan_file.empty() ? plan_of_memory(request) : plan_of_file(settings.plan_file);
  } catch (const std::exception& error) {
    remarks_.push_back(fmt::format("The run began without a plan: {}", reason_of(error)));
  }
}

std::optional<learn::StartingPlan>
Learning::plan_of_memory(const std::optional<select::Request>& request) {
  if (!request)
    return std::nullopt;
  const learn::MemoryFolder folder(folder_);
  std::error_code ignored;
  const auto memory =
      std::filesystem::exists(folder_, ignored) ? folder.find(identity_) : std::nullopt;
  if (!memory) {
    remarks_.push_back(fmt::format(
        "Nothing was known of this job in {}{}, so the run began in gear 0.", folder_,
        std::filesystem::exists(folder_, ignored) ? other_memories(folder, identity_) : ""));
    return std::nullopt;
  }
  known_power_ = memory->power;
  auto plan = learn::make_plan(*memory, *request, {}, think_for(*memory));
  plan.planned.origin = folder.file_of(identity_);
  if (plan.declined.empty())
    return plan;
  remarks_.push_back(fmt::format("{} gives no plan: {}.", plan.planned.origin, plan.declined));
  return std::nullopt;
}

std::optional<learn::StartingPlan> Learning::plan_of_file(const std::string& file) {
  auto plan = learn::parse_starting_plan(io::read_text_file(file), file);
  const std::string why = mismatch(plan, identity_);
  if (!why.empty())
    throw Error(ErrorKind::config, fmt::format("{} is not for this job: {}", file, why));
  plan.planned.origin = file;
  return plan;
}

void Learning::conclude(RunReport& run, const std::vector<std::string>& functions) {
  if (plan_)
    run.plan = plan_->planned;
  run.learnt = remarks_;
  if (!remembers())
    return;
  try {
    remember(run, functions);
  } catch (const std::exception& error) {
    run.learnt.push_back(fmt::format("This run was not remembered: {}", reason_of(error)));
  }
  for (RankReport& rank : run.ranks)
    rank.lesson.reset();
}

void Learning::remember(RunReport& run, const std::vector<std::string>& functions) {
  for (const RankReport& rank : run.ranks)
    if (!rank.lesson)
      throw Error(ErrorKind::hardware, fmt::format("rank {} reports nothing", rank.rank));
  if (identity_.program.empty())
    return; // which has been told
  const auto improved = learn::MemoryFolder(folder_).learn(
      learn::first_memory(identity_, functions, run.ranks, run.power));
  if (!improved.difference.empty())
    run.learnt.push_back(fmt::format("This run was another one than known ({}); it replaces what "
                                     "was known.",
                                     improved.difference));
  const std::size_t runs = improved.memory.runs;
  run.learnt.push_back(fmt::format("The next run of this job starts with what {} taught: {}.",
                                   runs == 1 ? "this run" : fmt::format("{} runs", runs),
                                   learn::MemoryFolder(folder_).file_of(identity_)));
}

} // namespace hypermile::runtime::pmpi
