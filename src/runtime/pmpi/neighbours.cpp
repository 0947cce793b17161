#include "runtime/pmpi/observe/observed_collectives.hpp"

namespace hypermile::runtime::pmpi {

int neighbours(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  int count = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &count);
    return 2 * count; // one on either side
  }
  if (topology == MPI_GRAPH)
    PMPI_Graph_neighbors_count(comm, rank_in(comm), &count);
  int in = 0;
  int weighted = 0;
  if (topology == MPI_DIST_GRAPH)
    PMPI_Dist_graph_neighbors_count(comm, &in, &count, &weighted);
  return count;
}

} // namespace hypermile::runtime::pmpi
