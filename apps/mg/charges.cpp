#include "mg/charges.hpp"

#include "kernels/lcg46.hpp"

#include <algorithm>

namespace apps::mg {
namespace {

using Candidate = Charges::Candidate;

constexpr Candidate nobody = {-2.0, 0}; ///< ranks below any number

void offer(Charges::Best& best, Candidate candidate) {
  if (candidate.rank <= best.back().rank)
    return;
  const auto place =
      std::ranges::upper_bound(best, candidate.rank, std::ranges::greater{}, &Candidate::rank);
  std::move_backward(place, best.end() - 1, best.end());
  *place = candidate;
}

void put(const Charges::Best& best, double value, Field& v, std::uint32_t side,
         const LevelPart& part) {
  for (const Candidate& candidate : best) {
    const auto x = static_cast<std::uint32_t>(candidate.place % side);
    const auto y = static_cast<std::uint32_t>(candidate.place / side % side);
    const auto z = static_cast<std::uint32_t>(candidate.place / side / side);
    const auto& [in_x, in_y, in_z] = part.parts;
    if (in_x.range.contains(x) && in_y.range.contains(y) && in_z.range.contains(z))
      v.row(z - in_z.range.begin + 1, y - in_y.range.begin + 1)[x - in_x.range.begin + 1] = value;
  }
}

} // namespace

Charges::Charges(std::uint32_t side, const LevelPart& part) {
  constexpr std::uint64_t seed = 314159265;
  largest_.fill(nobody);
  smallest_.fill(nobody);
  const auto& [x, y, z] = part.parts;
  for (std::uint64_t plane = z.range.begin; plane < z.range.end; ++plane)
    for (std::uint64_t row = y.range.begin; row < y.range.end; ++row) {
      std::uint64_t place = (plane * side + row) * side + x.range.begin;
      hypermile::kernels::Lcg46 random(seed);
      random.skip(place);
      for (std::uint32_t i = 0; i < x.range.size(); ++i, ++place) {
        const double value = random.next();
        offer(largest_, {value, place});
        offer(smallest_, {-value, place});
      }
    }
}

void Charges::merge(const Charges& other) {
  for (const Candidate& candidate : other.largest_)
    offer(largest_, candidate);
  for (const Candidate& candidate : other.smallest_)
    offer(smallest_, candidate);
}

void Charges::put_into(Field& v, std::uint32_t side, const LevelPart& part) const {
  std::ranges::fill(v.values, 0.0);
  put(largest_, 1.0, v, side, part);
  put(smallest_, -1.0, v, side, part);
}

} // namespace apps::mg
