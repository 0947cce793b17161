#pragma once

#include "runtime/pmpi/world.hpp"

#include <exception>

#define HYPERMILE_EXPORT __attribute__((visibility("default")))

namespace hypermile::runtime::pmpi {

/// One call of the program into MPI, from entry to return.
class Entry {
public:
  Entry(Function function, const void* site, std::uint64_t detail = 0)
      : session_(current_session()), function_(function), site_(site), detail_(detail) {
    if (session_ != nullptr)
      session_->enter(function);
  }
  ~Entry() {
    // A rank that is torn down inside a call (a deadlock in SMPI) has not returned from it.
    if (session_ != nullptr && std::uncaught_exceptions() == 0)
      session_->leave(function_, site_, detail_);
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

private:
  Session* session_;
  Function function_;
  const void* site_;
  std::uint64_t detail_;
};

} // namespace hypermile::runtime::pmpi
