#include "runtime/pmpi/smpi/governed_node.hpp"

namespace hypermile::runtime::pmpi {

/// Of one rank.
class GovernedNode::Listener final : public control::CallListener {
public:
  Listener(GovernedNode& node, std::size_t rank) : node_(node), rank_(rank) {}
  void enter(const Entry& entry) override {
    node_.follow(
        node_.governor_->enter(rank_, node_.now(), {entry.may_wait, entry.call, entry.iteration}));
  }
  void leave(std::uint64_t call) override {
    node_.follow(node_.governor_->leave(rank_, node_.now(), call));
  }

private:
  GovernedNode& node_;
  std::size_t rank_;
};

GovernedNode::GovernedNode(::simgrid::s4u::Host& host, std::unique_ptr<govern::Governor> governor,
                           Seconds change)
    : host_(host), governor_(std::move(governor)), chosen_(host.get_pstate()),
      time_of_change_(change), changed_([this] { take(); }),
      alarm_([this] { follow(governor_->wake(now())); }) {
  follow(governor_->begin(now()));
}

std::unique_ptr<control::CallListener> GovernedNode::listener() {
  return std::make_unique<Listener>(*this, listeners_++);
}

govern::Moment GovernedNode::now() {
  if (!governed_ && !is_changing())
    chosen_ = host_.get_pstate();
  return {.time = Seconds{::simgrid::s4u::Engine::get_clock()}, .chosen = chosen_};
}

/// Nothing is pending that would have to be charged first: computation is executed when a rank
/// enters MPI, before anybody is told.
void GovernedNode::follow(const govern::Wish& wish) {
  if (ended_)
    return;
  governed_ = wish.gear.has_value();
  want(wish.gear.value_or(chosen_));
  if (wish.wake)
    alarm_.set(*wish.wake);
  else
    alarm_.cancel();
}

/// A method that sets a gear meanwhile comes first.
bool GovernedNode::is_changing() const {
  return changing_ && changing_->from == host_.get_pstate();
}

void GovernedNode::want(model::Gear gear) {
  const model::Gear present = host_.get_pstate();
  if (is_changing() && changing_->to == gear)
    return;
  changing_.reset();
  changed_.cancel();
  if (gear == present)
    return;
  if (!(time_of_change_ > Seconds{})) {
    host_.set_pstate(gear);
    return;
  }
  changing_ = {.from = present, .to = gear};
  changed_.set(Seconds{::simgrid::s4u::Engine::get_clock()} + time_of_change_);
}

void GovernedNode::take() {
  if (is_changing())
    host_.set_pstate(changing_->to);
  changing_.reset();
}

void GovernedNode::end() {
  for (std::size_t rank = 0; rank < listeners_; ++rank)
    follow(governor_->leave(rank, now(), 0));
  alarm_.cancel();
  take();
  changed_.cancel();
  ended_ = true;
}

} // namespace hypermile::runtime::pmpi
