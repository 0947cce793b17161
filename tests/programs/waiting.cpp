/// Everything that can be seen of calls that wait: results, statuses, error codes and how often an
/// error handler was called, also of wrong calls that one rank alone makes. Prints it in lines that
/// begin with the rank, as it must be the same however ranks wait. For 2 ranks and more.
#include "program.hpp"

#include <array>
#include <string>
#include <vector>

namespace {

int handled = 0;
int rank = 0;
int ranks = 1;

std::string said;

template <class... Values> void say(const char* format, Values... values) {
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), format, values...); // NOLINT
  said += text.data();
}
void say(const char* text) { said += text; }

/// Pieces of lines that several ranks print may be mixed.
void print_all() {
  for (int other = 0; rank == 0 && other < ranks; ++other) {
    std::vector<char> text(100'000);
    if (other != 0)
      MPI_Recv(text.data(), static_cast<int>(text.size()), MPI_CHAR, other, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    std::fputs(other == 0 ? said.c_str() : text.data(), stdout);
  }
  if (rank != 0)
    MPI_Send(said.data(), static_cast<int>(said.size()) + 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
}

void handle(MPI_Comm*, int*, ...) { ++handled; }

int class_of(int error) {
  int error_class = error;
  if (error != MPI_SUCCESS)
    MPI_Error_class(error, &error_class);
  return error_class;
}

/// What a call returned, and how often it called the error handler.
void tell(const char* what, int error) {
  say("%d %s: class %d, %d errors handled\n", rank, what, class_of(error), handled);
  handled = 0;
}

void tell(const char* what, const MPI_Status& status) {
  int count = 0;
  MPI_Get_count(&status, MPI_INT, &count);
  say("%d %s: from %d, tag %d, %d\n", rank, what, status.MPI_SOURCE, status.MPI_TAG, count);
}

/// Rank 1 gets three numbers where it has room for one.
void tell_of_truncation() {
  const std::array<int, 3> out{1, 2, 3};
  std::array<int, 3> in{};
  MPI_Status status{};
  for (int tag = 0; rank == 0 && tag < 6; ++tag)
    MPI_Send(out.data(), 3, MPI_INT, 1, tag, MPI_COMM_WORLD);
  if (rank == 1) {
    tell("truncated Recv", MPI_Recv(in.data(), 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status));
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    const auto begin = [&](int tag) {
      MPI_Irecv(in.data(), 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &requests[0]);
    };
    const auto is_null = [&] {
      say("%d null %d\n", rank, requests[0] == MPI_REQUEST_NULL ? 1 : 0);
    };
    begin(1);
    tell("truncated Wait", MPI_Wait(requests.data(), &status));
    is_null();
    begin(2);
    std::array<MPI_Status, 2> statuses{};
    statuses[0].MPI_ERROR = statuses[1].MPI_ERROR = MPI_SUCCESS;
    tell("truncated Waitall", MPI_Waitall(2, requests.data(), statuses.data()));
    tell("of which", statuses[0].MPI_ERROR);
    is_null();
    begin(3);
    int index = 7;
    tell("truncated Waitany", MPI_Waitany(2, requests.data(), &index, &status));
    say("%d index %d\n", rank, index);
    is_null();
    begin(4);
    std::array<int, 2> indices{7, 7};
    int done = 7;
    tell("truncated Waitsome",
         MPI_Waitsome(2, requests.data(), &done, indices.data(), statuses.data()));
    say("%d done %d index %d\n", rank, done, indices[0]);
    is_null();
    tell("truncated Sendrecv", MPI_Sendrecv(out.data(), 1, MPI_INT, 0, 9, in.data(), 1, MPI_INT, 0,
                                            5, MPI_COMM_WORLD, &status));
  }
  if (rank == 0) {
    MPI_Recv(in.data(), 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &status);
    tell("its message", status);
  }
}

/// Rank 0 alone; nobody answers.
void tell_of_wrong_calls() {
  int value = 0;
  std::array<int, 16> values{};
  MPI_Status status{};
  MPI_Message message = MPI_MESSAGE_NULL;
  const MPI_Comm world = MPI_COMM_WORLD;
  tell("Bcast of -1", MPI_Bcast(&value, -1, MPI_INT, 1, world));
  tell("Bcast of no type", MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 1, world));
  tell("Bcast by nobody", MPI_Bcast(&value, 1, MPI_INT, ranks, world));
  tell("Reduce to nobody", MPI_Reduce(&value, values.data(), 1, MPI_INT, MPI_SUM, -5, world));
  tell("Reduce by nothing", MPI_Reduce(&value, values.data(), 1, MPI_INT, MPI_OP_NULL, 0, world));
  tell("Allgather of -1", MPI_Allgather(&value, 1, MPI_INT, values.data(), -1, MPI_INT, world));
  tell("Gather of -1", MPI_Gather(&value, -1, MPI_INT, values.data(), 1, MPI_INT, 0, world));
  tell("Scatter by nobody",
       MPI_Scatter(values.data(), 1, MPI_INT, &value, 1, MPI_INT, ranks, world));
  tell("Recv from nobody", MPI_Recv(&value, 1, MPI_INT, ranks, 0, world, &status));
  tell("Recv of -1", MPI_Recv(&value, -1, MPI_INT, 1, 0, world, &status));
  tell("Recv of tag -7", MPI_Recv(&value, 1, MPI_INT, 1, -7, world, &status));
  tell("Probe of nobody", MPI_Probe(ranks, 0, world, &status));
  tell("Mprobe of tag -7", MPI_Mprobe(1, -7, world, &message, &status));
  tell("Send to nobody", MPI_Send(&value, 1, MPI_INT, ranks, 0, world));
  tell("Send of -1", MPI_Send(&value, -1, MPI_INT, 1, 0, world));
  tell("Ssend of tag -7", MPI_Ssend(&value, 1, MPI_INT, 1, -7, world));
  tell("Sendrecv with nobody",
       MPI_Sendrecv(&value, 1, MPI_INT, 1, 0, values.data(), 1, MPI_INT, ranks, 0, world, &status));
  tell("Barrier of nothing", MPI_Barrier(MPI_COMM_NULL));
  tell("Bcast in nothing", MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_NULL));
  tell("Recv in nothing", MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &status));
}

