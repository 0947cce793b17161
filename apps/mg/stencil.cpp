#include "mg/stencil.hpp"

#include <vector>

namespace apps::mg {
namespace {

/// The rows around one row: its four neighbours, and the four across an edge, summed. All 27
/// points of a stencil are then three numbers in each of three columns.
class Neighbourhood {
public:
  explicit Neighbourhood(const Field& field)
      : field_(field), near_(field.stride[1]), far_(field.stride[1]) {}

  void move_to(std::size_t z, std::size_t y) {
    centre_ = field_.row(z, y);
    const double* south = field_.row(z, y - 1);
    const double* north = field_.row(z, y + 1);
    const double* below = field_.row(z - 1, y);
    const double* above = field_.row(z + 1, y);
    const auto row = static_cast<std::ptrdiff_t>(field_.stride[1]);
    for (std::ptrdiff_t i = 0; i < row; ++i) {
      const auto column = static_cast<std::size_t>(i);
      near_[column] = (south[i] + north[i]) + (below[i] + above[i]);
      far_[column] = (below[i - row] + below[i + row]) + (above[i - row] + above[i + row]);
    }
  }

  [[nodiscard]] double operator()(const Weights& w, std::size_t i) const {
    return w[0] * centre_[i] + w[1] * (centre_[i - 1] + centre_[i + 1] + near_[i]) +
           w[2] * (near_[i - 1] + near_[i + 1] + far_[i]) + w[3] * (far_[i - 1] + far_[i + 1]);
  }

private:
  const Field& field_;
  const double* centre_ = nullptr;
  std::vector<double> near_;
  std::vector<double> far_;
};

template <typename Visit> void for_each_row(const Field& field, Visit visit) {
  for (std::size_t z = 1; z <= field.size[2]; ++z)
    for (std::size_t y = 1; y <= field.size[1]; ++y)
      visit(z, y);
}

} // namespace

void residual(const Field& v, const Field& u, Field& result) {
  Neighbourhood around(u);
  for_each_row(u, [&](std::size_t z, std::size_t y) {
    around.move_to(z, y);
    const double* source = v.row(z, y);
    double* r = result.row(z, y);
    for (std::size_t i = 1; i <= u.size[0]; ++i)
      r[i] = source[i] - around(poisson, i);
  });
}

void smooth(const Weights& smoother, const Field& r, Field& u) {
  Neighbourhood around(r);
  for_each_row(u, [&](std::size_t z, std::size_t y) {
    around.move_to(z, y);
    double* row = u.row(z, y);
    for (std::size_t i = 1; i <= u.size[0]; ++i)
      row[i] += around(smoother, i);
  });
}

void restrict_to(Field& coarse, const Field& fine, std::array<std::uint32_t, axes> parity) {
  static constexpr Weights full_weighting = {0.5, 0.25, 0.125, 0.0625};
  Neighbourhood around(fine);
  for_each_row(coarse, [&](std::size_t z, std::size_t y) {
    around.move_to(2 * z - parity[2], 2 * y - parity[1]);
    double* row = coarse.row(z, y);
    for (std::size_t i = 1; i <= coarse.size[0]; ++i)
      row[i] = around(full_weighting, 2 * i - parity[0]);
  });
}

void interpolate(const Field& coarse, Field& fine, std::array<std::uint32_t, axes> parity) {
  std::vector<double> line(coarse.stride[1]);
  for (std::size_t z = 0; z < fine.size[2] + 2; ++z)
    for (std::size_t y = 0; y < fine.size[1] + 2; ++y) {
      // The two coarse places that a fine one lies between, which may be the same.
      const std::size_t z0 = (z + parity[2]) / 2;
      const std::size_t z1 = (z + parity[2] + 1) / 2;
      const std::size_t y0 = (y + parity[1]) / 2;
      const std::size_t y1 = (y + parity[1] + 1) / 2;
      for (std::size_t i = 0; i < line.size(); ++i)
        line[i] = 0.25 * ((coarse.row(z0, y0)[i] + coarse.row(z0, y1)[i]) +
                          (coarse.row(z1, y0)[i] + coarse.row(z1, y1)[i]));
      double* row = fine.row(z, y);
      for (std::size_t i = 0; i < fine.size[0] + 2; ++i)
        row[i] += 0.5 * (line[(i + parity[0]) / 2] + line[(i + parity[0] + 1) / 2]);
    }
}

} // namespace apps::mg
