#include "runtime/pmpi/smpi/governed_node.hpp"

namespace hypermile::runtime::pmpi {

/// Of one rank.
class GovernedNode::Listener final : public control::CallListener {
public:
  Listener(GovernedNode& node, std::size_t rank) : node_(node), rank_(rank) {}
  void enter(bool may_wait) override {
    node_.follow(node_.governor_->enter(rank_, node_.now(), may_wait));
  }
  void leave(std::uint64_t call) override {
    node_.follow(node_.governor_->leave(rank_, node_.now(), call));
  }

private:
  GovernedNode& node_;
  std::size_t rank_;
};

GovernedNode::GovernedNode(::simgrid::s4u::Host& host, std::unique_ptr<govern::Governor> governor)
    : host_(host), governor_(std::move(governor)), chosen_(host.get_pstate()),
      alarm_([this] { follow(governor_->wake(now())); }) {
  follow(governor_->begin(now()));
}

std::unique_ptr<control::CallListener> GovernedNode::listener() {
  return std::make_unique<Listener>(*this, listeners_++);
}

govern::Moment GovernedNode::now() {
  if (!governed_)
    chosen_ = host_.get_pstate();
  return {.time = Seconds{::simgrid::s4u::Engine::get_clock()}, .chosen = chosen_};
}

/// Nothing is pending that would have to be charged first: computation is executed when a rank
/// enters MPI, before anybody is told.
void GovernedNode::follow(const govern::Wish& wish) {
  if (ended_)
    return;
  governed_ = wish.gear.has_value();
  const model::Gear gear = wish.gear.value_or(chosen_);
  if (gear != host_.get_pstate())
    host_.set_pstate(gear);
  if (wish.wake)
    alarm_.set(*wish.wake);
  else
    alarm_.cancel();
}

void GovernedNode::end() {
  for (std::size_t rank = 0; rank < listeners_; ++rank)
    follow(governor_->leave(rank, now(), 0));
  alarm_.cancel();
  ended_ = true;
}

} // namespace hypermile::runtime::pmpi
