#pragma once

#include "master_worker/item.hpp"

namespace apps::master_worker {

/// What a rank computed, all integrals together.
struct Tally {
  double items = 0.0;
  double evaluations = 0.0;

  void add(const Quadrature& answer) {
    items += 1.0;
    evaluations += answer.evaluations;
  }
};

/// Computes what the master hands out, until it ends the work.
Tally work();

} // namespace apps::master_worker
