# Finds hwloc 2 and defines Hwloc::Hwloc. Debian's package has no CMake module, and pkg-config is
# not needed for anything else that a minimal build has.
find_path(HWLOC_INCLUDE_DIR hwloc.h)
find_library(HWLOC_LIBRARY hwloc)
if(HWLOC_INCLUDE_DIR)
  # 0x00020800 is the interface of 2.8 and of those after it that did not change it.
  file(STRINGS ${HWLOC_INCLUDE_DIR}/hwloc.h version REGEX "^#define HWLOC_API_VERSION 0x[0-9a-f]+")
  string(REGEX MATCH "0x[0-9a-f]+" version "${version}")
  math(EXPR major "(${version} >> 16) & 0xff")
  math(EXPR minor "(${version} >> 8) & 0xff")
  set(HWLOC_VERSION ${major}.${minor})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hwloc
  REQUIRED_VARS HWLOC_LIBRARY HWLOC_INCLUDE_DIR VERSION_VAR HWLOC_VERSION)
mark_as_advanced(HWLOC_INCLUDE_DIR HWLOC_LIBRARY)
if(Hwloc_FOUND AND NOT TARGET Hwloc::Hwloc)
  add_library(Hwloc::Hwloc UNKNOWN IMPORTED)
  set_target_properties(Hwloc::Hwloc PROPERTIES IMPORTED_LOCATION ${HWLOC_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${HWLOC_INCLUDE_DIR})
endif()
