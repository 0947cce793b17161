#include "runtime/loop/symbol_table.hpp"

#include <algorithm>
#include <bit>

namespace hypermile::runtime {
namespace {
constexpr std::size_t first_slots = 256;
} // namespace

SymbolTable::SymbolTable() : slots_(first_slots) {}

/// Where the signature is, or would be.
std::size_t SymbolTable::find(CallSignature signature) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (signature * 0x9e3779b97f4a7c15ULL >> 20U) & mask;
  while (slots_[at].symbol_plus_1 != 0 && slots_[at].signature != signature)
    at = (at + 1) & mask;
  return at;
}

SymbolTable::Numbered SymbolTable::number(CallSignature signature) {
  const Slot& slot = slots_[find(signature)];
  if (slot.symbol_plus_1 != 0)
    return {slot.symbol_plus_1 - 1, false};
  if (++count_ * 2 > slots_.size())
    resize(slots_.size() * 2);
  if (free_.empty()) {
    free_.push_back(static_cast<Symbol>(signatures_.size()));
    signatures_.push_back(signature);
    in_use_.push_back(true);
  }
  const Symbol symbol = free_.back();
  free_.pop_back();
  signatures_[symbol] = signature;
  in_use_[symbol] = true;
  slots_[find(signature)] = {signature, symbol + 1};
  return {symbol, true};
}

void SymbolTable::resize(std::size_t slots) {
  slots_.assign(slots, {});
  for (Symbol symbol = 0; symbol < signatures_.size(); ++symbol)
    if (in_use_[symbol])
      slots_[find(signatures_[symbol])] = {signatures_[symbol], symbol + 1};
}

void SymbolTable::forget_all_but(const std::vector<bool>& keep) {
  for (Symbol symbol = 0; symbol < signatures_.size(); ++symbol)
    if (in_use_[symbol] && !keep[symbol]) {
      in_use_[symbol] = false;
      free_.push_back(symbol);
      --count_;
    }
  resize(std::max(first_slots, std::bit_ceil(count_ * 4)));
}

} // namespace hypermile::runtime
