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
      requests_(2 * correspondents_.size(), MPI_REQUEST_NULL), arrivals_(correspondents_.size()),
      departures_(correspondents_.size()) {
  for (std::size_t from = 0; from < correspondents_.size(); ++from) {
    arrivals_[from].buffer.resize(correspondents_[from].size);
    expect(from);
  }
}

bool Mail::is_busy(std::size_t to) const { return !departures_[to].empty(); }

void Mail::expect(std::size_t from) {
  Arrival& arrival = arrivals_[from];
  arrival.size = 0;
  MPI_Irecv(arrival.buffer.data(), static_cast<int>(arrival.buffer.size()), MPI_DOUBLE,
            correspondents_[from].rank, correspondents_[from].tag, comm_, &incoming(from));
}

void Mail::post(std::size_t to, Message message) {
  departures_[to].push_back(std::move(message));
  if (departures_[to].size() == 1)
    send_next(to);
}

void Mail::send_next(std::size_t to) {
  const Message& message = departures_[to].front();
  MPI_Issend(message.data(), static_cast<int>(message.size()), MPI_DOUBLE, correspondents_[to].rank,
             correspondents_[to].tag, comm_, &outgoing(to));
}

void Mail::completed(std::size_t index, const MPI_Status& status) {
  const std::size_t count = correspondents_.size();
  if (index < count) {
    int size = 0;
    MPI_Get_count(&status, MPI_DOUBLE, &size);
    arrivals_[index].size = static_cast<std::size_t>(size);
    arrivals_[index].delay = disturbance_.delay();
    return;
  }
  departures_[index - count].pop_front();
  if (!departures_[index - count].empty())
    send_next(index - count);
}

void Mail::deliver(std::size_t from, const Take& take) {
  take(from, std::span(arrivals_[from].buffer).first(arrivals_[from].size));
  expect(from);
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
      if (arrivals_[from].size > 0 && arrivals_[from].delay == 0)
        deliver(from, take);
  } while (found > 0);
}

void Mail::close() {
  for (std::size_t to = 0; to < correspondents_.size(); ++to) {
    departures_[to].emplace_back();
    if (departures_[to].size() == 1)
      send_next(to);
    if (arrivals_[to].size > 0) // what was kept back
      expect(to);
  }
  while (true) {
    int index = MPI_UNDEFINED;
    MPI_Status status{};
    MPI_Waitany(static_cast<int>(requests_.size()), requests_.data(), &index, &status);
    if (index == MPI_UNDEFINED)
      return;
    completed(static_cast<std::size_t>(index), status);
    const auto from = static_cast<std::size_t>(index);
    if (from < correspondents_.size() && arrivals_[from].size != end_of_traffic)
      expect(from);
  }
}

} // namespace apps::multisplitting
