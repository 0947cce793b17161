#pragma once

#include "model/component.hpp"

#include <string>
#include <vector>

namespace hypermile::report {

/// Their names and what they are, by kind.
std::string print_components(const std::vector<model::Component>& components);

/// One component with all its figures and where each comes from.
std::string print_component(const model::Component& component);

/// Components with all their figures, hypermile/components/1 (docs/components.md).
std::string components_json(const std::vector<model::Component>& components);

} // namespace hypermile::report
