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
  static int call(Observer& observer, auto* pmpi, const void* buffer, int count, MPI_Datatype type,
                  int to, int tag, MPI_Comm comm) {
    const int error = pmpi(buffer, count, type, to, tag, comm);
    if (error == MPI_SUCCESS)
      observer.complete(observer.sent({count, type, to, tag, comm}));
    return error;
  }
};
template <> struct Observed<Function::Send> : ObservedSend {};
template <> struct Observed<Function::Ssend> : ObservedSend {};
template <> struct Observed<Function::Rsend> : ObservedSend {};

/// Returns when the message is in the buffer, whatever the receiver does.
template <> struct Observed<Function::Bsend> {
  static int call(Observer& observer, auto* pmpi, const void* buffer, int count, MPI_Datatype type,
                  int to, int tag, MPI_Comm comm) {
    const int error = pmpi(buffer, count, type, to, tag, comm);
    if (error == MPI_SUCCESS)
      observer.sent({count, type, to, tag, comm});
    return error;
  }
};

template <> struct Observed<Function::Recv> {
  static int call(Observer& observer, auto* pmpi, void* buffer, int count, MPI_Datatype type,
                  int from, int tag, MPI_Comm comm, MPI_Status* wanted) {
    const OneStatus status(wanted);
    const int error = pmpi(buffer, count, type, from, tag, comm, status.get());
    if (has_come(error))
      observer.complete(observer.received({count, type, from, tag, comm}, *status));
    return error;
  }
};

template <> struct Observed<Function::Sendrecv> {
  static int call(Observer& observer, auto* pmpi, const void* out, int out_count,
                  MPI_Datatype out_type, int to, int out_tag, void* in, int in_count,
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

template <> struct Observed<Function::Sendrecv_replace> {
  static int call(Observer& observer, auto* pmpi, void* buffer, int count, MPI_Datatype type,
                  int to, int out_tag, int from, int in_tag, MPI_Comm comm, MPI_Status* wanted) {
    const OneStatus status(wanted);
    const int error = pmpi(buffer, count, type, to, out_tag, from, in_tag, comm, status.get());
    if (has_come(error))
      Observed<Function::Sendrecv>::exchanged(observer, {count, type, to, out_tag, comm},
                                              {count, type, from, in_tag, comm}, *status);
    return error;
  }
};

template <Observer::Buffered buffered> struct ObservedIsend {
  static int call(Observer& observer, auto* pmpi, const void* buffer, int count, MPI_Datatype type,
                  int to, int tag, MPI_Comm comm, MPI_Request* request) {
    const int error = pmpi(buffer, count, type, to, tag, comm, request);
    if (error == MPI_SUCCESS)
      observer.begin_send(*request, {count, type, to, tag, comm}, buffered);
    return error;
  }
};
template <> struct Observed<Function::Isend> : ObservedIsend<Observer::Buffered::no> {};
template <> struct Observed<Function::Issend> : ObservedIsend<Observer::Buffered::no> {};
template <> struct Observed<Function::Irsend> : ObservedIsend<Observer::Buffered::no> {};
template <> struct Observed<Function::Ibsend> : ObservedIsend<Observer::Buffered::yes> {};

template <> struct Observed<Function::Irecv> {
  static int call(Observer& observer, auto* pmpi, void* buffer, int count, MPI_Datatype type,
                  int from, int tag, MPI_Comm comm, MPI_Request* request) {
    const int error = pmpi(buffer, count, type, from, tag, comm, request);
    if (error == MPI_SUCCESS)
      observer.begin_receive(*request, {count, type, from, tag, comm});
    return error;
  }
};

template <Observer::Buffered buffered> struct ObservedSendInit {
  static int call(Observer& observer, auto* pmpi, const void* buffer, int count, MPI_Datatype type,
                  int to, int tag, MPI_Comm comm, MPI_Request* request) {
    const int error = pmpi(buffer, count, type, to, tag, comm, request);
    if (error == MPI_SUCCESS)
      observer.prepare_send(*request, {count, type, to, tag, comm}, buffered);
    return error;
  }
};
template <> struct Observed<Function::Send_init> : ObservedSendInit<Observer::Buffered::no> {};
template <> struct Observed<Function::Ssend_init> : ObservedSendInit<Observer::Buffered::no> {};
template <> struct Observed<Function::Rsend_init> : ObservedSendInit<Observer::Buffered::no> {};
template <> struct Observed<Function::Bsend_init> : ObservedSendInit<Observer::Buffered::yes> {};

template <> struct Observed<Function::Recv_init> {
  static int call(Observer& observer, auto* pmpi, void* buffer, int count, MPI_Datatype type,
                  int from, int tag, MPI_Comm comm, MPI_Request* request) {
    const int error = pmpi(buffer, count, type, from, tag, comm, request);
    if (error == MPI_SUCCESS)
      observer.prepare_receive(*request, {count, type, from, tag, comm});
    return error;
  }
};

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
  static int call(Observer& observer, auto* pmpi, void* buffer, int count, MPI_Datatype type,
                  MPI_Message* message, MPI_Status* status) {
    const MPI_Message matched = *message;
    const int error = pmpi(buffer, count, type, message, status);
    if (has_come(error))
      observer.complete(observer.take_match(matched));
    return error;
  }
};

template <> struct Observed<Function::Imrecv> {
  static int call(Observer& observer, auto* pmpi, void* buffer, int count, MPI_Datatype type,
                  MPI_Message* message, MPI_Request* request) {
    const MPI_Message matched = *message;
    const int error = pmpi(buffer, count, type, message, request);
    if (error == MPI_SUCCESS)
      observer.begin_match(*request, observer.take_match(matched));
    return error;
  }
};

} // namespace hypermile::runtime::pmpi
