#pragma once

#include "wavefront/layout.hpp"

#include <vector>

namespace apps::wavefront {

/// Fills the ghosts of whole fields from the four neighbours, all planes in one message.
class Ghosts {
public:
  explicit Ghosts(const Layout& layout);

  void exchange(Field& field);

private:
  /// Gives `edge` to one side and takes the ghosts of the opposite one: (plane, i) each.
  template <typename Edge, typename Ghost>
  void shift(int to, int from, std::size_t count, Edge edge, Ghost ghost);

  const Layout& layout_;
  std::vector<double> out_;
  std::vector<double> in_;
};

} // namespace apps::wavefront
