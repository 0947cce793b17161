#include "doctor/examination.hpp"

#include "control/restore.hpp"
#include "control/setting.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace hypermile::doctor {
namespace {

NodeUse left_behind(const control::Journal& read, uid_t user) {
  const std::string whose = read.owner ? control::describe(*read.owner) + ", which ended"
                                       : "a run of " + control::name_of_user(user) + " that ended";
  return {NodeUse::State::left_behind,
          fmt::format("{} setting{} of {}; try: hypermile restore{}", read.entries.size(),
                      read.entries.size() == 1 ? "" : "s", whose,
                      user == ::geteuid() ? "" : ", as root")};
}

NodeUse state_in(const control::NamedJournal& named) {
  try {
    const auto journal = control::JournalFile::open(named, false);
    const control::Journal read = journal.read();
    if (read.boot.empty() || read.boot != control::boot_id()) // sysfs has forgotten what it says
      return {};
    if (read.owner && control::still_runs(*read.owner, journal))
      return {NodeUse::State::in_use, control::describe(*read.owner)};
    if (!read.bad.empty())
      return {NodeUse::State::unknown, read.bad.front()};
    return read.entries.empty() ? NodeUse{} : left_behind(read, named.user);
  } catch (const Error& error) {
    return {NodeUse::State::unknown, error.what()};
  }
}

/// Journals of users who may not set gears say nothing about the node.
bool counts(const control::NamedJournal& journal, const std::string& sysfs) {
  return journal.user == ::geteuid() || control::may_set_gears(journal.user, sysfs);
}

} // namespace

NodeUse examine_node(const Places& places) {
  NodeUse node;
  for (const control::NamedJournal& journal : control::journals_of_node(places.node)) {
    if (!counts(journal, places.node.sysfs))
      continue;
    NodeUse found = state_in(journal);
    if (found.state == NodeUse::State::in_use)
      return found;
    if (node.state == NodeUse::State::free)
      node = std::move(found);
  }
  return node;
}

} // namespace hypermile::doctor
