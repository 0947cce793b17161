#pragma once

#include "control/backend.hpp"

#include <array>

/// Gears that a command of the user sets. See docs/command.md.
namespace hypermile::backend::command {

/// What is wrong with a command; empty: nothing.
std::string check_command(const std::string& text);
/// What is wrong with a list of gears, e.g. "2.4GHz,1.2GHz"; empty: nothing.
std::string check_gears(const std::string& text);

inline constexpr std::array options{
    control::BackendOption{"set-command", "COMMAND",
                           "what sets a gear, e.g. 'sudo -n set-gear {khz} {cpus}'; also {ghz}, "
                           "{gear}, {node}",
                           check_command},
    control::BackendOption{"restore-command", "COMMAND",
                           "what restores the node. Default: --set-command for gear 0",
                           check_command},
    control::BackendOption{"command-gears", "GHZ,...",
                           "the gears, fastest first, e.g. 2.4GHz,1.8GHz. Default: those of the "
                           "platform, else those that Linux lists",
                           check_gears}};

control::Finding probe(const control::Access& access);

/// Throws as control::Lease::acquire().
control::OpenGears open(const control::Access& access);

} // namespace hypermile::backend::command
