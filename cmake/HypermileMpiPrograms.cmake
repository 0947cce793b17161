# MPI programs, each built by the compiler wrapper of the MPI it is for:
#
#   hypermile_smpi_program(<name> SOURCES ... FOLDER apps|tests/programs)
#   hypermile_mpi_program(<name> MPI openmpi|mpich SOURCES ... FOLDER ...
#                         [PARTS <library>...] [LINKED] [SANITIZED] [EXPORTS] [OPENMP])
#   hypermile_mpi_programs(<name> SOURCES ... FOLDER ...)     every flavour there is
#
# The program is <build>/<folder>/<flavour>/<name>, flavour being smpi, openmpi or
# mpich; the target is <flavour>_<name>, in folder tests/programs test_<flavour>_<name>,
# so that a test program may be called like one of ours. PARTS: static libraries of what needs no
# MPI. LINKED: to hypermile, which
# then need not be preloaded. SANITIZED: with HYPERMILE_SANITIZE, as a program has to be
# that is linked to a library of ours in such a build. Sources are C++, C or Fortran, one
# language per program. They are optimised whatever the build type: their computation
# is what gets measured. EXPORTS: libraries call functions of the program instead of their own of the
# same name. OPENMP: with its threads. Programs in the folders apps and libexec/hypermile, which are
# ours, are installed to libexec/hypermile/<flavour>; in the latter they are the commands' own.
#
# The wrappers are run as they are, and not as CMake's own compiler, because an SMPI
# program is a shared object that smpicxx alone knows how to make.

set(HYPERMILE_MPI_FLAVOURS "")

function(hypermile_find_wrappers flavour cxx c fortran hint)
  string(TOUPPER ${flavour} id)
  find_program(HYPERMILE_${id}_CXX ${cxx})
  find_program(HYPERMILE_${id}_C ${c})
  find_program(HYPERMILE_${id}_FORTRAN ${fortran})
  mark_as_advanced(HYPERMILE_${id}_CXX HYPERMILE_${id}_C HYPERMILE_${id}_FORTRAN)
  if(HYPERMILE_${id}_CXX AND HYPERMILE_${id}_C)
    set(HYPERMILE_MPI_FLAVOURS ${HYPERMILE_MPI_FLAVOURS} ${flavour} PARENT_SCOPE)
  else()
    message(STATUS "No ${cxx}: MPI programs are not built for ${flavour}; ${hint}")
  endif()
endfunction()

if(HYPERMILE_SIMGRID)
  hypermile_find_wrappers(smpi smpicxx smpicc smpiff "install libsimgrid-dev")
  find_program(HYPERMILE_SMPIRUN smpirun)
  if(NOT "smpi" IN_LIST HYPERMILE_MPI_FLAVOURS OR NOT HYPERMILE_SMPIRUN)
    message(FATAL_ERROR "HYPERMILE_SIMGRID is on but smpicxx, smpicc or smpirun is missing: "
                        "install libsimgrid-dev or configure with -DHYPERMILE_SIMGRID=OFF")
  endif()
endif()
if(HYPERMILE_MPI)
  hypermile_find_wrappers(openmpi mpicxx.openmpi mpicc.openmpi mpif90.openmpi "install libopenmpi-dev")
  hypermile_find_wrappers(mpich mpicxx.mpich mpicc.mpich mpif90.mpich "install libmpich-dev")
  find_program(HYPERMILE_OPENMPI_RUN mpirun.openmpi)
  find_program(HYPERMILE_MPICH_RUN mpirun.mpich)
  if(NOT "openmpi" IN_LIST HYPERMILE_MPI_FLAVOURS AND NOT "mpich" IN_LIST HYPERMILE_MPI_FLAVOURS
     AND NOT HYPERMILE_MPI STREQUAL "AUTO")
    message(FATAL_ERROR "HYPERMILE_MPI is on but neither Open MPI's nor MPICH's compilers are "
                        "there: install one of them, set HYPERMILE_OPENMPI_CXX and "
                        "HYPERMILE_OPENMPI_C, or configure with -DHYPERMILE_MPI=OFF")
  endif()
endif()

# The flags that make an MPI's own headers system headers, so that our warnings are
# about our code. `wrapper -show` prints the command it stands for; /usr/include is
# left out, since naming it would change the order of the standard headers.
function(hypermile_mpi_system_includes wrapper result)
  execute_process(COMMAND ${wrapper} -show OUTPUT_VARIABLE command COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "-I *[^ \n]+" includes "${command}")
  list(TRANSFORM includes REPLACE "^-I *" "")
  list(REMOVE_ITEM includes /usr/include)
  list(REMOVE_DUPLICATES includes)
  list(TRANSFORM includes PREPEND "-isystem")
  set(${result} ${includes} PARENT_SCOPE)
endfunction()

