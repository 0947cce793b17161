#include "backend/powercap/counter.hpp"

#include "backend/powercap/zones.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace hypermile::backend::powercap {

Counter::Counter(std::string folder) : folder_(std::move(folder)), last_(read("energy_uj")) {}

std::uint64_t Counter::read(const char* file) const {
  const std::string path = folder_ + "/" + file;
  std::string text;
  try {
    text = control::read_small_file(path);
  } catch (const control::FileError& error) {
    throw Error(ErrorKind::hardware,
                fmt::format("cannot read {}: {}", path, why_unreadable(error.number())));
  }
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || status != std::errc{} || end != text.data() + text.size())
    throw Error(ErrorKind::hardware,
                fmt::format("{} says '{}', which is no number", path, text.substr(0, 32)));
  return value;
}

std::uint64_t Counter::counted() {
  const std::uint64_t now = read("energy_uj");
  std::uint64_t more = now - last_;
  if (now < last_) {
    const std::uint64_t range = read("max_energy_range_uj");
    if (range < last_)
      throw Error(ErrorKind::hardware,
                  fmt::format("{}/energy_uj fell from {} to {}, though its range ends at {}",
                              folder_, last_, now, range));
    more = range - last_ + now;
  }
  last_ = now;
  return counted_ += more;
}

} // namespace hypermile::backend::powercap
