#include "model/like_calls.hpp"

#include <cmath>

namespace hypermile::model {
namespace {

std::uint32_t pair_of(std::uint16_t previous, std::uint16_t operation) {
  return (std::uint32_t{previous} << 16U) | operation;
}

} // namespace

LikeCalls::LikeCalls(std::span<const RecordedCall> recorded) {
  for (std::size_t i = 1; i < recorded.size(); ++i) {
    Sum& sum = sums_[pair_of(recorded[i - 1].operation, recorded[i].operation)];
    sum.work += recorded[i].computation;
    ++sum.count;
  }
}

std::optional<Work> LikeCalls::between(std::uint16_t previous, std::uint16_t operation) const {
  const auto found = sums_.find(pair_of(previous, operation));
  if (found == sums_.end())
    return std::nullopt;
  return Work{std::round(found->second.work.value() / found->second.count)};
}

} // namespace hypermile::model
