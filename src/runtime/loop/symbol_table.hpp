#pragma once

#include "runtime/loop/loop.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermile::runtime {

/// A signature's number: small, so that tables can be indexed by it.
using Symbol = std::uint32_t;

/// Numbers signatures. Those that are no longer needed can be forgotten; then their numbers are
/// given to others.
class SymbolTable {
public:
  SymbolTable();

  struct Numbered {
    Symbol symbol;
    bool is_new;
  };
  Numbered number(CallSignature signature);
  /// All numbers are below this.
  [[nodiscard]] std::size_t bound() const { return signatures_.size(); }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Forgets the symbols s for which keep[s] is not set.
  void forget_all_but(const std::vector<bool>& keep);

private:
  struct Slot {
    CallSignature signature = 0;
    Symbol symbol_plus_1 = 0; ///< 0: empty
  };
  [[nodiscard]] std::size_t find(CallSignature signature) const;
  void resize(std::size_t slots);

  std::vector<Slot> slots_; ///< a power of two, half of them empty at least
  std::vector<CallSignature> signatures_;
  std::vector<Symbol> free_;
  std::vector<bool> in_use_;
  std::size_t count_ = 0;
};

} // namespace hypermile::runtime
