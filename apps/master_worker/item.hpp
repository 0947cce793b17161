#pragma once

#include "master_worker/integrand.hpp"
#include "master_worker/problem.hpp"

#include <cstdint>

namespace apps::master_worker {

// What master and workers say to each other. An item's message is an `Item` and its tag is the
// number of the item; the answer is a `Quadrature` with the same tag. A message without content
// ends the worker.

struct Item {
  double shift; ///< of the integrand
  Piece piece;
};

inline constexpr int item_size = sizeof(Item) / sizeof(double);
inline constexpr int answer_size = sizeof(Quadrature) / sizeof(double);

/// Item `index` of the integral with this shift.
inline Item item_of(const Problem& problem, double shift, std::uint32_t index) {
  const double width = 1.0 / problem.items;
  return {shift, {index * width, (index + 1.0) * width, problem.tolerance * width}};
}

inline Quadrature compute(const Item& item) { return Integrand(item.shift).integrate(item.piece); }

} // namespace apps::master_worker
