#pragma once

#include "runtime/loop/symbol_table.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace hypermile::runtime {

/// What may mark an iteration of a loop: a call, or the last calls together (a V-cycle has no call
/// that occurs once in it); or the place of a call, or the last two places.
enum class Grain : std::uint8_t { place, call, pair, sixteen, place_pair };
constexpr std::size_t grains = 5;
constexpr std::array<Grain, grains> all_grains{Grain::place, Grain::call, Grain::pair,
                                               Grain::sixteen, Grain::place_pair};

constexpr bool is_of_places(Grain grain) {
  return grain == Grain::place || grain == Grain::place_pair;
}

/// Something that a stream of calls passes again and again.
struct Token {
  Grain grain{};
  std::uint64_t value = 0;
};

/// The tokens of each grain that end with the last call.
class TokenStream {
public:
  void add(Symbol call, Symbol place) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ULL;
    constexpr std::uint64_t offset = 0x632be59bd9b4e019ULL;
    const std::uint64_t hash = call * factor + offset;
    const std::uint64_t place_hash = place * factor + offset;
    at(Grain::call) = call;
    at(Grain::place) = place;
    // What was shifted often enough is out.
    at(Grain::pair) = (at(Grain::pair) << 32U) + hash;
    at(Grain::sixteen) = (at(Grain::sixteen) << 4U) + hash;
    at(Grain::place_pair) = (at(Grain::place_pair) << 32U) + place_hash;
  }
  [[nodiscard]] std::uint64_t value(Grain grain) const {
    return values_[static_cast<std::size_t>(grain)];
  }
  [[nodiscard]] bool is_at(const Token& token) const { return value(token.grain) == token.value; }

private:
  std::uint64_t& at(Grain grain) { return values_[static_cast<std::size_t>(grain)]; }
  std::array<std::uint64_t, grains> values_{};
};

/// A token is of so many calls at most.
constexpr std::size_t longest_token = 16;

/// When tokens of one grain were there last. Where there are many, some are overwritten.
class Recurrences {
public:
  struct Gaps {
    std::uint32_t last = 0;   ///< calls since it was there before; 0: it was not
    std::uint32_t before = 0; ///< and between that and the time before
  };
  explicit Recurrences(Grain grain);
  Gaps visit(std::uint64_t value, std::size_t call);
  /// Symbols that have been forgotten are not there.
  void forget(const std::vector<bool>& keep);

private:
  struct Entry {
    std::uint32_t tag = 0;
    std::uint32_t last = 0; ///< call + 1; 0: none. Counts past 2^32 from 0 on
    std::uint32_t gap = 0;
  };
  Entry& entry(std::uint64_t value);
  void grow();

  bool exact_; ///< indexed by symbol
  unsigned bits_ = 8;
  std::size_t used_ = 0;
  std::vector<Entry> entries_;
};

} // namespace hypermile::runtime
