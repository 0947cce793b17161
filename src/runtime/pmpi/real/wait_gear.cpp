#include "runtime/pmpi/real/wait_gear.hpp"

#include "backend/emulated/computation.hpp"
#include "runtime/reason.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hypermile::runtime::pmpi {
namespace {

/// Of the time that lowered gears may cost; under a bound on slowdown a part of that, as the gears
/// chosen use the most of it.
constexpr double most_cost = 0.01;
constexpr double of_bound = 0.25;

WaitGearWay way_of(const NodeConnection& connection) {
  if (!connection.sets_gears)
    return WaitGearWay::imagine;
  return connection.computation != nullptr ? WaitGearWay::emulate : WaitGearWay::set;
}

/// An emulated node is in its wait gear when the board says so.
void imitate(const WaitBoard& board, NodeConnection& connection) {
  auto* const emulated =
      dynamic_cast<backend::emulated::EmulatedComputation*>(connection.computation.get());
  if (emulated == nullptr || !connection.sets_gears)
    return;
  emulated->imitate([&board]() -> backend::emulated::EmulatedComputation::Low {
    const WaitBoard::Window window = board.window();
    const bool still = window.until == WaitBoard::still_low;
    return {.from = seconds_of(window.from),
            .until =
                still ? Seconds{std::numeric_limits<double>::infinity()} : seconds_of(window.until),
            .gear = window.gear};
  });
}

} // namespace

/// Of one rank.
class NodeWaitGear::Listener final : public control::CallListener {
public:
  Listener(WaitBoard& board, std::size_t slot, bool expects)
      : board_(board), slot_(slot), expects_(expects) {}

  void enter(const Entry& entry) override {
    if (!entry.may_wait)
      return;
    const std::int64_t now = monotonic_ns();
    std::int64_t until = WaitBoard::unknown;
    if (expects_)
      if (const auto wait = waits_.enter({true, entry.call, entry.iteration}, seconds_of(now)))
        until = now + std::llround(wait->value() * 1e9);
    waiting_ = true;
    board_.enter(slot_, now, until);
  }
  void leave(std::uint64_t /*call*/) override {
    if (!std::exchange(waiting_, false))
      return;
    const std::int64_t now = monotonic_ns();
    board_.leave(slot_, now);
    if (expects_)
      waits_.leave(seconds_of(now));
  }

private:
  WaitBoard& board_;
  std::size_t slot_;
  bool expects_;
  bool waiting_ = false;
  govern::ExpectedWaits waits_;
};

NodeWaitGear::NodeWaitGear(const Settings& settings, const JobCommunicators& job,
                           NodeConnection& connection)
    : expects_(settings.wait_gear == WaitGear::model), keeps_(connection.access.has_value()) {
  meet(job, connection);
  if (!problem_.empty())
    board_.reset();
  if (!board_)
    return;
  imitate(*board_, connection);
  if (keeps_)
    keep(settings, connection);
}

/// The ranks of the node share its board, or none of them does. Collective.
void NodeWaitGear::meet(const JobCommunicators& job, const NodeConnection& connection) {
  const auto names = job.from_all(connection.node.name);
  const int machine = job.leader_of(job.rank());
  int first = -1;
  std::vector<bool> mates(names.size());
  for (int rank = 0; rank < job.ranks(); ++rank) {
    const bool is_mate = names[static_cast<std::size_t>(rank)] == connection.node.name;
    mates[static_cast<std::size_t>(rank)] = is_mate;
    if (is_mate && job.leader_of(rank) != machine)
      problem_ = "its ranks are on several machines";
    if (is_mate && first < 0)
      first = rank;
    slot_ += is_mate && rank < job.rank() ? 1 : 0;
    ranks_ += is_mate ? 1 : 0;
  }
  if (!connection.known)
    problem_ = "its gears are not known";
  std::string address;
  const auto attempt = [this](const auto& doing) {
    try {
      doing();
    } catch (const std::exception& error) {
      problem_ = reason_of(error);
    }
  };
  if (job.rank() == first && problem_.empty())
    attempt([&] {
      board_ = std::make_unique<WaitBoard>(WaitBoard::create(ranks_));
      address = board_->address();
    });
  address = job.from_all(address)[static_cast<std::size_t>(first)];
  if (job.rank() != first && problem_.empty())
    attempt([&] { board_ = std::make_unique<WaitBoard>(WaitBoard::open(address)); });
  const auto problems = job.from_all(problem_);
  for (std::size_t rank = 0; rank < problems.size(); ++rank)
    if (mates[rank] && problem_.empty())
      problem_ = problems[rank];
}

void NodeWaitGear::keep(const Settings& settings, NodeConnection& connection) {
  const WaitGearWay way = way_of(connection);
  auto shared = std::make_unique<SharedActuator>(std::move(connection.actuator));
  SharedActuator& actuator = *shared;
  connection.actuator = std::move(shared);
  const double bound = settings.max_slowdown.value_or(most_cost / of_bound);
  keeper_ = std::make_unique<WaitGearKeeper>(
      *board_, actuator, way, connection.node.type,
      WaitGearKeeper::Limits{.share = std::min(most_cost, bound * of_bound)});
}

std::unique_ptr<control::CallListener> NodeWaitGear::listener() {
  return board_ ? std::make_unique<Listener>(*board_, slot_, expects_) : nullptr;
}

std::function<Seconds()> NodeWaitGear::held_up() const {
  if (!keeper_ || !keeper_->use().set)
    return {};
  return [keeper = keeper_.get()] { return keeper->cost(); };
}

void NodeWaitGear::start() {
  if (!keeper_)
    return;
  try {
    keeper_->start();
  } catch (const Error& error) {
    problem_ = error.what();
  }
}

std::optional<WaitGearUse> NodeWaitGear::stop() {
  if (!keeps_)
    return std::nullopt;
  WaitGearUse use;
  if (keeper_) {
    keeper_->stop();
    use = keeper_->use();
  }
  if (!problem_.empty())
    use.problem = "it has no wait gear: " + problem_;
  return use;
}

} // namespace hypermile::runtime::pmpi
