#include "doctor/node.hpp"

#include "control/journal.hpp"
#include "doctor/files.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

namespace hypermile::doctor {
namespace {

Node state_of(const control::Journal& journal) {
  if (journal.boot != control::boot_id()) // sysfs has forgotten what it was about
    return {};
  if (journal.owner && control::is_running(*journal.owner))
    return {Node::State::in_use, control::describe(*journal.owner)};
  if (journal.entries.empty())
    return {};
  const std::string whose =
      journal.owner ? control::describe(*journal.owner) + ", which ended" : "a run that ended";
  return {Node::State::left_behind,
          fmt::format("{} setting{} of {}; try: hypermile restore", journal.entries.size(),
                      journal.entries.size() == 1 ? "" : "s", whose)};
}

} // namespace

Node examine_node(const Places& places) {
  const std::string path = control::journal_path(places.node);
  const auto text = read_if_there(path);
  if (!text || text->empty())
    return {};
  try {
    return state_of(control::parse_journal(*text + "\n", path));
  } catch (const Error& error) {
    return {Node::State::unknown, error.what()};
  }
}

} // namespace hypermile::doctor
