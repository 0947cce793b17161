#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>

namespace hypermile::runtime {

/// As a user reads it.
inline const char* reason_of(const std::exception& error) {
  const bool memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  return memory ? "hypermile has run out of memory" : error.what();
}

/// Why something failed. Keeps the first reason that it is told, without allocating: the reason
/// may be that there is no memory left. Long texts are cut off.
class Reason {
public:
  void set(const char* text) {
    if (empty())
      std::strncpy(text_.data(), text, text_.size() - 1);
  }
  void clear() { text_[0] = '\0'; }
  [[nodiscard]] bool empty() const { return text_[0] == '\0'; }
  [[nodiscard]] const char* text() const { return text_.data(); }

private:
  std::array<char, 512> text_{};
};

} // namespace hypermile::runtime
