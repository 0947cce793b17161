#pragma once

#include "refine/block.hpp"
#include "refine/mesh.hpp"

#include <span>
#include <vector>

namespace apps::refine {

/// How the levels of two blocks differ that one copies cells to the other.
enum class Step : std::uint8_t { same, to_finer, to_coarser };

/// Ghosts of one block that are cells of another, beyond a side of it.
struct GhostCopy {
  std::size_t from; ///< block
  std::size_t to;
  Side side; ///< of the block that gets them
  Step step;
  std::uint32_t half; ///< of the larger block's side, 0 or 1: where the smaller one lies

  [[nodiscard]] std::size_t count(std::size_t cells) const {
    return step == Step::same ? cells : cells / 2;
  }
  void pack(const Block& source, std::span<double> values) const;
  void unpack(std::span<const double> values, Block& target) const;
};

/// All that the blocks of a mesh need in a time step.
std::vector<GhostCopy> ghost_copies(const Mesh& mesh);

/// Cells of a block of a new mesh that come from a block of the old one.
struct CellCopy {
  std::size_t from; ///< block of the old mesh
  std::size_t to;   ///< of the new one
  Step step;
  std::uint32_t quarter; ///< of the larger block: bit 0 is x, bit 1 is y

  [[nodiscard]] std::size_t count(std::size_t cells) const {
    return step == Step::same ? cells * cells : cells * cells / 4;
  }
  void pack(const Block& source, std::span<double> values) const;
  void unpack(std::span<const double> values, Block& target) const;
};

/// All that the new mesh needs, which comes from `old_mesh` by one adaptation.
std::vector<CellCopy> cell_copies(const Mesh& old_mesh, const Mesh& new_mesh);

} // namespace apps::refine
