#include "model/like_calls.hpp"

#include <cmath>

namespace hypermile::model {
namespace {

std::uint32_t pair_of(std::uint16_t previous, std::uint16_t operation) {
  return (std::uint32_t{previous} << 16U) | operation;
}

} // namespace

void LikeCalls::Sum::add(Work more) {
  work += more;
  ++count;
}

Work LikeCalls::Sum::mean() const { return Work{std::round(work.value() / count)}; }

LikeCalls::LikeCalls(std::span<const RecordedCall> recorded) {
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    operations_[recorded[i].operation].add(recorded[i].computation);
    if (i > 0)
      pairs_[pair_of(recorded[i - 1].operation, recorded[i].operation)].add(
          recorded[i].computation);
  }
}

std::optional<Work> LikeCalls::between(std::uint16_t previous, std::uint16_t operation) const {
  if (const auto pair = pairs_.find(pair_of(previous, operation)); pair != pairs_.end())
    return pair->second.mean();
  if (const auto alone = operations_.find(operation); alone != operations_.end())
    return alone->second.mean();
  return std::nullopt;
}

} // namespace hypermile::model
