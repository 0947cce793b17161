#include "runtime/pmpi/library.hpp"
#include "runtime/pmpi/smpi/next_definition.hpp"

namespace hypermile::runtime::pmpi {

const Library library{
#define HM_MPI(name, ...) .name = &PMPI_##name,
#include "runtime/pmpi/declared_functions.def"
    .Init = &PMPI_Init,
    .Init_thread = &PMPI_Init_thread,
    .Finalize = &PMPI_Finalize,
    .Abort = &PMPI_Abort,
    .Wtime = &PMPI_Wtime};

void* fortran_definition(const char* name) { return next_definition<void*>(name); }

} // namespace hypermile::runtime::pmpi
