#include "runtime/pmpi/library.hpp"
#include "runtime/pmpi/smpi/next_definition.hpp"

namespace hypermile::runtime::pmpi {

const Library library{
#define HM_MPI(name, fortran, kind, count, parameters, arguments) .name = &PMPI_##name,
#define HM_MPI_WITH_STRINGS HM_MPI
#include "runtime/pmpi/functions.def"
#undef HM_MPI_WITH_STRINGS
#undef HM_MPI
    .Init = &PMPI_Init,
    .Init_thread = &PMPI_Init_thread,
    .Finalize = &PMPI_Finalize,
    .Abort = &PMPI_Abort,
    .Wtime = &PMPI_Wtime};

void* fortran_definition(const char* name) { return next_definition<void*>(name); }

} // namespace hypermile::runtime::pmpi
