#include "backend/process/words.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace hypermile::backend::process::words {

std::string pack(const control::CpuSet& cpus) {
  std::string bits(cpus.empty() ? 0 : cpus.back() / 8 + 1, '\0');
  for (const std::size_t cpu : cpus)
    bits[cpu / 8] = static_cast<char>(bits[cpu / 8] | (1 << (cpu % 8)));
  return bits;
}

control::CpuSet unpack(const std::string& bits) {
  control::CpuSet cpus;
  for (std::size_t cpu = 0; cpu < bits.size() * 8; ++cpu)
    if ((static_cast<unsigned char>(bits[cpu / 8]) >> (cpu % 8) & 1) != 0)
      cpus.push_back(cpu);
  return cpus;
}

std::string pack_use(const CpuUse& use) {
  return fmt::format("{} {}", use.computed.value(), use.contended.value());
}

CpuUse unpack_use(const std::string& text) {
  char* end = nullptr;
  const double computed = std::strtod(text.c_str(), &end);
  return {Seconds{computed}, Seconds{std::strtod(end, nullptr)}};
}

} // namespace hypermile::backend::process::words
