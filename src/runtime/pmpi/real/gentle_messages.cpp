// Messages. A receive waits until its message is there and then takes it by the library's own
// function, which does not sleep between the pieces of a large message.

#include "runtime/pmpi/real/gentle_wait.hpp"
#include "runtime/pmpi/real/patience.hpp"

namespace hypermile::runtime::pmpi {
namespace {

/// Of the ranks that messages in this communicator come from and go to.
bool has_rank(MPI_Comm comm, int rank) {
  int inter = 0;
  int ranks = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0)
    PMPI_Comm_remote_size(comm, &ranks);
  else
    PMPI_Comm_size(comm, &ranks);
  return rank >= 0 && rank < ranks;
}

/// Whether there may be somebody to wait for. Else, and where the arguments are wrong, the
/// library's own function is to be called, which says so.
bool may_come(int source, int tag, MPI_Comm comm) {
  return comm != MPI_COMM_NULL && (tag >= 0 || tag == MPI_ANY_TAG) &&
         (source == MPI_ANY_SOURCE || has_rank(comm, source));
}
bool can_receive(int count, MPI_Datatype type, int source, int tag, MPI_Comm comm) {
  return count >= 0 && type != MPI_DATATYPE_NULL && may_come(source, tag, comm);
}
bool can_send(int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  return comm != MPI_COMM_NULL && count >= 0 && type != MPI_DATATYPE_NULL && tag >= 0 &&
         has_rank(comm, to);
}

int probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  if (!may_come(source, tag, comm))
    return library.Probe(source, tag, comm, status);
  int error = MPI_SUCCESS;
  gently([&] {
    int found = 0;
    error = library.Iprobe(source, tag, comm, &found, status);
    return error != MPI_SUCCESS || found != 0;
  });
  return error;
}

int matched_probe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  if (!may_come(source, tag, comm))
    return library.Mprobe(source, tag, comm, message, status);
  int error = MPI_SUCCESS;
  gently([&] {
    int found = 0;
    error = library.Improbe(source, tag, comm, &found, message, status);
    return error != MPI_SUCCESS || found != 0;
  });
  return error;
}

/// Another thread may take the message that was found: then the library waits in its own way.
int receive(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
            MPI_Status* status) {
  if (can_receive(count, type, source, tag, comm))
    if (const int error = probe(source, tag, comm, MPI_STATUS_IGNORE); error != MPI_SUCCESS)
      return error;
  return library.Recv(buffer, count, type, source, tag, comm, status);
}

using Send = decltype(Library::Send);
using Isend = decltype(Library::Isend);

template <Send Library::*blocking, Isend Library::*beginning>
int send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  if (!can_send(count, type, to, tag, comm))
    return (library.*blocking)(buffer, count, type, to, tag, comm);
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = (library.*beginning)(buffer, count, type, to, tag, comm, &request);
  return error == MPI_SUCCESS ? complete_gently(request) : error;
}

int send_and_receive(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag,
                     void* in, int in_count, MPI_Datatype in_type, int source, int in_tag,
                     MPI_Comm comm, MPI_Status* status) {
  if (!can_send(out_count, out_type, to, out_tag, comm) ||
      !can_receive(in_count, in_type, source, in_tag, comm))
    return library.Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, source,
                            in_tag, comm, status);
  MPI_Request request = MPI_REQUEST_NULL;
  if (const int error = library.Isend(out, out_count, out_type, to, out_tag, comm, &request);
      error != MPI_SUCCESS)
    return error;
  const int received = receive(in, in_count, in_type, source, in_tag, comm, status);
  const int sent = complete_gently(request);
  return received == MPI_SUCCESS ? sent : received;
}

} // namespace

void add_gentle_messages(Library& gentle) {
  gentle.Probe = probe;
  gentle.Mprobe = matched_probe;
  gentle.Recv = receive;
  gentle.Send = send<&Library::Send, &Library::Isend>;
  gentle.Ssend = send<&Library::Ssend, &Library::Issend>;
  gentle.Rsend = send<&Library::Rsend, &Library::Irsend>;
  gentle.Sendrecv = send_and_receive;
}

} // namespace hypermile::runtime::pmpi
