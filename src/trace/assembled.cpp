#include "trace/assembled.hpp"

#include "runtime/pmpi/observe/communicator.hpp"
#include "trace/exchanged.hpp"
#include "trace/messages_match.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace hypermile::trace {
namespace {

using model::Action;
using model::Arguments;
using model::Operation;
using model::RankTimeline;
using Numbered = runtime::pmpi::Communicator;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::config, what, "a trace of all ranks, from MPI_Init to MPI_Finalize");
}

/// Those of files repeat as barriers, and those of neighbours not at all.
bool takes_arguments(std::string_view function) {
  return !function.starts_with("File_") && !function.starts_with("Neighbor_") &&
         !function.starts_with("Ineighbor_");
}

/// Operations of no event: those that stood for others.
void leave_out_unused(RankTimeline& rank) {
  constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> numbers(rank.operations.size(), unused);
  std::vector<Operation> kept;
  for (model::Event& event : rank.events) {
    std::uint32_t& number = numbers[event.operation];
    if (number == unused) {
      number = static_cast<std::uint32_t>(kept.size());
      kept.push_back(rank.operations[event.operation]);
    }
    event.operation = number;
  }
  rank.operations = std::move(kept);
}

/// The how-many-th collective operation on a communicator.
struct Instance {
  std::uint64_t communicator = 0;
  std::vector<std::uint32_t> ranks;        ///< the members, in the communicator's order
  std::vector<IncomingCollective> members; ///< what each does
  /// By member: the communicator that it makes there, by the trace's number.
  std::vector<std::optional<std::uint64_t>> made{};
};

class Assembly {
public:
  Assembly(std::vector<IncomingRank> ranks, const IncomingCommunicators& communicators,
           std::vector<std::string> functions)
      : ranks_(std::move(ranks)), communicators_(communicators), functions_(std::move(functions)),
        known_(ranks_.size()), first_events_(ranks_.size()) {}

  model::Timeline run() {
    find_world();
    find_instances();
    find_makers();
    for (const Instance& instance : instances_)
      resolve(instance);
    number_communicators();
    make_at_the_begin();
    model::Timeline timeline{.functions = std::move(functions_), .ranks = {}};
    for (IncomingRank& rank : ranks_) {
      leave_out_unused(rank.timeline);
      timeline.ranks.push_back(std::move(rank.timeline));
    }
    check_messages(timeline);
    return timeline;
  }

private:
  [[nodiscard]] bool is_of_all(const IncomingCommunicator& communicator) const {
    if (communicator.is_self || communicator.members.size() != ranks_.size())
      return false;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
      if (communicator.members[rank] != rank)
        return false;
    return true;
  }

  /// By its name; else the first of all ranks in their order.
  void find_world() {
    for (const auto& [number, communicator] : communicators_)
      if (is_of_all(communicator) && (!world_ || communicator.name == "MPI_COMM_WORLD"))
        if (!world_ || communicators_.at(*world_).name != "MPI_COMM_WORLD")
          world_ = number;
  }

  [[nodiscard]] std::uint64_t number_of(std::uint64_t communicator, std::uint32_t rank) const {
    if (communicator == world_)
      return Numbered::world(static_cast<int>(ranks_.size())).number();
    if (communicators_.at(communicator).is_self)
      return Numbered::self(static_cast<int>(rank)).number();
    constexpr std::uint64_t of_traces = std::uint64_t{1} << 40U; // far from the numbers of others
    return of_traces + communicator;
  }
  [[nodiscard]] bool is_made(std::uint64_t communicator) const {
    return communicator != world_ && !communicators_.at(communicator).is_self;
  }

  void find_instances() {
    for (const auto& [number, communicator] : communicators_) {
      if (communicator.is_intercommunicator)
        continue;
      if (communicator.is_self)
        for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
          join(number, {rank});
      else
        join(number, communicator.members);
    }
    std::ranges::stable_sort(instances_, {}, [](const Instance& instance) {
      return std::pair(instance.members.front().event, instance.ranks.front());
    });
  }

  [[nodiscard]] std::vector<const IncomingCollective*> joined(std::uint32_t rank,
                                                              std::uint64_t communicator) const {
    std::vector<const IncomingCollective*> joined;
    for (const IncomingCollective& collective : ranks_[rank].collectives)
      if (collective.communicator == communicator)
        joined.push_back(&collective);
    return joined;
  }