void tell_of_empty_waits() {
  std::array<MPI_Request, 3> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::array<MPI_Status, 3> statuses{};
  std::array<int, 3> indices{7, 7, 7};
  int index = 7;
  int value = 0;
  MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[1]); // not active
  tell("Wait", MPI_Wait(&requests[1], statuses.data()));
  tell("empty", statuses[0]);
  tell("Wait of null", MPI_Wait(requests.data(), MPI_STATUS_IGNORE));
  tell("Waitall", MPI_Waitall(3, requests.data(), statuses.data()));
  tell("empty", statuses[1]);
  tell("Waitall of 0", MPI_Waitall(0, nullptr, MPI_STATUSES_IGNORE));
  tell("Waitany", MPI_Waitany(3, requests.data(), &index, statuses.data()));
  say("%d undefined %d\n", rank, index == MPI_UNDEFINED ? 1 : 0);
  tell("Waitsome", MPI_Waitsome(3, requests.data(), &index, indices.data(), statuses.data()));
  say("%d undefined %d\n", rank, index == MPI_UNDEFINED ? 1 : 0);
  MPI_Start(&requests[1]);
  const int out = 10 + rank;
  MPI_Send(&out, 1, MPI_INT, (rank + 1) % ranks, 3, MPI_COMM_WORLD);
  tell("Waitany of one", MPI_Waitany(3, requests.data(), &index, statuses.data()));
  tell("of it", statuses[0]);
  say("%d index %d, value %d, kept %d\n", rank, index, value,
      requests[1] != MPI_REQUEST_NULL ? 1 : 0);
  MPI_Request_free(&requests[1]);
}

