#pragma once

#include "runtime/pmpi/observe/observed_messages.hpp"

#include <algorithm>
#include <vector>

namespace hypermile::runtime::pmpi {

/// The requests of a call that completes some of them, as they are before the call; with statuses
/// of our own where the program wants none but the observer does.
class Completions {
public:
  Completions(Observer& observer, int count, MPI_Request* requests, MPI_Status* statuses)
      : observer_(observer), requests_(requests), statuses_(statuses) {
    observer_.attempt([&] {
      before_.assign(requests, requests + std::max(count, 0));
      const bool asked = std::ranges::any_of(
          before_, [&](MPI_Request request) { return observer_.needs_status(request); });
      if (asked && statuses == MPI_STATUSES_IGNORE) {
        own_.resize(before_.size());
        statuses_ = own_.data();
      }
    });
  }

  [[nodiscard]] MPI_Status* statuses() { return statuses_; }

  /// Request `index` is over, as status number `place` of the call tells, which returned `error`.
  void finish(int index, int place, int error) {
    if (static_cast<std::size_t>(index) >= before_.size())
      return; // there was no memory for them
    const MPI_Request request = before_[static_cast<std::size_t>(index)];
    const MPI_Status none{};
    const bool known = statuses_ != MPI_STATUSES_IGNORE;
    const MPI_Status& status = known ? statuses_[place] : none;
    if (has_class(error, MPI_ERR_IN_STATUS) && known)
      error = status.MPI_ERROR;
    const bool goes_on = error != MPI_SUCCESS && requests_[index] == request;
    if (!goes_on || has_come(error))
      observer_.finish(request, status, error);
  }
  /// The call says that all are over (`flag`), or not all; some may be even then.
  void finish_all(bool flag, int error) {
    for (std::size_t i = 0; i < before_.size(); ++i)
      if (flag || requests_[i] != before_[i])
        finish(static_cast<int>(i), static_cast<int>(i), error);
  }

private:
  Observer& observer_;
  const MPI_Request* requests_;
  std::vector<MPI_Request> before_;
  std::vector<MPI_Status> own_;
  MPI_Status* statuses_;
};

template <> struct Observed<Function::Wait> {
  static int call(Observer& observer, auto* pmpi, MPI_Request* request, MPI_Status* wanted) {
    const OneStatus status(wanted);
    const MPI_Request before = *request;
    const int error = pmpi(request, status.get());
    if (has_come(error) || *request != before)
      observer.finish(before, *status, error);
    return error;
  }
};

template <> struct Observed<Function::Test> {
  static int call(Observer& observer, auto* pmpi, MPI_Request* request, int* flag,
                  MPI_Status* wanted) {
    const OneStatus status(wanted);
    const MPI_Request before = *request;
    const int error = pmpi(request, flag, status.get());
    if ((error == MPI_SUCCESS && *flag != 0) || *request != before)
      observer.finish(before, *status, error);
    return error;
  }
};

template <> struct Observed<Function::Waitall> {
  static int call(Observer& observer, auto* pmpi, int count, MPI_Request* requests,
                  MPI_Status* statuses) {
    Completions completions(observer, count, requests, statuses);
    const int error = pmpi(count, requests, completions.statuses());
    completions.finish_all(true, error);
    return error;
  }
};

template <> struct Observed<Function::Testall> {
  static int call(Observer& observer, auto* pmpi, int count, MPI_Request* requests, int* flag,
                  MPI_Status* statuses) {
    Completions completions(observer, count, requests, statuses);
    const int error = pmpi(count, requests, flag, completions.statuses());
    completions.finish_all(error == MPI_SUCCESS && *flag != 0, error);
    return error;
  }
};

template <> struct Observed<Function::Waitany> {
  static int call(Observer& observer, auto* pmpi, int count, MPI_Request* requests, int* index,
                  MPI_Status* wanted) {
    const OneStatus status(wanted);
    Completions completions(observer, count, requests, status.get());
    const int error = pmpi(count, requests, index, status.get());
    if (has_come(error) && *index >= 0 && *index < count)
      completions.finish(*index, 0, error);
    return error;
  }
};

template <> struct Observed<Function::Testany> {
  static int call(Observer& observer, auto* pmpi, int count, MPI_Request* requests, int* index,
                  int* flag, MPI_Status* wanted) {
    const OneStatus status(wanted);
    Completions completions(observer, count, requests, status.get());
    const int error = pmpi(count, requests, index, flag, status.get());
    if (has_come(error) && *flag != 0 && *index >= 0 && *index < count)
      completions.finish(*index, 0, error);
    return error;
  }
};

struct ObservedSome {
  static int call(Observer& observer, auto* pmpi, int count, MPI_Request* requests, int* done,
                  int* indices, MPI_Status* statuses) {
    Completions completions(observer, count, requests, statuses);
    const int error = pmpi(count, requests, done, indices, completions.statuses());
    if (error == MPI_SUCCESS || has_class(error, MPI_ERR_IN_STATUS))
      for (int i = 0; i < std::min(*done, count); ++i)
        completions.finish(indices[i], i, error);
    return error;
  }
};
template <> struct Observed<Function::Waitsome> : ObservedSome {};
template <> struct Observed<Function::Testsome> : ObservedSome {};

} // namespace hypermile::runtime::pmpi
