#pragma once

#include "learn/memory.hpp"

#include <string>

namespace hypermile::learn {

/// The nodes of the job as a platform in the schema `hypermile/platform/1`, with the power that
/// their meters taught; comments say how well it is known. Throws Error{config} where no meter
/// taught anything of some type. `file`: of the memory.
[[nodiscard]] std::string learnt_platform(const Memory& memory, const std::string& file);

} // namespace hypermile::learn
