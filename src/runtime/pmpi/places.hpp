#pragma once

#include "runtime/pmpi/functions.hpp"
#include "runtime/record/mixed.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermile::runtime::pmpi {

/// Numbers the places from which a rank calls each function: 1 is the first one that it called it
/// from. Ranks of one program agree where they come to the places in the same order, whatever the
/// addresses.
class Places {
public:
  Places() : slots_(64) {}

  std::uint32_t number(Function function, const void* site) {
    const Slot wanted{site, static_cast<std::uint16_t>(function), 0};
    std::size_t slot = slot_of(wanted);
    if (slots_[slot].number != 0)
      return slots_[slot].number;
    if (2 * (used_ + 1) > slots_.size()) {
      grow();
      slot = slot_of(wanted);
    }
    ++used_;
    slots_[slot] = wanted;
    return slots_[slot].number = ++count_of_[wanted.function];
  }

private:
  struct Slot {
    const void* site = nullptr;
    std::uint16_t function = 0;
    std::uint32_t number = 0; ///< 0: it is free
  };
  /// Where it is, or would have its place: at most half of the slots are taken.
  [[nodiscard]] std::size_t slot_of(const Slot& wanted) const {
    const std::size_t last = slots_.size() - 1; // all bits of an index: the size is a power of two
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(wanted.site));
    std::size_t slot = mixed(address, wanted.function) & last;
    while (slots_[slot].number != 0 &&
           (slots_[slot].site != wanted.site || slots_[slot].function != wanted.function))
      slot = (slot + 1) & last;
    return slot;
  }
  void grow() {
    std::vector<Slot> before(4 * slots_.size());
    before.swap(slots_);
    for (const Slot& taken : before)
      if (taken.number != 0)
        slots_[slot_of(taken)] = taken;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  std::array<std::uint32_t, function_count> count_of_{};
};

} // namespace hypermile::runtime::pmpi
