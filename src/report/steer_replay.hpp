#pragma once

#include "steer/replay.hpp"

#include <string>

namespace hypermile::report {

/// What was replayed.
struct ReplaySubject {
  const steer::Table& table;
  std::string method;
  steer::Goal goal;
  steer::Noise noise;
};

/// Where it settled, beside the best of all; `reasons`: why each configuration was visited, too.
std::string replay_text(const ReplaySubject& subject, const steer::Replay& replay, bool reasons);
/// hypermile/steer-replay/1
std::string replay_json(const ReplaySubject& subject, const steer::Replay& replay);

} // namespace hypermile::report
