# Finds Lua 5.4 as it is compiled for C++, where errors are exceptions, and defines Lua::Lua54.
# CMake's own FindLua finds the one for C, whose errors jump over destructors.
find_path(LUA54_INCLUDE_DIR lua.hpp PATH_SUFFIXES lua5.4)
find_library(LUA54_LIBRARY lua5.4-c++)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Lua54 REQUIRED_VARS LUA54_LIBRARY LUA54_INCLUDE_DIR)
mark_as_advanced(LUA54_INCLUDE_DIR LUA54_LIBRARY)
if(Lua54_FOUND AND NOT TARGET Lua::Lua54)
  add_library(Lua::Lua54 UNKNOWN IMPORTED)
  set_target_properties(Lua::Lua54 PROPERTIES IMPORTED_LOCATION ${LUA54_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LUA54_INCLUDE_DIR})
endif()
