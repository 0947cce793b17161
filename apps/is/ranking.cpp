#include "is/ranking.hpp"

#include <algorithm>
#include <numeric>

namespace apps::is {
namespace {

std::array<std::int64_t, 2> number_and_sum(const Keys& keys) {
  std::array<std::int64_t, 2> mine = {static_cast<std::int64_t>(keys.size()),
                                      std::accumulate(keys.begin(), keys.end(), std::int64_t{0})};
  std::array<std::int64_t, 2> all{};
  MPI_Allreduce(mine.data(), all.data(), 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

std::vector<int> places_of(const std::vector<int>& counts) {
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  return places;
}

} // namespace

Ranking::Ranking(const Problem& problem, const Session& session)
    : problem_(problem), rank_(static_cast<std::size_t>(session.rank())),
      ranks_(static_cast<std::size_t>(session.ranks())),
      places_(part_of({0, problem.keys()}, static_cast<std::uint32_t>(ranks_),
                      static_cast<std::uint32_t>(rank_))) {
  restart();
}

void Ranking::restart() {
  keys_ = draw_keys(problem_, places_);
  checks_ = {};
}

/// The keys whose ranks are published, 0 for those that another rank has.
Ranking::KnownKeys Ranking::known_keys() const {
  KnownKeys known{};
  for (std::size_t i = 0; i < known.size(); ++i)
    if (places_.contains(problem_.known_ranks[i].place))
      known[i] = keys_[problem_.known_ranks[i].place - places_.begin];
  return known;
}

void Ranking::iterate(int iteration) {
  change_keys(problem_, keys_, places_, iteration);
  const Buckets buckets(problem_, keys_);

  // The known keys travel with the sizes of the buckets.
  const KnownKeys known = known_keys();
  std::vector<std::int32_t> mine = buckets.sizes;
  mine.insert(mine.end(), known.begin(), known.end());
  std::vector<std::int32_t> sums(mine.size());
  MPI_Allreduce(mine.data(), sums.data(), static_cast<int>(sums.size()), MPI_INT32_T, MPI_SUM,
                MPI_COMM_WORLD);

  const auto sizes = std::span(sums).first(problem_.buckets());
  const auto begins = share_buckets(sizes, ranks_);
  gather(buckets, begins);
  const auto key_at = [&](std::size_t bucket) {
    return static_cast<std::int32_t>(bucket << problem_.bucket_shift());
  };
  counts_.emplace(owned_, key_at(begins[rank_]), key_at(begins[rank_ + 1]));
  const auto before = sizes.first(begins[rank_]);
  check(iteration, std::span(sums).subspan(problem_.buckets()),
        std::accumulate(before.begin(), before.end(), std::int64_t{0}));
}

/// Sends each rank the keys of its buckets.
void Ranking::gather(const Buckets& buckets, const std::vector<std::size_t>& begins) {
  std::vector<int> sent;
  for (std::size_t rank = 0; rank < ranks_; ++rank) {
    const auto sizes =
        std::span(buckets.sizes).subspan(begins[rank], begins[rank + 1] - begins[rank]);
    sent.push_back(std::accumulate(sizes.begin(), sizes.end(), 0));
  }
  std::vector<int> received(ranks_);
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, MPI_COMM_WORLD);
  owned_.resize(static_cast<std::size_t>(std::accumulate(received.begin(), received.end(), 0)));
  const std::vector<int> sent_from = places_of(sent);
  const std::vector<int> received_at = places_of(received);
  MPI_Alltoallv(buckets.keys.data(), sent.data(), sent_from.data(), MPI_INT32_T, owned_.data(),
                received.data(), received_at.data(), MPI_INT32_T, MPI_COMM_WORLD);
}

void Ranking::check(int iteration, std::span<const std::int32_t> known,
                    std::int64_t smaller_elsewhere) {
  for (std::size_t i = 0; i < known.size(); ++i)
    if (counts_->covers(known[i])) {
      const std::int64_t rank = smaller_elsewhere + counts_->smaller_than(known[i]);
      ++checks_.seen;
      checks_.wrong += rank != problem_.known_ranks[i].in_iteration(iteration) ? 1 : 0;
    }
}

int Ranking::out_of_order() const {
  constexpr int tag = 1;
  const Keys sorted = counts_->sort(owned_);
  int wrong = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    wrong += sorted[i - 1] > sorted[i] ? 1 : 0;
  const int before = rank_ > 0 ? static_cast<int>(rank_) - 1 : MPI_PROC_NULL;
  const int after = rank_ + 1 < ranks_ ? static_cast<int>(rank_) + 1 : MPI_PROC_NULL;
  const std::int32_t largest = sorted.empty() ? 0 : sorted.back();
  std::int32_t largest_before = 0;
  MPI_Sendrecv(&largest, 1, MPI_INT32_T, after, tag, &largest_before, 1, MPI_INT32_T, before, tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (sorted.empty() || largest_before > sorted.front())
    ++wrong;
  int all = 0;
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

bool Ranking::kept_all() const { return number_and_sum(keys_) == number_and_sum(owned_); }

} // namespace apps::is
