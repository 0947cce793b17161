#pragma once

#include "runtime/pmpi/observe/observed.hpp"

namespace hypermile::runtime::pmpi {

/// All members of the first argument, a communicator, make a new one: the last argument.
struct ObservedMaking {
  static int call(Observer& observer, auto* pmpi, MPI_Comm parent, auto... rest) {
    const int error = pmpi(parent, rest...);
    if (error == MPI_SUCCESS) {
      observer.make(parent, *last(rest...));
      observer.arrive(
          {model::Shape::all, parent, -1, 0, observer.number_of_making(*last(rest...))});
    }
    return error;
  }
};
template <> struct Observed<Function::Comm_dup> : ObservedMaking {};
template <> struct Observed<Function::Comm_dup_with_info> : ObservedMaking {};
template <> struct Observed<Function::Comm_split> : ObservedMaking {};
template <> struct Observed<Function::Comm_split_type> : ObservedMaking {};
template <> struct Observed<Function::Comm_create> : ObservedMaking {};
template <> struct Observed<Function::Cart_create> : ObservedMaking {};
template <> struct Observed<Function::Cart_sub> : ObservedMaking {};
template <> struct Observed<Function::Graph_create> : ObservedMaking {};
template <> struct Observed<Function::Dist_graph_create> : ObservedMaking {};
template <> struct Observed<Function::Dist_graph_create_adjacent> : ObservedMaking {};

template <> struct Observed<Function::Comm_idup> {
  static int call(Observer& observer, auto* pmpi, MPI_Comm parent, MPI_Comm* made,
                  MPI_Request* request) {
    const int error = pmpi(parent, made, request);
    if (error == MPI_SUCCESS)
      tell(observer, parent, made, *request);
    return error;
  }
  static void tell(Observer& observer, MPI_Comm parent, const MPI_Comm* made, MPI_Request request) {
    observer.arrive({model::Shape::all, parent, -1, 0}, request);
    observer.make_later(parent, made, request);
  }
};

template <> struct Observed<Function::Comm_idup_with_info> {
  static int call(Observer& observer, auto* pmpi, MPI_Comm parent, MPI_Info info, MPI_Comm* made,
                  MPI_Request* request) {
    const int error = pmpi(parent, info, made, request);
    if (error == MPI_SUCCESS)
      Observed<Function::Comm_idup>::tell(observer, parent, made, *request);
    return error;
  }
};

/// Only the members of the group call it, and wait for each other: on the new communicator.
template <> struct Observed<Function::Comm_create_group> {
  static int call(Observer& observer, auto* pmpi, MPI_Comm parent, MPI_Group group, int tag,
                  MPI_Comm* made) {
    const int error = pmpi(parent, group, tag, made);
    if (error == MPI_SUCCESS && *made != MPI_COMM_NULL) {
      observer.make_by_members(parent, tag, *made);
      observer.arrive({model::Shape::all, *made, -1, 0, observer.number_of_making(*made)});
    }
    return error;
  }
};

struct ObservedFreeing {
  static int call(Observer& observer, auto* pmpi, MPI_Comm* comm) {
    const MPI_Comm freed = *comm;
    const int error = pmpi(comm);
    if (error == MPI_SUCCESS)
      observer.forget(freed);
    return error;
  }
};
template <> struct Observed<Function::Comm_free> : ObservedFreeing {};
template <> struct Observed<Function::Comm_disconnect> : ObservedFreeing {};

struct ObservedOtherProcesses {
  static int call(Observer& observer, auto* pmpi, auto... arguments) {
    const int error = pmpi(arguments...);
    observer.cannot_follow("it makes an inter-communicator or merges one");
    return error;
  }
};
template <> struct Observed<Function::Comm_accept> : ObservedOtherProcesses {};
template <> struct Observed<Function::Comm_connect> : ObservedOtherProcesses {};
template <> struct Observed<Function::Comm_join> : ObservedOtherProcesses {};
template <> struct Observed<Function::Comm_spawn> : ObservedOtherProcesses {};
template <> struct Observed<Function::Comm_spawn_multiple> : ObservedOtherProcesses {};
template <> struct Observed<Function::Intercomm_create> : ObservedOtherProcesses {};
template <> struct Observed<Function::Intercomm_merge> : ObservedOtherProcesses {};

/// Its ranks cannot be compared with those of MPI_COMM_WORLD.
struct ObservedOfSession {
  static int call(Observer& observer, auto* pmpi, auto... arguments) {
    const int error = pmpi(arguments...);
    observer.cannot_follow("it makes a communicator of an MPI session");
    return error;
  }
};
template <> struct Observed<Function::Comm_create_from_group> : ObservedOfSession {};
template <> struct Observed<Function::Intercomm_create_from_groups> : ObservedOfSession {};

// Windows: to make them, to free them and to fence them off is collective.

template <> struct Observed<Function::Win_create> {
  static int call(Observer& observer, auto* pmpi, void* base, MPI_Aint size, auto unit,
                  MPI_Info info, MPI_Comm comm, MPI_Win* window) {
    const int error = pmpi(base, size, unit, info, comm, window);
    if (error == MPI_SUCCESS) {
      observer.arrive({model::Shape::all, comm, -1, 0});
      observer.make_window(comm, *window);
    }
    return error;
  }
};
template <> struct Observed<Function::Win_create_c> : Observed<Function::Win_create> {};

template <> struct Observed<Function::Win_create_dynamic> {
  static int call(Observer& observer, auto* pmpi, MPI_Info info, MPI_Comm comm, MPI_Win* window) {
    const int error = pmpi(info, comm, window);
    if (error == MPI_SUCCESS) {
      observer.arrive({model::Shape::all, comm, -1, 0});
      observer.make_window(comm, *window);
    }
    return error;
  }
};

struct ObservedWindowAllocation {
  static int call(Observer& observer, auto* pmpi, MPI_Aint size, auto unit, MPI_Info info,
                  MPI_Comm comm, void* base, MPI_Win* window) {
    const int error = pmpi(size, unit, info, comm, base, window);
    if (error == MPI_SUCCESS) {
      observer.arrive({model::Shape::all, comm, -1, 0});
      observer.make_window(comm, *window);
    }
    return error;
  }
};
template <> struct Observed<Function::Win_allocate> : ObservedWindowAllocation {};
template <> struct Observed<Function::Win_allocate_c> : ObservedWindowAllocation {};
template <> struct Observed<Function::Win_allocate_shared> : ObservedWindowAllocation {};
template <> struct Observed<Function::Win_allocate_shared_c> : ObservedWindowAllocation {};

template <> struct Observed<Function::Win_fence> {
  static int call(Observer& observer, auto* pmpi, int assertion, MPI_Win window) {
    const int error = pmpi(assertion, window);
    if (error == MPI_SUCCESS)
      observer.arrive(observer.of_window(window), 0);
    return error;
  }
};

template <> struct Observed<Function::Win_set_info> {
  static int call(Observer& observer, auto* pmpi, MPI_Win window, MPI_Info info) {
    const int error = pmpi(window, info);
    if (error == MPI_SUCCESS)
      observer.arrive(observer.of_window(window), 0);
    return error;
  }
};

template <> struct Observed<Function::Win_free> {
  static int call(Observer& observer, auto* pmpi, MPI_Win* window) {
    const MPI_Win freed = *window;
    const int error = pmpi(window);
    if (error == MPI_SUCCESS)
      observer.arrive(observer.of_window(freed), 0);
    return error;
  }
};

// Files: to read and write alone waits for no other rank.

template <> struct Observed<Function::File_open> {
  static int call(Observer& observer, auto* pmpi, MPI_Comm comm, const char* path, int mode,
                  MPI_Info info, MPI_File* file) {
    const int error = pmpi(comm, path, mode, info, file);
    if (error == MPI_SUCCESS) {
      observer.arrive({model::Shape::all, comm, -1, 0});
      observer.make_file(comm, *file);
    }
    return error;
  }
};

template <> struct Observed<Function::File_close> {
  static int call(Observer& observer, auto* pmpi, MPI_File* file) {
    const MPI_File closed = *file;
    const int error = pmpi(file);
    if (error == MPI_SUCCESS)
      observer.arrive(observer.of_file(closed), 0);
    return error;
  }
};

struct ObservedTogether {
  static int call(Observer& observer, auto* pmpi, MPI_File file, auto* buffer, auto count,
                  MPI_Datatype type, MPI_Status* status) {
    const int error = pmpi(file, buffer, count, type, status);
    if (error == MPI_SUCCESS)
      observer.arrive(observer.of_file(file), bytes_of(count, type));
    return error;
  }
};
template <> struct Observed<Function::File_read_all> : ObservedTogether {};
template <> struct Observed<Function::File_read_all_c> : ObservedTogether {};
template <> struct Observed<Function::File_write_all> : ObservedTogether {};
template <> struct Observed<Function::File_write_all_c> : ObservedTogether {};
template <> struct Observed<Function::File_read_ordered> : ObservedTogether {};
template <> struct Observed<Function::File_read_ordered_c> : ObservedTogether {};
template <> struct Observed<Function::File_write_ordered> : ObservedTogether {};
template <> struct Observed<Function::File_write_ordered_c> : ObservedTogether {};

struct ObservedTogetherAt {
  static int call(Observer& observer, auto* pmpi, MPI_File file, MPI_Offset offset, auto* buffer,
                  auto count, MPI_Datatype type, MPI_Status* status) {
    const int error = pmpi(file, offset, buffer, count, type, status);
    if (error == MPI_SUCCESS)
      observer.arrive(observer.of_file(file), bytes_of(count, type));
    return error;
  }
};
template <> struct Observed<Function::File_read_at_all> : ObservedTogetherAt {};
template <> struct Observed<Function::File_read_at_all_c> : ObservedTogetherAt {};
template <> struct Observed<Function::File_write_at_all> : ObservedTogetherAt {};
template <> struct Observed<Function::File_write_at_all_c> : ObservedTogetherAt {};

/// Collective, and nothing is read or written.
struct ObservedAgreement {
  static int call(Observer& observer, auto* pmpi, MPI_File file, auto... rest) {
    const int error = pmpi(file, rest...);
    if (error == MPI_SUCCESS)
      observer.arrive(observer.of_file(file), 0);
    return error;
  }
};
template <> struct Observed<Function::File_preallocate> : ObservedAgreement {};
template <> struct Observed<Function::File_seek_shared> : ObservedAgreement {};
template <> struct Observed<Function::File_set_atomicity> : ObservedAgreement {};
template <> struct Observed<Function::File_set_info> : ObservedAgreement {};
template <> struct Observed<Function::File_set_size> : ObservedAgreement {};
template <> struct Observed<Function::File_set_view> : ObservedAgreement {};
template <> struct Observed<Function::File_sync> : ObservedAgreement {};

/// Collective, and another call waits for the end.
struct ObservedTogetherLater {
  static int call(Observer& observer, auto* pmpi, auto... arguments) {
    const int error = pmpi(arguments...);
    observer.cannot_follow("it is a collective operation on a file which another call completes");
    return error;
  }
};
#define HM_LATER(name)                                                                             \
  template <> struct Observed<Function::name> : ObservedTogetherLater {};                          \
  template <> struct Observed<Function::name##_c> : ObservedTogetherLater {};
HM_LATER(File_iread_all)
HM_LATER(File_iread_at_all)
HM_LATER(File_iwrite_all)
HM_LATER(File_iwrite_at_all)
HM_LATER(File_read_all_begin)
HM_LATER(File_read_at_all_begin)
HM_LATER(File_read_ordered_begin)
HM_LATER(File_write_all_begin)
HM_LATER(File_write_at_all_begin)
HM_LATER(File_write_ordered_begin)
#undef HM_LATER

} // namespace hypermile::runtime::pmpi
