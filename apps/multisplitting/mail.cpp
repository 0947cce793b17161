#include "multisplitting/mail.hpp"

#include <algorithm>
#include <utility>

namespace apps::multisplitting {
namespace {

/// The last message: shorter than any other, which has a number at least.
constexpr int end_of_traffic = 0;

} // namespace

Mail::Mail(MPI_Comm comm, std::vector<Correspondent> correspondents, Disturbance disturbance)
    : comm_(comm), correspondents_(std::move(correspondents)), disturbance_(disturbance),
      requests_((places + 1) * correspondents_.size(), MPI_REQUEST_NULL),
      arrivals_(places * correspondents_.size()), oldest_(correspondents_.size(), 0),
      departures_(correspondents_.size()) {
  for (std::size_t place = 0; place < arrivals_.size(); ++place) {
    arrivals_[place].buffer.resize(correspondents_[place / places].size);
    expect(place);
  }
}

bool Mail::is_busy(std::size_t to) const { return !departures_[to].empty(); }

void Mail::expect(std::size_t place) {
  Arrival& arrival = arrivals_[place];
  const Correspondent& sender = correspondents_[place / places];
  arrival.has_arrived = false;
  MPI_Irecv(arrival.buffer.data(), static_cast<int>(arrival.buffer.size()), MPI_DOUBLE, sender.rank,
            sender.tag, comm_, &requests_[place]);
}

void Mail::post(std::size_t to, Message message) {
  departures_[to].push_back(std::move(message));
  if (departures_[to].size() == 1)
    send_next(to);
}

void Mail::send_next(std::size_t to) {
  const Message& message = departures_[to].front();
  MPI_Issend(message.data(), static_cast<int>(message.size()), MPI_DOUBLE, correspondents_[to].rank,
             correspondents_[to].tag, comm_, &requests_[arrivals_.size() + to]);
}

void Mail::completed(std::size_t index, const MPI_Status& status) {
  if (index < arrivals_.size()) {
    Arrival& arrival = arrivals_[index];
    int size = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &size);
    arrival.size = static_cast<std::size_t>(size);
    arrival.delay = disturbance_.delay();
    arrival.has_arrived = true;
    return;
  }
  const std::size_t to = index - arrivals_.size();
  departures_[to].pop_front();
  if (!departures_[to].empty())
    send_next(to);
}

void Mail::deliver(std::size_t from, const Take& take) {
  for (Arrival* next = &oldest(from);
       next->has_arrived && next->size != end_of_traffic && next->delay == 0;
       next = &oldest(from)) {
    take(from, std::span(next->buffer).first(next->size));
    expect(from * places + oldest_[from]);
    oldest_[from] = (oldest_[from] + 1) % places;
  }
}

void Mail::look(const Take& take) {
  if (correspondents_.empty())
    return;
  for (Arrival& arrival : arrivals_)
    arrival.delay = std::max(arrival.delay - 1, 0);
  std::vector<int> indices(requests_.size());
  std::vector<MPI_Status> statuses(requests_.size());
  int found = 0;
  do {
    found = 0;
    if (std::ranges::any_of(requests_, [](MPI_Request r) { return r != MPI_REQUEST_NULL; }))
      MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &found, indices.data(),
                   statuses.data());
    for (int i = 0; i < found; ++i) {
      const auto index = static_cast<std::size_t>(indices[static_cast<std::size_t>(i)]);
      completed(index, statuses[static_cast<std::size_t>(i)]);
    }
    for (std::size_t from = 0; from < correspondents_.size(); ++from)
      deliver(from, take);
  } while (found > 0);
}

void Mail::close() {
  for (std::size_t to = 0; to < correspondents_.size(); ++to)
    for (std::size_t place = 0; place < places; ++place)
      post(to, {}); // one for each place: then none of them expects a message
  for (std::size_t place = 0; place < arrivals_.size(); ++place)
    if (arrivals_[place].has_arrived && arrivals_[place].size != end_of_traffic)
      expect(place);
  while (true) {
    int index = MPI_UNDEFINED;
    MPI_Status status{};
    MPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &index, &status);
    if (index == MPI_UNDEFINED)
      return;
    const auto place = static_cast<std::size_t>(index);
    completed(place, status);
    if (place < arrivals_.size() && arrivals_[place].size != end_of_traffic)
      expect(place);
  }
}

} // namespace apps::multisplitting