  void join(std::uint64_t communicator, const std::vector<std::uint32_t>& members) {
    std::vector<std::vector<const IncomingCollective*>> by_member;
    for (const std::uint32_t rank : members)
      by_member.push_back(joined(rank, communicator));
    for (std::size_t m = 0; m < members.size(); ++m)
      if (by_member[m].size() != by_member[0].size())
        fail(fmt::format("rank {} takes part in {} collective operations of {}, and rank {} in {}",
                         members[0], by_member[0].size(), communicators_.at(communicator).name,
                         members[m], by_member[m].size()));
    for (std::size_t i = 0; !members.empty() && i < by_member[0].size(); ++i) {
      Instance instance{.communicator = communicator, .ranks = members, .members = {}};
      for (const auto& operations : by_member)
        instance.members.push_back(*operations[i]);
      instance.made.resize(members.size());
      check(instance, i);
      instances_.push_back(std::move(instance));
    }
  }

  void check(const Instance& instance, std::size_t place) const {
    const IncomingCollective& first = instance.members.front();
    const std::string& name = communicators_.at(instance.communicator).name;
    for (std::size_t m = 0; m < instance.members.size(); ++m) {
      const IncomingCollective& member = instance.members[m];
      if (member.operation != first.operation || member.root != first.root)
        fail(fmt::format("in collective operation {} of {} ranks {} and {} differ in what it is, "
                         "or in its root",
                         place + 1, name, instance.ranks[0], instance.ranks[m]));
    }
    if (has_root(first.operation) && first.root >= instance.ranks.size())
      fail(fmt::format("collective operation {} of {} has a root that is no member: {}", place + 1,
                       name, first.root));
  }

  /// Whether all members of the communicator are there, use it only later, and make no other one.
  [[nodiscard]] bool may_make(const Instance& instance, std::uint64_t communicator) const {
    if (instance.members.front().operation != Collective::makes_communicator)
      return false;
    for (const std::uint32_t rank : communicators_.at(communicator).members) {
      const auto place = std::ranges::find(instance.ranks, rank) - instance.ranks.begin();
      const auto member = static_cast<std::size_t>(place);
      if (member == instance.ranks.size() || instance.made[member])
        return false;
      const auto use = ranks_[rank].first_use.find(communicator);
      if (use != ranks_[rank].first_use.end() && use->second <= instance.members[member].event &&
          instance.communicator != communicator)
        return false;
    }
    return true;
  }

  /// The trace does not tell: in the order of their numbers, each is made by the first call that
  /// can have made it.
  void find_makers() {
    for (const auto& [number, communicator] : communicators_) {
      if (communicator.is_intercommunicator || !is_made(number) || !is_used(number))
        continue;
      const auto maker = std::ranges::find_if(
          instances_, [&, n = number](const Instance& instance) { return may_make(instance, n); });
      if (maker == instances_.end()) {
        unmade_.push_back(number);
        continue;
      }
      for (const std::uint32_t rank : communicator.members) {
        const auto place = std::ranges::find(maker->ranks, rank) - maker->ranks.begin();
        maker->made[static_cast<std::size_t>(place)] = number;
      }
    }
  }
  [[nodiscard]] bool is_used(std::uint64_t communicator) const {
    return std::ranges::any_of(
        ranks_, [&](const IncomingRank& rank) { return rank.first_use.contains(communicator); });
  }

  std::uint32_t argument_number(std::uint32_t rank, const Arguments& arguments) {
    auto& all = ranks_[rank].timeline.arguments;
    const auto [found, is_new] =
        known_[rank].try_emplace(arguments, static_cast<std::uint32_t>(all.size() + 1));
    if (is_new)
      all.push_back(arguments);
    return found->second;
  }

