#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hypermile::test {

/// A model without mistakes, and what must come of it on slow_machine(), by another way than the
/// schedule's: everything is done one after the other in an order that cannot get stuck.
struct RandomModel {
  std::string text;
  std::size_t ranks = 0;
  std::vector<double> ends;            ///< by rank, s
  std::vector<std::uint64_t> received; ///< by rank: bytes of all messages that it receives
};

RandomModel random_model(std::uint32_t seed);

} // namespace hypermile::test
