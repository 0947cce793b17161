# Finds Lua 5.4 as it is compiled for C++, where errors are exceptions, and defines Lua::Lua54.
# CMake's own FindLua finds the one for C, whose errors jump over destructors. Few systems but Debian
# have the one for C++; it is compiled from Lua's sources where HYPERMILE_LUA_SOURCE names their folder.
set(HYPERMILE_LUA_SOURCE "" CACHE PATH "The folder src of Lua 5.4, to compile it for C++ (default: the system's lua5.4-c++)")
include(FindPackageHandleStandardArgs)
if(HYPERMILE_LUA_SOURCE)
  find_file(LUA54_SOURCE lvm.c PATHS ${HYPERMILE_LUA_SOURCE} NO_DEFAULT_PATH NO_CACHE)
  file(GLOB sources ${HYPERMILE_LUA_SOURCE}/*.c)
  list(FILTER sources EXCLUDE REGEX "/luac?\\.c$") # programs
  find_package_handle_standard_args(Lua54 REQUIRED_VARS LUA54_SOURCE
    REASON_FAILURE_MESSAGE "HYPERMILE_LUA_SOURCE is ${HYPERMILE_LUA_SOURCE}, which has no lvm.c")
  if(Lua54_FOUND AND NOT TARGET Lua::Lua54)
    add_library(hypermile_lua STATIC ${sources})
    set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX)
    # lua.hpp declares what the library offers as C functions, before anything else declares it; with what
    # the sources define themselves before they include it.
    target_compile_options(hypermile_lua PRIVATE -w -include ${HYPERMILE_LUA_SOURCE}/lua.hpp)
    target_compile_definitions(hypermile_lua PRIVATE LUA_USE_POSIX LUA_CORE= LUA_LIB=)
    target_include_directories(hypermile_lua SYSTEM PUBLIC ${HYPERMILE_LUA_SOURCE})
    set_target_properties(hypermile_lua PROPERTIES UNITY_BUILD OFF POSITION_INDEPENDENT_CODE ON)
    add_library(Lua::Lua54 ALIAS hypermile_lua)
  endif()
  return()
endif()

find_path(LUA54_INCLUDE_DIR lua.hpp PATH_SUFFIXES lua5.4)
find_library(LUA54_LIBRARY lua5.4-c++)
find_package_handle_standard_args(Lua54 REQUIRED_VARS LUA54_LIBRARY LUA54_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "There is no liblua5.4-c++, which Debian's liblua5.4-dev has: install it, or name Lua's sources by -DHYPERMILE_LUA_SOURCE=.../lua-5.4.x/src")
mark_as_advanced(LUA54_INCLUDE_DIR LUA54_LIBRARY)
if(Lua54_FOUND AND NOT TARGET Lua::Lua54)
  add_library(Lua::Lua54 UNKNOWN IMPORTED)
  set_target_properties(Lua::Lua54 PROPERTIES IMPORTED_LOCATION ${LUA54_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LUA54_INCLUDE_DIR})
endif()
