#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// How the computation of a rank grows with its MPI calls: enough to tell whether another run does
/// the same.
struct Outline {
  static constexpr std::size_t most_entries = 64;
  /// In gear 0, when the first 1, 2, 4, ... calls were over.
  std::vector<Seconds> computation{};
  Seconds total{};       ///< in gear 0, of the whole run
  std::size_t calls = 0; ///< of the whole run

  /// A call is over: the rank has made `calls_so_far` and computed so long.
  void add(std::size_t calls_so_far, Seconds computed);
};

/// Compares a run with the outline of an earlier one while it goes on.
class OutlineWatch {
public:
  explicit OutlineWatch(Outline expected) : expected_(std::move(expected)) {}

  /// As Outline::add().
  void add(std::size_t calls, Seconds computed);
  /// Why this is another run than the one expected; empty: so far it is not.
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] bool departs() const { return !why_.empty(); }

private:
  Outline expected_;
  std::string why_;
};

/// Why a whole run was another one than expected; empty: it was not.
[[nodiscard]] std::string difference(const Outline& expected, const Outline& run);

} // namespace hypermile::runtime
