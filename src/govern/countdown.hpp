#pragma once

#include "govern/governor.hpp"
#include "govern/waiting_ranks.hpp"

namespace hypermile::govern {

/// How long all ranks of a node have to be in MPI before its gear is lowered: what COUNTDOWN takes
/// (Cesarini et al., "COUNTDOWN: a run-time library for performance-neutral energy saving in MPI
/// applications", 2021).
inline constexpr Seconds countdown_patience{500e-6};

/// The slowest gear, whatever it saves.
std::optional<model::Gear> slowest_gear(const model::NodeType& type, model::Gear chosen);

/// The gear in which a node draws least while its ranks wait, if that pays; none: it does not.
/// A wait that has lasted `patience` is expected to last as long again: who waits for as
/// long as a change has to last in order to pay, pays at most twice what it would have cost to know
/// the end beforehand. So it pays if in that time waiting in the `chosen` gear takes more energy
/// than waiting in the other one and the `cost` of changing to it and back.
std::optional<model::Gear> cheaper_waiting_gear(const model::NodeType& type, model::Gear chosen,
                                                Joules cost, Seconds patience = countdown_patience);

/// Computes in the chosen gear, and lowers it once all ranks have been in MPI for
/// `countdown_patience`. The first rank that computes again has the chosen gear at once.
class Countdown final : public Governor {
public:
  /// The gear to wait in on a node that computes in the chosen one; none: that one.
  using WaitingGear = std::optional<model::Gear> (*)(const model::NodeType&, model::Gear chosen);

  Countdown(const Node& node, WaitingGear gear)
      : type_(node.type), gear_(gear), waiting_(node.ranks) {}

  Wish begin(const Moment& now) override;
  Wish enter(std::size_t rank, const Moment& now, const Entry& entry) override;
  Wish leave(std::size_t rank, const Moment& now, CallSite call) override;
  Wish wake(const Moment& now) override;

private:
  model::NodeType type_;
  WaitingGear gear_;
  WaitingRanks waiting_;
};

} // namespace hypermile::govern
