# Finds the library of the Open Trace Format 2 by pkg-config (its Debian package has no CMake module)
# and defines OTF2::OTF2.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(OTF2 QUIET IMPORTED_TARGET otf2>=3.0)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OTF2 REQUIRED_VARS OTF2_LIBRARIES OTF2_FOUND VERSION_VAR OTF2_VERSION)
if(OTF2_FOUND AND NOT TARGET OTF2::OTF2)
  add_library(OTF2::OTF2 ALIAS PkgConfig::OTF2)
endif()
