#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace apps::refine {

/// One block of cells: a square of the quadtree that is not divided further. Its place counts
/// blocks of its own level.
struct Leaf {
  unsigned level;
  std::uint32_t x;
  std::uint32_t y;

  bool operator==(const Leaf&) const = default;
};

enum class Side : std::uint8_t { west, east, south, north };

/// All blocks, in the order of a curve that keeps near ones near (Morton's). Blocks on both sides
/// of an edge differ by one level at most. Every rank has the whole list.
class Mesh {
public:
  /// `roots` x `roots` blocks, a periodic square.
  Mesh(std::uint32_t roots, unsigned finest_level);

  [[nodiscard]] std::span<const Leaf> leaves() const { return leaves_; }
  [[nodiscard]] std::size_t size() const { return leaves_.size(); }
  [[nodiscard]] const Leaf& operator[](std::size_t index) const { return leaves_[index]; }

  /// The block at the lower left corner of this place, which may be larger or smaller.
  [[nodiscard]] std::size_t find(const Leaf& place) const;
  /// The blocks beyond a side: one, or two where they are smaller.
  [[nodiscard]] std::vector<std::size_t> beyond(std::size_t index, Side side) const;

  /// The mesh in which each block has become finer (wish 1), coarser (-1) or stayed (0), if that
  /// can be: a block may have to be refined for its neighbour, and four become one only together.
  [[nodiscard]] Mesh adapted(std::span<const int> wishes) const;

  /// The rank that has a block: ranks share the curve in equal pieces.
  [[nodiscard]] std::size_t owner(std::size_t index, std::size_t ranks) const {
    return index * ranks / leaves_.size();
  }
  /// The first block of a rank; for `ranks`, the number of blocks.
  [[nodiscard]] std::size_t first_of(std::size_t rank, std::size_t ranks) const {
    return (rank * leaves_.size() + ranks - 1) / ranks;
  }

private:
  [[nodiscard]] std::uint64_t key(const Leaf& place) const;
  [[nodiscard]] bool raise_neighbours(std::vector<unsigned>& levels) const;
  [[nodiscard]] bool keep_families(std::vector<unsigned>& levels) const;

  std::uint32_t roots_;
  unsigned finest_level_;
  std::vector<Leaf> leaves_;
};

} // namespace apps::refine
