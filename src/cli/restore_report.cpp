#include "cli/restore_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::cli {
namespace {

using control::LeftBehind;
using nlohmann::ordered_json;

std::string who(const LeftBehind& left) {
  return left.owner ? describe(*left.owner) : "another run of hypermile";
}

bool only_nonsense(const LeftBehind& left) {
  const auto& [done, failed] = left.restored;
  return done.empty() && !failed.empty() && std::ranges::all_of(failed, &control::Failure::ignored);
}

const char* outcome(const LeftBehind& left) {
  if (only_nonsense(left))
    return "nothing";
  switch (left.what) {
  case LeftBehind::What::nothing:
    return "nothing";
  case LeftBehind::What::in_use:
    if (left.restored.done.empty() && left.restored.failed.empty())
      return "in_use";
    break;
  case LeftBehind::What::forgotten:
    return "forgotten";
  case LeftBehind::What::settings:
    break;
  }
  const bool all = std::ranges::all_of(left.restored.failed, &control::Failure::ignored);
  return all ? "restored" : "failed";
}

ordered_json owner_json(const control::Owner& owner) {
  ordered_json job = owner.job.empty() ? ordered_json() : ordered_json(owner.job);
  return {{"job", job},
          {"user", owner.user},
          {"program", owner.program},
          {"pid", owner.pid},
          {"since_unix_s", owner.since}};
}

std::string list_of(const std::vector<control::Entry>& entries) {
  std::string text;
  for (const control::Entry& entry : entries)
    text += fmt::format("  {} = {}\n", entry.path, entry.value);
  return text;
}

std::string settings_text(const LeftBehind& left) {
  const auto& done = left.restored.done;
  const bool runs = left.what == LeftBehind::What::in_use;
  return fmt::format("Restored {} setting{} on {}, {} by\n{}{}\n{}", done.size(),
                     done.size() == 1 ? "" : "s", control::node_name(),
                     runs ? "which are still set" : "left", who(left), done.empty() ? "." : ":",
                     list_of(done));
}

std::string text_of(const LeftBehind& left) {
  if (only_nonsense(left))
    return "";
  const std::string node = control::node_name();
  switch (left.what) {
  case LeftBehind::What::nothing:
    return "";
  case LeftBehind::What::in_use:
    if (!left.restored.done.empty() || !left.restored.failed.empty())
      break;
    return fmt::format("Nothing to restore on {} yet: its gears are set by\n{},\n"
                       "and are restored when that ends.\n",
                       node, who(left));
  case LeftBehind::What::forgotten:
    return fmt::format("Nothing to restore: {} was started anew since a run was killed on it, and\n"
                       "has its own settings again.\n",
                       node);
  case LeftBehind::What::settings:
    break;
  }
  return settings_text(left);
}

ordered_json json_of(const LeftBehind& left) {
  ordered_json done = ordered_json::array();
  for (const control::Entry& entry : left.restored.done)
    done.push_back({{"path", entry.path}, {"value", entry.value}});
  ordered_json failed = ordered_json::array();
  for (const control::Failure& failure : left.restored.failed)
    failed.push_back({{"path", failure.entry.path},
                      {"value", failure.entry.value},
                      {"what", failure.what},
                      {"not_permitted", failure.not_permitted},
                      {"ignored", failure.ignored}});
  return {{"journal", left.journal},
          {"outcome", outcome(left)},
          {"owner", left.owner ? owner_json(*left.owner) : ordered_json()},
          {"restored", done},
          {"failed", failed}};
}

} // namespace

std::string restore_text(const std::vector<LeftBehind>& all) {
  std::string text;
  for (const LeftBehind& left : all)
    text += text_of(left);
  return !text.empty()
             ? text
             : fmt::format("Nothing to restore: hypermile left no setting changed on {}.\n",
                           control::node_name());
}

std::string restore_json(const std::vector<LeftBehind>& all) {
  ordered_json journals = ordered_json::array();
  for (const LeftBehind& left : all)
    journals.push_back(json_of(left));
  const ordered_json json{
      {"schema", "hypermile/restore/2"}, {"node", control::node_name()}, {"journals", journals}};
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::cli