/// With numbers whose sum depends on the order, which is the library's.
void tell_of_collectives(MPI_Comm comm, const char* name) {
  int own = 0;
  int size = 0;
  MPI_Comm_rank(comm, &own);
  MPI_Comm_size(comm, &size);
  const auto count = static_cast<std::size_t>(size);
  const double number = 0.1 * (own + 1) + 1e16 * (own % 2 == 0 ? 1 : -1);
  std::vector<double> numbers(count, number);
  std::vector<double> all(count);
  std::vector<int> ones(count, 1);
  std::vector<int> places(count);
  for (int i = 0; i < size; ++i)
    places[static_cast<std::size_t>(i)] = i;
  const auto print = [&](const char* what) {
    say("%d %s %s:", rank, name, what);
    for (const double value : all)
      say(" %a", value);
    say("\n");
  };
  const int root = size - 1;
  MPI_Reduce(numbers.data(), all.data(), size, MPI_DOUBLE, MPI_SUM, root, comm);
  print("Reduce");
  MPI_Allreduce(numbers.data(), all.data(), size, MPI_DOUBLE, MPI_SUM, comm);
  print("Allreduce");
  MPI_Reduce_scatter_block(numbers.data(), all.data(), 1, MPI_DOUBLE, MPI_SUM, comm);
  MPI_Reduce_scatter(numbers.data(), &all[count - 1], ones.data(), MPI_DOUBLE, MPI_SUM, comm);
  print("Reduce_scatter");
  MPI_Gather(&number, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, root, comm);
  print("Gather");
  MPI_Scatter(all.data(), 1, MPI_DOUBLE, numbers.data(), 1, MPI_DOUBLE, root, comm);
  MPI_Allgather(numbers.data(), 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, comm);
  print("Allgather");
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), 1, MPI_DOUBLE, comm);
  print("Allgather in place");
  MPI_Allgatherv(numbers.data(), 1, MPI_DOUBLE, all.data(), ones.data(), places.data(), MPI_DOUBLE,
                 comm);
  print("Allgatherv");
  MPI_Alltoall(numbers.data(), 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, comm);
  print("Alltoall");
  MPI_Alltoallv(numbers.data(), ones.data(), places.data(), MPI_DOUBLE, all.data(), ones.data(),
                places.data(), MPI_DOUBLE, comm);
  print("Alltoallv");
  MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, all.data(), ones.data(),
                places.data(), MPI_DOUBLE, comm);
  print("Alltoallv in place");
  MPI_Gatherv(&number, 1, MPI_DOUBLE, all.data(), ones.data(), places.data(), MPI_DOUBLE, root,
              comm);
  MPI_Scatterv(all.data(), ones.data(), places.data(), MPI_DOUBLE, numbers.data(), 1, MPI_DOUBLE,
               root, comm);
  MPI_Bcast(all.data(), size, MPI_DOUBLE, root, comm);
  print("Bcast");
  MPI_Barrier(comm);
}

void tell_of_communicators() {
  tell_of_collectives(MPI_COMM_WORLD, "world");
  tell_of_collectives(MPI_COMM_SELF, "self");
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm inter = MPI_COMM_NULL;
  MPI_Comm merged = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  tell_of_collectives(half, "half");
  // Rank 0 of the half is the last of its ranks; the other half's is the last of the others.
  const int last = ranks - 1;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, last % 2 == rank % 2 ? last - 1 : last, 5, &inter);
  int value = rank;
  int own = 0;
  MPI_Comm_rank(half, &own);
  const int sender = own == 0 ? MPI_ROOT : MPI_PROC_NULL; // of the even ranks
  MPI_Bcast(&value, 1, MPI_INT, rank % 2 == 0 ? sender : 0, inter);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter);
  MPI_Barrier(inter);
  say("%d inter: %d, %d\n", rank, value, sum);
  MPI_Intercomm_merge(inter, rank % 2, &merged);
  tell_of_collectives(merged, "merged");
  MPI_Comm_free(&merged);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

void tell_of_messages() {
  MPI_Status status{};
  MPI_Message message = MPI_MESSAGE_NULL;
  std::vector<int> out(100'000, rank);
  std::vector<int> in(100'000, -1);
  const int next = (rank + 1) % ranks;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Sendrecv(out.data(), 100'000, MPI_INT, rank, 1, in.data(), 100'000, MPI_INT, MPI_ANY_SOURCE,
               1, MPI_COMM_WORLD, &status);
  tell("Sendrecv with itself", status);
  MPI_Issend(out.data(), 7, MPI_INT, next, 2, MPI_COMM_WORLD, &request);
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
  tell("Mprobe", status);
  MPI_Mrecv(in.data(), 7, MPI_INT, &message, &status);
  tell("Mrecv", status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Recv(in.data(), 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &status);
  tell("Recv from nobody", status);
  MPI_Probe(MPI_PROC_NULL, 4, MPI_COMM_WORLD, &status);
  tell("Probe of nobody", status);
  MPI_Irecv(in.data(), 1, MPI_INT, next, 99, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  int cancelled = 0;
  MPI_Test_cancelled(&status, &cancelled);
  say("%d cancelled %d\n", rank, cancelled);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
  if (rank == 0)
    tell_of_wrong_calls();
  MPI_Barrier(MPI_COMM_WORLD);
  tell_of_truncation();
  tell_of_empty_waits();
  tell_of_messages();
  tell_of_communicators();
  print_all();
  return program::finish(true);
}
