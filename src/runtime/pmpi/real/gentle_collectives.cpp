// Blocking collective operations. Where data is only moved and each rank deals with one root or
// with each other rank itself, the operation that does not wait takes the place of the one that
// does. Elsewhere the library has better algorithms for the latter, or sums up in another order:
// there an operation of one byte goes ahead, a herald, in which ranks wait for the same others.
//
// All ranks of a communicator have to do the same: what decides is the same on all.

#include "runtime/pmpi/real/gentle_wait.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

namespace hypermile::runtime::pmpi {
namespace {

constexpr int others_at_once = 64;

/// Whether all ranks of the communicator are of MPI_COMM_WORLD. Others, which were spawned or
/// connected to, may not wait gently. Needs no memory.
bool within_world(MPI_Comm comm, int ranks) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  bool within = true;
  for (int first = 0; within && first < ranks; first += others_at_once) {
    std::array<int, others_at_once> own{};
    std::array<int, others_at_once> in_world{};
    const int count = std::min(others_at_once, ranks - first);
    for (int i = 0; i < count; ++i)
      own[static_cast<std::size_t>(i)] = first + i;
    PMPI_Group_translate_ranks(group, count, own.data(), world, in_world.data());
    within = std::find(in_world.begin(), in_world.begin() + count, MPI_UNDEFINED) ==
             in_world.begin() + count;
  }
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return within;
}

bool is_gentle(MPI_Comm comm) {
  int inter = 0;
  int ranks = 1;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_size(comm, &ranks);
  return inter == 0 && ranks > 1 && within_world(comm, ranks);
}

int new_key() {
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
  return key;
}

/// Whether collective operations of this communicator are to wait gently: kept with it.
bool waits_gently(MPI_Comm comm) {
  static const int key = new_key();
  static std::array<char, 2> answers{}; // by their addresses
  if (comm == MPI_COMM_NULL)
    return false;
  void* answer = nullptr;
  int known = 0;
  PMPI_Comm_get_attr(comm, key, static_cast<void*>(&answer), &known);
  if (known == 0) {
    answer = &answers[is_gentle(comm) ? 1 : 0];
    PMPI_Comm_set_attr(comm, key, answer);
  }
  return answer == &answers[1];
}

int finish(int error, MPI_Request& request) {
  return error == MPI_SUCCESS ? complete_gently(request) : error;
}

/// The communicator comes last in all of them.
template <class... Arguments> MPI_Comm communicator_of(Arguments... arguments) {
  return std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
}

template <auto blocking, auto beginning, class... Arguments> int instead(Arguments... arguments) {
  if (!waits_gently(communicator_of(arguments...)))
    return (library.*blocking)(arguments...);
  MPI_Request request = MPI_REQUEST_NULL;
  return finish((library.*beginning)(arguments..., &request), request);
}

/// In place, the library moves data in a way of its own. All ranks do so or none.
template <auto blocking, auto beginning, class... Arguments>
int instead_unless_in_place(const void* out, Arguments... arguments) {
  return out == MPI_IN_PLACE ? (library.*blocking)(out, arguments...)
                             : instead<blocking, beginning>(out, arguments...);
}

// No herald announces wrong arguments: a rank that alone has them must not wait in it.

bool is_root(MPI_Comm comm, int root) {
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  return root >= 0 && root < ranks;
}
bool is_right(int count, MPI_Datatype type) { return count >= 0 && type != MPI_DATATYPE_NULL; }

/// `beginning` is a herald's, its arguments but for the request.
int send_herald(auto beginning, auto... arguments) {
  MPI_Request request = MPI_REQUEST_NULL;
  return finish(beginning(arguments..., &request), request);
}

int broadcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (waits_gently(comm) && is_right(count, type) && is_root(comm, root)) {
    char byte = 0;
    if (const int error = send_herald(library.Ibcast, &byte, 1, MPI_BYTE, root, comm);
        error != MPI_SUCCESS)
      return error;
  }
  return library.Bcast(buffer, count, type, root, comm);
}

int reduce(const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, int root,
           MPI_Comm comm) {
  if (waits_gently(comm) && is_right(count, type) && op != MPI_OP_NULL && is_root(comm, root)) {
    const char byte = 0;
    char all = 0;
    if (const int error =
            send_herald(library.Ireduce, &byte, &all, 1, MPI_BYTE, MPI_BOR, root, comm);
        error != MPI_SUCCESS)
      return error;
  }
  return library.Reduce(out, in, count, type, op, root, comm);
}

/// An operation in which all ranks need something of all.
template <auto blocking> int together(bool right, auto... arguments) {
  const MPI_Comm comm = communicator_of(arguments...);
  if (right && waits_gently(comm))
    if (const int error = send_herald(library.Ibarrier, comm); error != MPI_SUCCESS)
      return error;
  return (library.*blocking)(arguments...);
}

int all_reduce(const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return together<&Library::Allreduce>(is_right(count, type) && op != MPI_OP_NULL, out, in, count,
                                       type, op, comm);
}

int reduce_scatter(const void* out, void* in, const int* counts, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
  return together<&Library::Reduce_scatter>(counts != nullptr && type != MPI_DATATYPE_NULL &&
                                                op != MPI_OP_NULL,
                                            out, in, counts, type, op, comm);
}

int reduce_scatter_block(const void* out, void* in, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm) {
  return together<&Library::Reduce_scatter_block>(is_right(count, type) && op != MPI_OP_NULL, out,
                                                  in, count, type, op, comm);
}

// What is sent means nothing in place: what is received is looked at.

template <auto blocking>
int exchange(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
             MPI_Datatype in_type, MPI_Comm comm) {
  return together<blocking>(is_right(in_count, in_type), out, out_count, out_type, in, in_count,
                            in_type, comm);
}

int all_gather_v(const void* out, int out_count, MPI_Datatype out_type, void* in,
                 const int* in_counts, const int* places, MPI_Datatype in_type, MPI_Comm comm) {
  return together<&Library::Allgatherv>(in_counts != nullptr && in_type != MPI_DATATYPE_NULL, out,
                                        out_count, out_type, in, in_counts, places, in_type, comm);
}

} // namespace

void add_gentle_collectives(Library& gentle) {
  gentle.Barrier = instead<&Library::Barrier, &Library::Ibarrier>;
  gentle.Gather = instead<&Library::Gather, &Library::Igather>;
  gentle.Gatherv = instead<&Library::Gatherv, &Library::Igatherv>;
  gentle.Scatter = instead<&Library::Scatter, &Library::Iscatter>;
  gentle.Scatterv = instead<&Library::Scatterv, &Library::Iscatterv>;
  gentle.Alltoallv = instead_unless_in_place<&Library::Alltoallv, &Library::Ialltoallv>;
  gentle.Alltoallw = instead_unless_in_place<&Library::Alltoallw, &Library::Ialltoallw>;
  gentle.Bcast = broadcast;
  gentle.Reduce = reduce;
  gentle.Allreduce = all_reduce;
  gentle.Reduce_scatter = reduce_scatter;
  gentle.Reduce_scatter_block = reduce_scatter_block;
  gentle.Allgather = exchange<&Library::Allgather>;
  gentle.Allgatherv = all_gather_v;
  gentle.Alltoall = exchange<&Library::Alltoall>;
}

} // namespace hypermile::runtime::pmpi
