#include "runtime/loop/token.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::runtime {
namespace {
constexpr unsigned most_bits = 13;
} // namespace

Recurrences::Recurrences(Grain grain)
    : exact_(grain == Grain::call || grain == Grain::place), entries_(std::size_t{1} << bits_) {}

Recurrences::Entry& Recurrences::entry(std::uint64_t value) {
  if (exact_) {
    if (value >= entries_.size())
      entries_.resize(std::max(entries_.size() * 2, static_cast<std::size_t>(value) + 1));
    return entries_[value];
  }
  const auto tag = static_cast<std::uint32_t>(value * 0xd6e8feb86659fd93ULL >> 32U);
  Entry& found = entries_[tag >> (32U - bits_)];
  if (found.tag == tag && found.last != 0)
    return found;
  if (found.last == 0 && ++used_ * 2 > entries_.size() && bits_ < most_bits) {
    grow();
    return entry(value);
  }
  found = {.tag = tag};
  return found;
}

void Recurrences::grow() {
  ++bits_;
  used_ = 0;
  const std::vector<Entry> old =
      std::exchange(entries_, std::vector<Entry>(std::size_t{1} << bits_));
  for (const Entry& each : old)
    if (each.last != 0) {
      entries_[each.tag >> (32U - bits_)] = each;
      ++used_;
    }
}

Recurrences::Gaps Recurrences::visit(std::uint64_t value, std::size_t call) {
  Entry& found = entry(value);
  const auto now = static_cast<std::uint32_t>(call) + 1;
  Gaps gaps;
  if (found.last != 0)
    gaps = {now - found.last, found.gap};
  found.last = now;
  found.gap = gaps.last;
  return gaps;
}

void Recurrences::forget(const std::vector<bool>& keep) {
  if (!exact_)
    return;
  for (std::size_t symbol = 0; symbol < std::min(keep.size(), entries_.size()); ++symbol)
    if (!keep[symbol])
      entries_[symbol] = {};
}

} // namespace hypermile::runtime
