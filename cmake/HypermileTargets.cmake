# One target per folder: hypermile_folder(<name> [COLD [NUMERIC]] SOURCES ... PUBLIC ... PRIVATE ...)
# declares the static library hypermile::<name>. Linking a target is what allows
# a folder to include another, so the CMake files are the arrows of the design. COLD: its own time
# does not matter, so that it is optimised only as far as compiling it stays cheap: with a sanitizer,
# whose checks are most of what the optimiser would see, not at all, unless it is NUMERIC.

set(HYPERMILE_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
# In a unity source Clang also counts what is declared in other files; GCC looks for shadows already.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  list(APPEND HYPERMILE_WARNINGS -Wno-shadow)
endif()

# In a unity source of tests a local variable may be called like a constant of another file. GCC then
# looks only for shadows among local variables; the preset dev, without unity sources, finds the rest.
add_library(hypermile_options INTERFACE)
target_compile_features(hypermile_options INTERFACE cxx_std_20)
target_compile_options(hypermile_options INTERFACE
  ${HYPERMILE_WARNINGS} $<$<BOOL:$<TARGET_PROPERTY:HYPERMILE_TESTS_TOGETHER>>:-Wno-shadow;-Wshadow=local>)
if(HYPERMILE_SANITIZE)
  target_compile_options(hypermile_options INTERFACE
    -fsanitize=${HYPERMILE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_definitions(hypermile_options INTERFACE HYPERMILE_SANITIZED)
  target_link_options(hypermile_options INTERFACE -fsanitize=${HYPERMILE_SANITIZE})
endif()
if(HYPERMILE_FUZZ) # so that libFuzzer sees which lines of a library an input reaches
  target_compile_options(hypermile_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Parsed once: what most sources include. A target that reuses a precompiled header is compiled with
# the same flags as the one that makes it.
function(hypermile_precompile target header)
  if(HYPERMILE_PRECOMPILED)
    if(NOT TARGET hypermile_${header})
      file(WRITE ${PROJECT_BINARY_DIR}/${header}.cpp "// Its header is what counts.\n")
      add_library(hypermile_${header} OBJECT ${PROJECT_BINARY_DIR}/${header}.cpp)
      target_precompile_headers(hypermile_${header} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header}.hpp)
      get_target_property(options ${target} COMPILE_OPTIONS)
      get_target_property(pic ${target} POSITION_INDEPENDENT_CODE)
      target_link_libraries(hypermile_${header} PRIVATE hypermile_options ${ARGN})
      if(options)
        target_compile_options(hypermile_${header} PRIVATE ${options})
      endif()
      if(pic)
        set_target_properties(hypermile_${header} PROPERTIES POSITION_INDEPENDENT_CODE ON
          CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
      endif()
    endif()
    target_precompile_headers(${target} REUSE_FROM hypermile_${header})
  endif()
endfunction()

function(hypermile_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# The libraries end up inside a preloaded shared object, hence position
# independent and with nothing visible that could collide with the program's names.
function(hypermile_folder name)
  cmake_parse_arguments(ARG "COLD;NUMERIC" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(hypermile_${name} STATIC ${ARG_SOURCES})
  add_library(hypermile::${name} ALIAS hypermile_${name})
  target_include_directories(hypermile_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(hypermile_${name} PUBLIC ${ARG_PUBLIC} PRIVATE hypermile_options ${ARG_PRIVATE})
  set_target_properties(hypermile_${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  set(header precompiled)
  if(ARG_COLD)
    hypermile_cold(hypermile_${name})
    if(HYPERMILE_SANITIZE AND NOT ARG_NUMERIC)
      target_compile_options(hypermile_${name} PRIVATE -O0)
      set(header precompiled_cold) # a precompiled header is for sources that are optimised, or for others
    endif()
  endif()
  hypermile_precompile(hypermile_${name} ${header} hypermile::fmt)
endfunction()

# hypermile_test(<name> [ALONE] [LABEL <label>] SOURCES ... LIBRARIES ...): a GoogleTest program whose
# cases are discovered by ctest; with the address sanitizer, the program is one test. Without a label
# they are unit tests, of what is linked into the program: the target unit_tests builds these, and
# sanitizers look at these. ALONE: cases that need the machine for themselves. A program that exits
# with 77 is skipped.
# What a test itself computes is little: -O3 would only make compiling it take longer, and any -O where
# it only starts programs. Without any, templates of the tests would take the place of the libraries' own.
add_custom_target(unit_tests)
function(hypermile_test name)
  cmake_parse_arguments(ARG "ALONE" "LABEL" "SOURCES;LIBRARIES" ${ARGN})
  set(optimised -O0)
  set(header precompiled_command_tests)
  if(NOT DEFINED ARG_LABEL)
    set(ARG_LABEL unit)
    add_dependencies(unit_tests ${name})
    set(optimised $<$<NOT:$<CONFIG:Debug>>:-O1>)
    set(header precompiled_tests)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE hypermile_options ${ARG_LIBRARIES} GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${optimised})
  # g++ 12 warns of what it makes of std::string itself, where that came from a precompiled header.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow)
    if(CMAKE_UNITY_BUILD) # its files have their fixtures in unnamed namespaces, as headers must not
      set_target_properties(${name} PROPERTIES HYPERMILE_TESTS_TOGETHER ON)
      target_compile_options(${name} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
  # It replaces operator new for the whole program, which the compiler would look into.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/support/allocations.cpp
    PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE
    HYPERMILE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" HYPERMILE_BINARY_DIR="${PROJECT_BINARY_DIR}")
  hypermile_precompile(${name} ${header} hypermile::fmt nlohmann_json::nlohmann_json GTest::gtest_main)
  set(timeout 300)
  if(ARG_LABEL STREQUAL "slow" OR HYPERMILE_SANITIZE) # a minute or two, on cores that nobody else uses
    set(timeout 1500)
  endif()
  set(properties LABELS ${ARG_LABEL} TIMEOUT ${timeout} RUN_SERIAL ${ARG_ALONE} SKIP_RETURN_CODE 77)
  # With the address sanitizer a program takes longer to start than most cases take.
  if(HYPERMILE_SANITIZE MATCHES address AND ARG_LABEL STREQUAL "unit")
    add_test(NAME ${name} COMMAND ${name})
    list(LENGTH ARG_SOURCES sources) # what takes long begins first
    set_tests_properties(${name} PROPERTIES ${properties} COST ${sources})
  else()
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
  endif()
endfunction()
