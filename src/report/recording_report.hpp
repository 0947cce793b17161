#pragma once

#include "simulate/repetition.hpp"

#include <string>

namespace hypermile::report {

/// What `hypermile record` has recorded of this simulation's unscaled run.
std::string print_recording_report(const simulate::Simulation& simulation,
                                   const simulate::RecordingFile& recording);
/// The same as JSON, schema `hypermile/recording/1`; docs/replay.md describes every key.
std::string recording_json(const simulate::Simulation& simulation,
                           const simulate::RecordingFile& recording);

} // namespace hypermile::report
