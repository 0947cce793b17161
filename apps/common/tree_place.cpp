#include "common/tree_place.hpp"

#include <algorithm>

namespace apps {

TreePlace tree_place(int rank, int ranks) {
  TreePlace place;
  int bit = 1;
  for (; bit < ranks && (rank & bit) == 0; bit *= 2)
    if (rank + bit < ranks)
      place.children.push_back(rank + bit);
  if (rank != 0)
    place.parent = rank - bit;
  place.end = std::min(rank + bit, ranks);
  return place;
}

} // namespace apps
