#pragma once

#include "backend/process/process_tree.hpp"
#include "control/affinity.hpp"
#include "control/guard_process.hpp"

#include <string>

/// What a program's supervisor and whoever started it tell each other: packets as between a lease
/// and its guard.
namespace hypermile::backend::process::words {

using control::guard::Word;

// To the supervisor. It answers each with `done` or `failed`.
constexpr Word confine{'c'};   ///< to the CPUs that the text names
constexpr Word slow_down{'s'}; ///< by the factor in the text
constexpr Word tell{'t'};
constexpr Word release{'r'}; ///< leave everything as it was found, and end

// From the supervisor.
constexpr Word done{'d'};   ///< the text: what the program used, see pack_use()
constexpr Word failed{'f'}; ///< the text: why, as a user reads it
constexpr Word ended{'e'};  ///< the program has, and so does the supervisor; the text as in `done`

/// A bit for each CPU.
std::string pack(const control::CpuSet& cpus);
control::CpuSet unpack(const std::string& bits);
/// Seconds computed and contended.
std::string pack_use(const CpuUse& use);
CpuUse unpack_use(const std::string& text);

} // namespace hypermile::backend::process::words