  void resolve(const Instance& instance) {
    std::vector<Passed> passed = passed_to(instance.members);
    for (std::size_t m = 0; m < instance.members.size(); ++m) {
      const std::uint32_t rank = instance.ranks[m];
      if (instance.made[m]) {
        passed[m].arguments.made = number_of(*instance.made[m], rank);
        passed[m].arguments.members = communicators_.at(*instance.made[m]).members;
      }
      RankTimeline& timeline = ranks_[rank].timeline;
      model::Event& event = timeline.events[instance.members[m].event];
      Operation operation = timeline.operations[event.operation];
      const IncomingCollective& member = instance.members[m];
      operation.shape = shape_of(member.operation);
      operation.members = static_cast<std::uint32_t>(instance.ranks.size());
      operation.communicator = member.communicator;
      operation.bytes = passed[m].bytes;
      if (has_root(member.operation))
        operation.partner = static_cast<std::int32_t>(instance.ranks[member.root]);
      if (takes_arguments(functions_[operation.function]))
        operation.arguments = argument_number(rank, passed[m].arguments);
      operation.detail = operation.arguments;
      event.operation = operation_number(rank, operation);
    }
  }

  /// Those without a communicator are found again and again: they are few.
  std::uint32_t operation_number(std::uint32_t rank, const Operation& operation) {
    auto& operations = ranks_[rank].timeline.operations;
    const Key key{operation.function, operation.site, operation.arguments, operation.communicator,
                  operation.partner};
    const auto [found, is_new] =
        resolved_.try_emplace({rank, key}, static_cast<std::uint32_t>(operations.size()));
    if (is_new)
      operations.push_back(operation);
    return found->second;
  }

  void number_communicators() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
      for (Operation& operation : ranks_[rank].timeline.operations)
        if (operation.action == Action::send || operation.action == Action::receive ||
            (operation.action == Action::arrive && operation.members > 0))
          operation.communicator = number_of(operation.communicator, rank);
  }

  /// All members make it before they do anything else, in the same order.
  void make_at_the_begin() {
    for (const std::uint64_t number : unmade_)
      for (const std::uint32_t rank : communicators_.at(number).members)
        make_first(rank, number);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      RankTimeline& timeline = ranks_[rank].timeline;
      const std::vector<model::Event>& first = first_events_[rank];
      timeline.events.insert(timeline.events.begin(), first.begin(), first.end());
      timeline.work.insert(timeline.work.begin(), first.size() / 2, Work{});
    }
  }

  void make_first(std::uint32_t rank, std::uint64_t number) {
    const auto& members = communicators_.at(number).members;
    const auto function = std::ranges::find(functions_, "Comm_create_group");
    if (function == functions_.end())
      fail(fmt::format("nothing makes communicator {}", communicators_.at(number).name));
    Arguments arguments;
    arguments.made = number_of(number, rank);
    arguments.members = members;
    Operation arrive{.action = Action::arrive, .shape = model::Shape::all};
    arrive.function = static_cast<std::uint16_t>(function - functions_.begin());
    arrive.members = static_cast<std::uint32_t>(members.size());
    arrive.communicator = arguments.made;
    arrive.arguments = argument_number(rank, arguments);
    Operation complete{.action = Action::complete};
    complete.function = arrive.function;
    auto& operations = ranks_[rank].timeline.operations;
    operations.push_back(arrive);
    operations.push_back(complete);
    model::Event event;
    event.operation = static_cast<std::uint32_t>(operations.size() - 2);
    model::Event end;
    end.operation = event.operation + 1;
    end.started = 1;
    end.ends_call = 1;
    first_events_[rank].insert(first_events_[rank].end(), {event, end});
  }

  struct Key {
    std::uint16_t function;
    std::uint32_t site;
    std::uint32_t arguments;
    std::uint64_t communicator;
    std::int32_t partner;
    auto operator<=>(const Key&) const = default;
  };

  std::vector<IncomingRank> ranks_;
  const IncomingCommunicators& communicators_;
  std::vector<std::string> functions_;
  std::vector<std::map<Arguments, std::uint32_t>> known_; ///< by rank
  std::map<std::pair<std::uint32_t, Key>, std::uint32_t> resolved_;
  std::vector<std::vector<model::Event>> first_events_; ///< by rank: what makes communicators
  std::optional<std::uint64_t> world_;
  std::vector<Instance> instances_;
  std::vector<std::uint64_t> unmade_;
};

} // namespace

model::Timeline assembled(std::vector<IncomingRank> ranks,
                          const IncomingCommunicators& communicators,
                          std::vector<std::string> functions) {
  return Assembly(std::move(ranks), communicators, std::move(functions)).run();
}

} // namespace hypermile::trace
