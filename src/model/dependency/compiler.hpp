#pragma once

#include "model/dependency/dependencies.hpp"

namespace hypermile::model::dependency {

/// Turns a matched timeline into the steps of a Dependencies.
class Compiler {
public:
  Compiler(const Matching& matching, const Calls& calls, const Costs& costs);
  void compile(Dependencies& result);

private:
  using Kind = Step::Kind;
  struct Stream { ///< the steps of one rank, in its program's order
    std::vector<Step> steps;
    std::vector<float> fixed; ///< as Dependencies::fixed_
    std::vector<EventIndex> events;
    std::size_t next = 0;
  };

  void allot_slots();
  void translate_call(EventIndex first, EventIndex end);
  /// What a rank computes before a call, s in gear 0.
  struct Computed {
    float scaled = 0; ///< takes S times as long
    float fixed = 0;  ///< takes the same in every gear
  };
  [[nodiscard]] Computed computed_before(EventIndex event) const;
  void add_start(EventIndex event, Computed& computed);
  void add_arrival(EventIndex complete, Computed& computed);
  void add_store(EventIndex event, std::uint32_t slot, Computed& computed);
  void add_wait(EventIndex event, Computed& computed);
  void add_wait_for_lower(EventIndex event, EventIndex started, Computed computed, float cost);
  void add(Step step, Computed computed, EventIndex event);
  [[nodiscard]] bool has_slot_of_each(const Collective& collective) const;
  [[nodiscard]] std::uint32_t slot_of_arrival(EventIndex arrival) const;
  [[nodiscard]] bool moves_in_calls(EventIndex start) const;
  [[nodiscard]] std::uint32_t slot_of_start(EventIndex event) const;
  void order(Dependencies& result);
  bool advance(std::uint32_t rank, Dependencies& result);
  void emit(std::uint32_t rank, Step step, Dependencies& result);
  [[nodiscard]] std::uint32_t blocked_rank() const;
  void break_knot(std::uint32_t rank);

  const Matching& matching_;
  const Calls& calls_;
  const Costs& costs_;
  std::vector<std::uint32_t> slot_of_message_;    ///< its send's; the receive's is the next
  std::vector<std::uint32_t> slot_of_collective_; ///< for a scan, that of its first arrival
  std::vector<bool> hands_on_; ///< by event: whether others get from there what a root gives
  std::uint32_t slots_ = 0;
  std::vector<Stream> streams_;
  std::vector<std::uint32_t> pending_; ///< by slot: stores that have not been put in order
  std::vector<bool> stored_;           ///< by slot
  std::vector<std::uint32_t> waiter_;  ///< by slot: a rank that waits for it
  std::vector<std::uint32_t> also_;    ///< by rank: another that waits for the same slot
  std::vector<std::uint32_t> runnable_;
};

} // namespace hypermile::model::dependency
