#include "trace/call_facts.hpp"

namespace hypermile::trace {
namespace {

using model::Action;
using model::Operation;

bool is_start(Action action) {
  return action == Action::send || action == Action::receive || action == Action::arrive;
}

/// Counts what a call began or completed.
class Facts {
public:
  explicit Facts(CallFacts& facts) : facts_(facts) {}

  void add(const Operation& operation) {
    facts_.bytes += operation.bytes;
    if (operation.action == Action::arrive) {
      facts_.members = operation.members;
      return;
    }
    ++facts_.messages;
    facts_.partner.reset();
    facts_.tag.reset();
    if (facts_.messages == 1 && operation.partner >= 0) {
      facts_.partner = operation.partner;
      facts_.tag = operation.tag;
    }
  }

private:
  CallFacts& facts_;
};

} // namespace

std::string shown_name(const std::string& function) {
  if (function == "Sleep")
    return "sleep";
  if (function == "Iteration")
    return "hm_iteration";
  return "MPI_" + function;
}

CallFacts facts_of(const model::dependency::Schedule::Call& call, const model::RankTimeline& rank,
                   const std::vector<std::string>& functions) {
  const auto operation = [&](std::uint32_t event) -> const Operation& {
    return rank.operations[rank.events[event].operation];
  };
  CallFacts facts;
  facts.name = shown_name(functions[operation(call.first).function]);
  Facts counted(facts);
  bool begins = false;
  for (std::uint32_t e = call.first; e < call.end; ++e)
    if (is_start(operation(e).action)) {
      counted.add(operation(e));
      begins = true;
    }
  for (std::uint32_t e = call.first; !begins && e < call.end; ++e) {
    const std::uint32_t started = rank.events[e].started;
    if (operation(e).action == Action::complete && started <= e)
      counted.add(operation(e - started));
    else if (operation(e).action == Action::probe)
      counted.add(operation(e));
  }
  return facts;
}

} // namespace hypermile::trace
