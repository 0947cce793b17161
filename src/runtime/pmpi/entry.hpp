#pragma once

#include "runtime/pmpi/world.hpp"

#include <exception>

#define HYPERMILE_EXPORT __attribute__((visibility("default")))

namespace hypermile::runtime::pmpi {

/// One call of the program into MPI, from entry to return.
class Entry {
public:
  Entry(Function function, const void* site, std::uint64_t detail = 0)
      : session_(current_session(function)), caller_{function, site, detail} {
    if (session_ != nullptr)
      session_->enter(caller_);
  }
  ~Entry() {
    if (session_ != nullptr && has_returned())
      session_->leave(caller_);
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  [[nodiscard]] Session* session() const { return session_; }

private:
#ifdef HYPERMILE_REAL_MPI
  // An error handler of the program may leave the call by an exception.
  [[nodiscard]] bool has_returned() const { return true; }
#else
  /// A rank that is torn down inside a call (a deadlock in SMPI) has not returned from it.
  [[nodiscard]] bool has_returned() const { return std::uncaught_exceptions() == exceptions_; }
  int exceptions_ = std::uncaught_exceptions();
#endif
  Session* session_;
  Session::Caller caller_;
};

/// A C function of MPI, as far as it is to be told to the observer.
class Observation {
public:
  Observation(Session* session, Function function)
      : observer_(session == nullptr ? nullptr : session->observer()) {
    if (observer_ != nullptr && !observer_->open(function))
      observer_ = nullptr;
  }
  ~Observation() {
    if (observer_ != nullptr)
      observer_->close();
  }
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;

  /// False: nobody wants to know.
  explicit operator bool() const { return observer_ != nullptr; }
  Observer& operator*() const { return *observer_; }

private:
  Observer* observer_;
};

} // namespace hypermile::runtime::pmpi
