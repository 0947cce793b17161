#pragma once

#ifdef HYPERMILE_SIMGRID
#include "simulate/experiment.hpp"
#endif

#include <string>

namespace hypermile::cli {

/// The folder of the platforms that come along, found from where the command itself is.
std::string platform_folder();
/// Likewise that of the measurements.
std::string data_folder();
/// Likewise that of the published tables.
std::string reproduction_folder();
/// Likewise that of the models of programs.
std::string model_folder();
/// Likewise the page of the HTML report, which a build without Node does not have.
std::string installed_page();
/// Likewise that of our own MPI programs for SimGrid, which only a build tree has.
std::string example_folder();

/// What is loaded first into the processes of a job on a real MPI, found likewise. Throws
/// Error{unsupported} if it is missing.
std::string preloaded_library();

/// What is loaded into programs that report their progress. Throws likewise.
std::string progress_library();

/// The folders of hypermile's libraries and of the programs that it starts, found likewise. They
/// need not exist.
std::string library_folder();
std::string program_folder();

#ifdef HYPERMILE_SIMGRID
/// Where the files of this installation or build tree are, found likewise. Throws
/// Error{unsupported} naming what is missing.
simulate::Installation find_installation();
#endif

} // namespace hypermile::cli
