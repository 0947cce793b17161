#include "cli/restore_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hypermile::cli {
namespace {

using control::LeftBehind;
using nlohmann::ordered_json;

std::string who(const LeftBehind& left) {
  return left.owner ? describe(*left.owner) : "another run of hypermile";
}

const char* outcome(const LeftBehind& left) {
  switch (left.what) {
  case LeftBehind::What::nothing:
    return "nothing";
  case LeftBehind::What::in_use:
    return "in_use";
  case LeftBehind::What::forgotten:
    return "forgotten";
  case LeftBehind::What::settings:
    break;
  }
  return left.restored.failed.empty() ? "restored" : "failed";
}

ordered_json owner_json(const control::Owner& owner) {
  ordered_json job = owner.job.empty() ? ordered_json() : ordered_json(owner.job);
  return {{"job", job},
          {"user", owner.user},
          {"program", owner.program},
          {"pid", owner.pid},
          {"since_unix_s", owner.since}};
}

} // namespace

std::string restore_text(const LeftBehind& left) {
  const std::string node = control::node_name();
  switch (left.what) {
  case LeftBehind::What::nothing:
    return fmt::format("Nothing to restore: hypermile left no frequency changed on {}.\n", node);
  case LeftBehind::What::in_use:
    return fmt::format("Nothing to restore on {} yet: its frequencies are set by\n{},\n"
                       "and are restored when that ends.\n",
                       node, who(left));
  case LeftBehind::What::forgotten:
    return fmt::format("Nothing to restore: {} was started anew since a run was killed on it, and\n"
                       "has its own frequencies again.\n",
                       node);
  case LeftBehind::What::settings:
    break;
  }
  const std::size_t count = left.restored.done.size();
  std::string text = fmt::format("Restored {} setting{} on {}, left by\n{}{}\n", count,
                                 count == 1 ? "" : "s", node, who(left), count > 0 ? ":" : ".");
  for (const control::Entry& entry : left.restored.done)
    text += fmt::format("  {} = {}\n", entry.path, entry.value);
  return text;
}

std::string restore_json(const LeftBehind& left, const control::Place& place) {
  ordered_json done = ordered_json::array();
  for (const control::Entry& entry : left.restored.done)
    done.push_back({{"path", entry.path}, {"value", entry.value}});
  ordered_json failed = ordered_json::array();
  for (const control::Failure& failure : left.restored.failed)
    failed.push_back({{"path", failure.entry.path},
                      {"value", failure.entry.value},
                      {"what", failure.what},
                      {"not_permitted", failure.not_permitted}});
  ordered_json owner;
  if (left.owner)
    owner = owner_json(*left.owner);
  const ordered_json json{{"schema", "hypermile/restore/1"},
                          {"node", control::node_name()},
                          {"journal", journal_path(place)},
                          {"outcome", outcome(left)},
                          {"owner", owner},
                          {"restored", done},
                          {"failed", failed}};
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::cli
