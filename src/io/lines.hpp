#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hypermile::io {

/// The lines of a file that hypermile wrote itself; knows which one is being read.
class Lines {
public:
  /// `file` is used in messages only. Both must outlive this.
  Lines(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  /// The next line, without its end. Fails where there is none, or no end.
  std::string_view next();
  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] std::size_t characters_left() const { return rest_.size(); }

  /// Throws Error{config} with file and line.
  [[noreturn]] void fail(std::string_view what) const;

private:
  std::string_view rest_;
  const std::string& file_;
  std::size_t number_ = 0;
};

/// The whole number after `prefix`, where the line is nothing else.
std::optional<std::uint64_t> number_after(std::string_view line, std::string_view prefix);

} // namespace hypermile::io
