// Linked to one of our programs, makes the messages of its last rank arrive as zeros from some
// point on: what the program computes is then wrong, and it has to notice.

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace {

constexpr int sound_messages = 20;

bool is_faulty() {
  static int messages = 0; // SMPI gives each rank its own
  int rank = 0;
  int ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return rank + 1 == ranks && ++messages > sound_messages;
}

/// `buffer`, or as many zeros; of those there are enough for class S.
const void* sent(const void* buffer, int count, MPI_Datatype type) {
  static std::vector<std::byte> zeros;
  if (!is_faulty())
    return buffer;
  MPI_Aint begin = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &begin, &extent);
  if (zeros.empty())
    zeros.resize(std::size_t{1} << 24); // never moved: messages that are under way use it
  return static_cast<std::size_t>(count * extent) <= zeros.size() ? zeros.data() : buffer;
}

} // namespace

extern "C" {

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return PMPI_Send(sent(buffer, count, type), count, type, to, tag, comm);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return PMPI_Isend(sent(buffer, count, type), count, type, to, tag, comm, request);
}

int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return PMPI_Issend(sent(buffer, count, type), count, type, to, tag, comm, request);
}

int MPI_Sendrecv(const void* buffer, int count, MPI_Datatype type, int to, int tag, void* received,
                 int received_count, MPI_Datatype received_type, int from, int received_tag,
                 MPI_Comm comm, MPI_Status* status) {
  return PMPI_Sendrecv(sent(buffer, count, type), count, type, to, tag, received, received_count,
                       received_type, from, received_tag, comm, status);
}

int MPI_Alltoall(const void* buffer, int count, MPI_Datatype type, void* received,
                 int received_count, MPI_Datatype received_type, MPI_Comm comm) {
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  return PMPI_Alltoall(sent(buffer, ranks * count, type), count, type, received, received_count,
                       received_type, comm);
}

} // extern "C"
