#pragma once

#include "control/descriptor.hpp"
#include "progress/memory.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <sys/types.h>

namespace hypermile::backend::progress {

/// What the slots of a memory add up to.
struct Counts {
  double items = 0;
  double arrivals = 0;
  double openmp_items = 0;

  Counts& operator+=(const Counts& other);
};

/// None of them less than before.
Counts larger(const Counts& a, const Counts& b);

/// A progress::Memory, mapped. Whoever else has it cannot take it from under us.
class SharedMemory {
public:
  using Id = std::pair<dev_t, ino_t>;

  /// A new one. Throws Error{hardware} if there is none to be had.
  static SharedMemory make();
  /// That behind a link "/proc/PID/fd/N". Throws Error{hardware} if it cannot be opened,
  /// Error{unsupported} if it is not a memory as this version makes it.
  static SharedMemory open(const std::string& link);

  [[nodiscard]] Id id() const { return id_; }
  [[nodiscard]] int descriptor() const { return descriptor_.number(); }
  [[nodiscard]] Counts counts() const;
  /// Whether the program can change its number of threads.
  [[nodiscard]] bool resizable() const;
  /// Whether an OpenMP runtime tells us what it does.
  [[nodiscard]] bool has_openmp() const;
  /// Does nothing where we may only read.
  void want_threads(std::uint32_t threads);

private:
  struct Unmap {
    void operator()(hypermile::progress::Memory* memory) const;
  };

  SharedMemory(control::Descriptor descriptor, bool writable);

  control::Descriptor descriptor_;
  std::unique_ptr<hypermile::progress::Memory, Unmap> memory_;
  Id id_;
  bool writable_;
};

} // namespace hypermile::backend::progress