# A library of ours is built against the headers and linked to the library of an MPI, by CMake's own
# compiler.
function(hypermile_use_mpi target flavour)
  string(TOUPPER ${flavour} id)
  hypermile_mpi_system_includes(${HYPERMILE_${id}_C} includes)
  execute_process(COMMAND ${HYPERMILE_${id}_C} -show OUTPUT_VARIABLE command COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " -(L|l)[^ \n]+" libraries "${command}")
  list(TRANSFORM libraries STRIP)
  target_compile_options(${target} PRIVATE ${includes} -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
  target_link_libraries(${target} PRIVATE ${libraries})
endfunction()

# One object file, made after those of ARGN, whose Fortran modules it may use. smpiff writes a
# scratch file beside its source, hence the copy; compilers write modules where they run. A source that
# another program has for the same MPI is not compiled again: the owner is that program's target.
function(hypermile_mpi_object flavour target directory source options
         object_result language_result owner_result)
  string(TOUPPER ${flavour} id)
  string(MD5 key "${flavour};${source};${options}")
  get_property(known GLOBAL PROPERTY HYPERMILE_OBJECT_${key})
  if(known AND NOT source MATCHES "\\.f90$")
    list(POP_FRONT known object language owner)
    set(${object_result} ${object} PARENT_SCOPE)
    set(${language_result} ${language} PARENT_SCOPE)
    set(${owner_result} ${owner} PARENT_SCOPE)
    return()
  endif()
  file(RELATIVE_PATH relative ${PROJECT_SOURCE_DIR} ${source})
  string(REPLACE "/" "_" stem ${relative})
  set(object ${directory}/${stem}.o)
  set(includes -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/apps
               -I${PROJECT_SOURCE_DIR}/include)
  set(depfile DEPFILE ${object}.d)
  set(write_depfile -MMD -MF ${object}.d -MT ${object})
  set(copy "")
  set(input ${source})
  if(source MATCHES "\\.f90$")
    set(language FORTRAN)
    set(input ${directory}/${stem})
    set(copy COMMAND ${CMAKE_COMMAND} -E copy ${source} ${input})
    # A Fortran parameter is a constant; mpif.h has hundreds that no program uses.
    set(flags -Wall -Wextra -Wno-unused-parameter -Werror)
    set(includes "")
    set(depfile "")
    set(write_depfile "")
  else()
    if(source MATCHES "\\.c$")
      set(language C)
      set(flags -std=gnu11 ${HYPERMILE_WARNINGS})
    else()
      set(language CXX)
      set(flags -std=c++20 ${HYPERMILE_WARNINGS})
    endif()
    hypermile_mpi_system_includes(${HYPERMILE_${id}_${language}} system_includes)
    # Without the C++ bindings that MPI-3 removed.
    list(APPEND flags ${system_includes} -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
  endif()
  file(MAKE_DIRECTORY ${directory})
  add_custom_command(OUTPUT ${object}
    ${copy}
    COMMAND ${HYPERMILE_${id}_${language}} ${flags} -O3 -g ${options} ${includes} ${write_depfile}
            -c ${input} -o ${object}
    DEPENDS ${source} ${ARGN} ${depfile} WORKING_DIRECTORY ${directory}
    COMMENT "Building ${relative} for ${flavour}" VERBATIM)
  set_property(GLOBAL PROPERTY HYPERMILE_OBJECT_${key} ${object} ${language} ${target})
  set(${object_result} ${object} PARENT_SCOPE)
  set(${language_result} ${language} PARENT_SCOPE)
  set(${owner_result} "" PARENT_SCOPE)
endfunction()

function(hypermile_wrapped_program name flavour)
  cmake_parse_arguments(ARG "LINKED;SANITIZED;EXPORTS;OPENMP" "FOLDER" "SOURCES;PARTS" ${ARGN})
  string(TOUPPER ${flavour} id)
  set(objects "")
  set(owners "")
  set(libraries "")
  set(options "")
  set(ours OFF)
  if(ARG_FOLDER STREQUAL "apps" OR ARG_FOLDER STREQUAL "${CMAKE_INSTALL_LIBEXECDIR}/hypermile")
    set(ours ON)
  endif()
  set(target ${flavour}_${name})
  if(NOT ours)
    string(PREPEND target "test_")
  endif()
  if(ARG_SANITIZED)
    set(options -fsanitize=${HYPERMILE_SANITIZE})
  endif()
  if(ARG_OPENMP)
    list(APPEND options -fopenmp)
  endif()
  set(library_target "")
  foreach(part IN LISTS ARG_PARTS)
    list(APPEND libraries $<TARGET_FILE:${part}>)
  endforeach()
  if(ARG_LINKED)
    set(library_folder ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/hypermile)
    list(APPEND libraries -L${library_folder} -lhypermile-${flavour} -Wl,-rpath,${library_folder})
    set(library_target hypermile_${flavour})
  endif()
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    if(source MATCHES "\\.f90$" AND NOT HYPERMILE_${id}_FORTRAN)
      message(STATUS "No Fortran for ${flavour}: ${name} is not built for it")
      return()
    endif()
    set(modules "")
    if(source MATCHES "\\.f90$")
      set(modules ${objects})
    endif()
    hypermile_mpi_object(${flavour} ${target} ${CMAKE_CURRENT_BINARY_DIR}/objects/${flavour}_${name}
                         ${source} "${options}" object language owner ${modules})
    list(APPEND objects ${object})
    list(APPEND owners ${owner})
  endforeach()
  if(ARG_EXPORTS)
    list(APPEND libraries -rdynamic)
  endif()
  set(program ${PROJECT_BINARY_DIR}/${ARG_FOLDER}/${flavour}/${name})
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${ARG_FOLDER}/${flavour})
  add_custom_command(OUTPUT ${program}
    COMMAND ${HYPERMILE_${id}_${language}} ${options} ${objects} ${libraries} -o ${program}
    DEPENDS ${objects} ${owners} ${ARG_PARTS} ${library_target}
    COMMENT "Linking ${ARG_FOLDER}/${flavour}/${name}" VERBATIM)
  add_custom_target(${target} ALL DEPENDS ${program})
  if(ours)
    install(PROGRAMS ${program} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/hypermile/${flavour})
  endif()
endfunction()

function(hypermile_smpi_program name)
  if("smpi" IN_LIST HYPERMILE_MPI_FLAVOURS)
    hypermile_wrapped_program(${name} smpi ${ARGN})
  endif()
endfunction()

function(hypermile_mpi_program name)
  cmake_parse_arguments(ARG "" "MPI" "" ${ARGN})
  if(ARG_MPI IN_LIST HYPERMILE_MPI_FLAVOURS)
    hypermile_wrapped_program(${name} ${ARG_MPI} ${ARG_UNPARSED_ARGUMENTS})
  endif()
endfunction()

function(hypermile_mpi_programs name)
  hypermile_smpi_program(${name} ${ARGN})
  hypermile_mpi_program(${name} MPI openmpi ${ARGN})
  hypermile_mpi_program(${name} MPI mpich ${ARGN})
endfunction()

# The simplest platform there is, for tests that ask only what a program computes:
# 128 equal nodes behind one switch.
function(hypermile_write_test_platform directory)
  file(WRITE ${directory}/platform.xml
"<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">
<platform version=\"4.1\">
  <cluster id=\"cluster\" prefix=\"node-\" suffix=\"\" radical=\"0-127\" speed=\"1Gf\"
           bw=\"125MBps\" lat=\"50us\"/>
</platform>
")
  set(hosts "")
  foreach(i RANGE 127)
    string(APPEND hosts "node-${i}\n")
  endforeach()
  file(WRITE ${directory}/hosts ${hosts})
endfunction()

# hypermile_run_test(<name> PROGRAM <folder>/<program> FLAVOUR smpi|openmpi|mpich RANKS <n>
#                    [ARGS ...] [CODE <exit code>] [OUTPUT <regex>] [LABELS ...])
# A ctest that runs the program and checks its exit code (default 0) and its output.
# Does nothing where that MPI is not there.
function(hypermile_run_test name)
  cmake_parse_arguments(ARG "" "PROGRAM;FLAVOUR;RANKS;CODE;OUTPUT" "ARGS;LABELS" ${ARGN})
  if(NOT ARG_FLAVOUR IN_LIST HYPERMILE_MPI_FLAVOURS)
    return()
  endif()
  set(platform ${PROJECT_BINARY_DIR}/tests/one_switch)
  if(NOT EXISTS ${platform}/hosts)
    hypermile_write_test_platform(${platform})
  endif()
  set(smpi ${HYPERMILE_SMPIRUN} -np ${ARG_RANKS} -platform ${platform}/platform.xml
           -hostfile ${platform}/hosts --cfg=smpi/host-speed:1Gf --log=root.thres:warning)
  set(openmpi ${HYPERMILE_OPENMPI_RUN} --oversubscribe --allow-run-as-root -np ${ARG_RANKS})
  set(mpich ${HYPERMILE_MPICH_RUN} -np ${ARG_RANKS})

  get_filename_component(program ${ARG_PROGRAM} NAME)
  get_filename_component(folder ${ARG_PROGRAM} DIRECTORY)
  set(expected -DCODE=0)
  if(DEFINED ARG_CODE)
    set(expected -DCODE=${ARG_CODE})
  endif()
  if(DEFINED ARG_OUTPUT)
    list(APPEND expected -DOUTPUT=${ARG_OUTPUT})
  endif()
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} ${expected}
    -P ${PROJECT_SOURCE_DIR}/cmake/ExpectRun.cmake --
    ${${ARG_FLAVOUR}} ${PROJECT_BINARY_DIR}/${folder}/${ARG_FLAVOUR}/${program} ${ARG_ARGS})
  set(timeout 300)
  if("slow" IN_LIST ARG_LABELS) # a minute or two, on cores that nobody else uses
    set(timeout 1500)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout})
  if(ARG_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}")
  endif()
  if(NOT ARG_FLAVOUR STREQUAL "smpi") # their ranks spin while they wait
    set_tests_properties(${name} PROPERTIES PROCESSORS ${ARG_RANKS})
  endif()
endfunction()
