# Finds SimGrid by pkg-config (its Debian package has no CMake module) and defines
#   SimGrid::SimGrid   the library
#   SIMGRID_SMPIMAIN   the program that runs an MPI program as a simulation
find_package(PkgConfig REQUIRED)
pkg_check_modules(SIMGRID IMPORTED_TARGET simgrid>=3.32)
find_program(SIMGRID_SMPIMAIN smpimain
  HINTS ${SIMGRID_LIBDIR}/simgrid /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/simgrid)
find_path(SIMGRID_SMPI_INCLUDE_DIR smpi/mpi.h)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SimGrid
  REQUIRED_VARS SIMGRID_SMPIMAIN SIMGRID_SMPI_INCLUDE_DIR SIMGRID_FOUND
  VERSION_VAR SIMGRID_VERSION)
if(SimGrid_FOUND AND NOT TARGET SimGrid::SimGrid)
  add_library(SimGrid::SimGrid INTERFACE IMPORTED)
  target_link_libraries(SimGrid::SimGrid INTERFACE PkgConfig::SIMGRID)
  target_include_directories(SimGrid::SimGrid SYSTEM INTERFACE
    ${SIMGRID_SMPI_INCLUDE_DIR} ${SIMGRID_SMPI_INCLUDE_DIR}/smpi)
endif()
