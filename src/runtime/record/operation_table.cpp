#include "runtime/record/operation_table.hpp"

#include "runtime/record/mixed.hpp"

namespace hypermile::runtime {
namespace {

using model::Operation;

std::uint64_t hash(const Operation& operation) {
  const auto kind = static_cast<std::uint64_t>(operation.action) |
                    static_cast<std::uint64_t>(operation.from_any ? 1 : 0) << 7 |
                    static_cast<std::uint64_t>(operation.shape) << 8 |
                    static_cast<std::uint64_t>(operation.function) << 16 |
                    static_cast<std::uint64_t>(operation.members) << 32;
  const auto whom = static_cast<std::uint64_t>(static_cast<std::uint32_t>(operation.partner))
                        << 32 |
                    static_cast<std::uint32_t>(operation.tag);
  const std::uint64_t known =
      mixed(mixed(mixed(kind, whom), operation.communicator), operation.bytes);
  const auto call = static_cast<std::uint64_t>(operation.site) << 32 | operation.arguments;
  return call == 0 ? known : mixed(mixed(known, call), operation.detail);
}

} // namespace

std::uint32_t OperationTable::index_of(const Operation& operation,
                                       std::vector<Operation>& operations) {
  const std::size_t slot = slot_of(operation, operations);
  if (slots_[slot] != 0)
    return slots_[slot] - 1;
  operations.push_back(operation);
  slots_[slot] = static_cast<std::uint32_t>(operations.size());
  if (2 * operations.size() > slots_.size())
    grow(operations);
  return static_cast<std::uint32_t>(operations.size() - 1);
}

/// Where the operation is, or would have its place.
std::size_t OperationTable::slot_of(const Operation& operation,
                                    const std::vector<Operation>& operations) const {
  const std::size_t last = slots_.size() - 1; // all bits of an index: the size is a power of two
  std::size_t slot = hash(operation) & last;
  while (slots_[slot] != 0 && operations[slots_[slot] - 1] != operation)
    slot = (slot + 1) & last;
  return slot;
}

void OperationTable::grow(const std::vector<Operation>& operations) {
  slots_.assign(4 * slots_.size(), 0);
  for (std::size_t i = 0; i < operations.size(); ++i)
    slots_[slot_of(operations[i], operations)] = static_cast<std::uint32_t>(i + 1);
}

} // namespace hypermile::runtime
