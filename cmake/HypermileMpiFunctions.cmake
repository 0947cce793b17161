# hypermile_declared_functions(<target> <flavour>) asks the headers of an MPI which functions it has,
# and lets the target include declared_functions.def: the rows of src/runtime/pmpi/functions.def
# whose functions they declare. <build>/mpi/<flavour>/functions.txt lists all that they declare,
# after the version of MPI (31 for 3.1), which is also the global property HYPERMILE_<ID>_VERSION. A
# test compares the list with the table.
function(hypermile_declared_functions target flavour)
  string(TOUPPER ${flavour} id)
  set(folder ${PROJECT_BINARY_DIR}/mpi/${flavour})
  file(CONFIGURE OUTPUT ${folder}/headers.c @ONLY
    CONTENT "#include <mpi.h>\nversion_of_mpi MPI_VERSION MPI_SUBVERSION\n")
  execute_process(COMMAND ${HYPERMILE_${id}_C} -E ${folder}/headers.c
    OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "version_of_mpi[ \n]*(#[^\n]*\n)? *([0-9]+) ([0-9]+)" ignored "${headers}")
  set(version ${CMAKE_MATCH_2}${CMAKE_MATCH_3})
  string(REGEX MATCHALL "[^A-Za-z0-9_]PMPI_[A-Za-z0-9_]+ *\\(" declared "${headers}")
  list(TRANSFORM declared REPLACE ".*PMPI_([A-Za-z0-9_]+).*" "\\1")
  list(REMOVE_DUPLICATES declared)
  list(SORT declared)
  list(JOIN declared "\n" lines)
  file(CONFIGURE OUTPUT ${folder}/functions.txt CONTENT "${version}\n${lines}\n" @ONLY)
  set_property(GLOBAL PROPERTY HYPERMILE_${id}_VERSION ${version})

  set(table ${PROJECT_SOURCE_DIR}/src/runtime/pmpi/functions.def)
  file(READ ${table} rows)
  string(REGEX MATCHALL "\nHM_MPI[A-Z_]*\\([A-Za-z0-9_]+, [0-9]" names "${rows}")
  list(TRANSFORM names REPLACE ".*\\(([A-Za-z0-9_]+).*" "\\1")
  list(REMOVE_ITEM names ${declared})
  foreach(name IN LISTS names)
    string(REGEX REPLACE "\nHM_MPI[A-Z_]*\\(${name}, [^\n]*" "" rows "${rows}")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/runtime/pmpi/declared_functions.def CONTENT "${rows}" @ONLY)
  target_include_directories(${target} PRIVATE ${folder})

  string(REGEX MATCH "\"([^\"]*/mpi\\.h)\"" ignored "${headers}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table} ${CMAKE_MATCH_1})
endfunction()
