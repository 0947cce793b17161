#pragma once

#include <utility>

#include <unistd.h>

namespace hypermile::control {

/// A file descriptor that is closed with this object; -1: none.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0)
      ::close(number_);
  }

  [[nodiscard]] int number() const { return number_; }

private:
  int number_ = -1;
};

} // namespace hypermile::control
