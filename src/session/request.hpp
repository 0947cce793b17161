#pragma once

#include "steer/bounds.hpp"

#include <string>
#include <string_view>

namespace hypermile::session {

/// The bounds with one of them changed, as a request says: "power=70W", "utilisation=0.8",
/// "throughput=none". Names: power, throughput, utilisation, deadline, energy, items, objective.
/// Throws Error{config} for what is not understood, or cannot be used together.
steer::Bounds changed(const steer::Bounds& bounds, std::string_view request);

// Also for the options of the same names. They throw Error{config} likewise.

Rate read_throughput(const std::string& text);
Watts read_power(const std::string& text);
double read_utilisation(const std::string& text);
Seconds read_deadline(const std::string& text);
Joules read_energy(const std::string& text);
double read_items(const std::string& text);
steer::Objective read_objective(const std::string& text);

} // namespace hypermile::session
