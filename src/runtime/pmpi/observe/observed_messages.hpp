#pragma once

#include "runtime/pmpi/observe/observed.hpp"

namespace hypermile::runtime::pmpi {

/// A status to ask, where the program may not want one.
class OneStatus {
public:
  explicit OneStatus(MPI_Status* status) : asked_(status == MPI_STATUS_IGNORE ? &own_ : status) {}
  [[nodiscard]] MPI_Status* get() const { return asked_; }
  const MPI_Status& operator*() const { return *asked_; }

private:
  MPI_Status own_{};
  MPI_Status* asked_;
};

struct ObservedSend {
  static int call(Observer& observer, auto* pmpi, const void* buffer, auto count, MPI_Datatype type,
                  int to, int tag, MPI_Comm comm) {
    const int error = pmpi(buffer, count, type, to, tag, comm);
    if (error == MPI_SUCCESS)
      observer.complete(observer.sent({count, type, to, tag, comm}));
    return error;
  }
};
template <> struct Observed<Function::Send> : ObservedSend {};
template <> struct Observed<Function::Send_c> : ObservedSend {};
template <> struct Observed<Function::Ssend> : ObservedSend {};
template <> struct Observed<Function::Ssend_c> : ObservedSend {};
template <> struct Observed<Function::Rsend> : ObservedSend {};
template <> struct Observed<Function::Rsend_c> : ObservedSend {};

/// Returns when the message is in the buffer, whatever the receiver does.
template <> struct Observed<Function::Bsend> {
  static int call(Observer& observer, auto* pmpi, const void* buffer, auto count, MPI_Datatype type,
                  int to, int tag, MPI_Comm comm) {
    const int error = pmpi(buffer, count, type, to, tag, comm);
    if (error == MPI_SUCCESS)
      observer.sent({count, type, to, tag, comm});
    return error;
  }
};
template <> struct Observed<Function::Bsend_c> : Observed<Function::Bsend> {};

template <> struct Observed<Function::Recv> {
  static int call(Observer& observer, auto* pmpi, void* buffer, auto count, MPI_Datatype type,
                  int from, int tag, MPI_Comm comm, MPI_Status* wanted) {
    const OneStatus status(wanted);
    const int error = pmpi(buffer, count, type, from, tag, comm, status.get());
    if (has_come(error))
      observer.complete(observer.received({count, type, from, tag, comm}, *status));
    return error;
  }
};
template <> struct Observed<Function::Recv_c> : Observed<Function::Recv> {};

template <> struct Observed<Function::Sendrecv> {
  static int call(Observer& observer, auto* pmpi, const void* out, auto out_count,
                  MPI_Datatype out_type, int to, int out_tag, void* in, auto in_count,
                  MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* wanted) {
    const OneStatus status(wanted);
    const int error = pmpi(out, out_count, out_type, to, out_tag, in, in_count, in_type, from,
                           in_tag, comm, status.get());
    if (has_come(error))
      exchanged(observer, {out_count, out_type, to, out_tag, comm},
                {in_count, in_type, from, in_tag, comm}, *status);
    return error;
  }

  static void exchanged(Observer& observer, const Observer::Send& send,
                        const Observer::Receive& receive, const MPI_Status& status) {
    const auto received = observer.received(receive, status);
    const auto sent = observer.sent(send);
    observer.complete(received);
    observer.complete(sent);
  }
};
template <> struct Observed<Function::Sendrecv_c> : Observed<Function::Sendrecv> {};

template <> struct Observed<Function::Sendrecv_replace> {
  static int call(Observer& observer, auto* pmpi, void* buffer, auto count, MPI_Datatype type,
                  int to, int out_tag, int from, int in_tag, MPI_Comm comm, MPI_Status* wanted) {
    const OneStatus status(wanted);
    const int error = pmpi(buffer, count, type, to, out_tag, from, in_tag, comm, status.get());
    if (has_come(error))
      Observed<Function::Sendrecv>::exchanged(observer, {count, type, to, out_tag, comm},
                                              {count, type, from, in_tag, comm}, *status);
    return error;
  }
};
template <> struct Observed<Function::Sendrecv_replace_c> : Observed<Function::Sendrecv_replace> {};

template <Observer::Buffered buffered> struct ObservedIsend {
  static int call(Observer& observer, auto* pmpi, const void* buffer, auto count, MPI_Datatype type,
                  int to, int tag, MPI_Comm comm, MPI_Request* request) {
    const int error = pmpi(buffer, count, type, to, tag, comm, request);
    if (error == MPI_SUCCESS)
      observer.begin_send(*request, {count, type, to, tag, comm}, buffered);
    return error;
  }
};
template <> struct Observed<Function::Isend> : ObservedIsend<Observer::Buffered::no> {};
template <> struct Observed<Function::Isend_c> : ObservedIsend<Observer::Buffered::no> {};
template <> struct Observed<Function::Issend> : ObservedIsend<Observer::Buffered::no> {};
template <> struct Observed<Function::Issend_c> : ObservedIsend<Observer::Buffered::no> {};
template <> struct Observed<Function::Irsend> : ObservedIsend<Observer::Buffered::no> {};
template <> struct Observed<Function::Irsend_c> : ObservedIsend<Observer::Buffered::no> {};
template <> struct Observed<Function::Ibsend> : ObservedIsend<Observer::Buffered::yes> {};
template <> struct Observed<Function::Ibsend_c> : ObservedIsend<Observer::Buffered::yes> {};

template <> struct Observed<Function::Irecv> {
  static int call(Observer& observer, auto* pmpi, void* buffer, auto count, MPI_Datatype type,
                  int from, int tag, MPI_Comm comm, MPI_Request* request) {
    const int error = pmpi(buffer, count, type, from, tag, comm, request);
    if (error == MPI_SUCCESS)
      observer.begin_receive(*request, {count, type, from, tag, comm});
    return error;
  }
};
template <> struct Observed<Function::Irecv_c> : Observed<Function::Irecv> {};

template <> struct Observed<Function::Isendrecv> {
  static int call(Observer& observer, auto* pmpi, const void* out, auto out_count,
                  MPI_Datatype out_type, int to, int out_tag, void* in, auto in_count,
                  MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Request* request) {
    const int error = pmpi(out, out_count, out_type, to, out_tag, in, in_count, in_type, from,
                           in_tag, comm, request);
    if (error == MPI_SUCCESS)
      observer.begin_exchange(*request, {out_count, out_type, to, out_tag, comm},
                              {in_count, in_type, from, in_tag, comm});
    return error;
  }
};
template <> struct Observed<Function::Isendrecv_c> : Observed<Function::Isendrecv> {};

template <> struct Observed<Function::Isendrecv_replace> {
  static int call(Observer& observer, auto* pmpi, void* buffer, auto count, MPI_Datatype type,
                  int to, int out_tag, int from, int in_tag, MPI_Comm comm, MPI_Request* request) {
    const int error = pmpi(buffer, count, type, to, out_tag, from, in_tag, comm, request);
    if (error == MPI_SUCCESS)
      observer.begin_exchange(*request, {count, type, to, out_tag, comm},
                              {count, type, from, in_tag, comm});
    return error;
  }
};
template <>
struct Observed<Function::Isendrecv_replace_c> : Observed<Function::Isendrecv_replace> {};

struct ObservedPartitioned {
  static int call(Observer& observer, auto* pmpi, auto... arguments) {
    const int error = pmpi(arguments...);
    observer.cannot_follow("it is partitioned communication");
    return error;
  }
};
template <> struct Observed<Function::Psend_init> : ObservedPartitioned {};
template <> struct Observed<Function::Precv_init> : ObservedPartitioned {};

template <Observer::Buffered buffered> struct ObservedSendInit {
  static int call(Observer& observer, auto* pmpi, const void* buffer, auto count, MPI_Datatype type,
                  int to, int tag, MPI_Comm comm, MPI_Request* request) {
    const int error = pmpi(buffer, count, type, to, tag, comm, request);
    if (error == MPI_SUCCESS)
      observer.prepare_send(*request, {count, type, to, tag, comm}, buffered);
    return error;
  }
};
template <> struct Observed<Function::Send_init> : ObservedSendInit<Observer::Buffered::no> {};
template <> struct Observed<Function::Send_init_c> : ObservedSendInit<Observer::Buffered::no> {};
template <> struct Observed<Function::Ssend_init> : ObservedSendInit<Observer::Buffered::no> {};
template <> struct Observed<Function::Ssend_init_c> : ObservedSendInit<Observer::Buffered::no> {};
template <> struct Observed<Function::Rsend_init> : ObservedSendInit<Observer::Buffered::no> {};
template <> struct Observed<Function::Rsend_init_c> : ObservedSendInit<Observer::Buffered::no> {};
template <> struct Observed<Function::Bsend_init> : ObservedSendInit<Observer::Buffered::yes> {};
template <> struct Observed<Function::Bsend_init_c> : ObservedSendInit<Observer::Buffered::yes> {};

template <> struct Observed<Function::Recv_init> {
  static int call(Observer& observer, auto* pmpi, void* buffer, auto count, MPI_Datatype type,
                  int from, int tag, MPI_Comm comm, MPI_Request* request) {
    const int error = pmpi(buffer, count, type, from, tag, comm, request);
    if (error == MPI_SUCCESS)
      observer.prepare_receive(*request, {count, type, from, tag, comm});
    return error;
  }
};
template <> struct Observed<Function::Recv_init_c> : Observed<Function::Recv_init> {};

template <> struct Observed<Function::Start> {
  static int call(Observer& observer, auto* pmpi, MPI_Request* request) {
    const int error = pmpi(request);
    if (error == MPI_SUCCESS)
      observer.start(*request);
    return error;
  }
};

template <> struct Observed<Function::Startall> {
  static int call(Observer& observer, auto* pmpi, int count, MPI_Request* requests) {
    const int error = pmpi(count, requests);
    for (int i = 0; error == MPI_SUCCESS && i < count; ++i)
      observer.start(requests[i]);
    return error;
  }
};

template <> struct Observed<Function::Cancel> {
  static int call(Observer& observer, auto* pmpi, MPI_Request* request) {
    const int error = pmpi(request);
    if (error == MPI_SUCCESS)
      observer.cancel(*request);
    return error;
  }
};

template <> struct Observed<Function::Request_free> {
  static int call(Observer& observer, auto* pmpi, MPI_Request* request) {
    const MPI_Request freed = *request;
    const int error = pmpi(request);
    if (error == MPI_SUCCESS)
      observer.free(freed);
    return error;
  }
};

template <> struct Observed<Function::Probe> {
  static int call(Observer& observer, auto* pmpi, int from, int tag, MPI_Comm comm,
                  MPI_Status* wanted) {
    const OneStatus status(wanted);
    const int error = pmpi(from, tag, comm, status.get());
    if (error == MPI_SUCCESS)
      observer.probed(from, comm, *status);
    return error;
  }
};

template <> struct Observed<Function::Iprobe> {
  static int call(Observer& observer, auto* pmpi, int from, int tag, MPI_Comm comm, int* flag,
                  MPI_Status* wanted) {
    const OneStatus status(wanted);
    const int error = pmpi(from, tag, comm, flag, status.get());
    if (error == MPI_SUCCESS && *flag != 0)
      observer.probed(from, comm, *status);
    return error;
  }
};

template <> struct Observed<Function::Mprobe> {
  static int call(Observer& observer, auto* pmpi, int from, int tag, MPI_Comm comm,
                  MPI_Message* message, MPI_Status* wanted) {
    const OneStatus status(wanted);
    const int error = pmpi(from, tag, comm, message, status.get());
    if (error == MPI_SUCCESS)
      observer.matched(from, comm, *status, *message);
    return error;
  }
};

template <> struct Observed<Function::Improbe> {
  static int call(Observer& observer, auto* pmpi, int from, int tag, MPI_Comm comm, int* flag,
                  MPI_Message* message, MPI_Status* wanted) {
    const OneStatus status(wanted);
    const int error = pmpi(from, tag, comm, flag, message, status.get());
    if (error == MPI_SUCCESS && *flag != 0)
      observer.matched(from, comm, *status, *message);
    return error;
  }
};

template <> struct Observed<Function::Mrecv> {
  static int call(Observer& observer, auto* pmpi, void* buffer, auto count, MPI_Datatype type,
                  MPI_Message* message, MPI_Status* status) {
    const MPI_Message matched = *message;
    const int error = pmpi(buffer, count, type, message, status);
    if (has_come(error))
      observer.complete(observer.take_match(matched));
    return error;
  }
};
template <> struct Observed<Function::Mrecv_c> : Observed<Function::Mrecv> {};

template <> struct Observed<Function::Imrecv> {
  static int call(Observer& observer, auto* pmpi, void* buffer, auto count, MPI_Datatype type,
                  MPI_Message* message, MPI_Request* request) {
    const MPI_Message matched = *message;
    const int error = pmpi(buffer, count, type, message, request);
    if (error == MPI_SUCCESS)
      observer.begin_match(*request, observer.take_match(matched));
    return error;
  }
};
template <> struct Observed<Function::Imrecv_c> : Observed<Function::Imrecv> {};

} // namespace hypermile::runtime::pmpi
