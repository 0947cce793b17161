#include "multisplitting/coordinator.hpp"
#include "multisplitting/mail.hpp"
#include "multisplitting/outer.hpp"

#include <hypermile/hypermile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <deque>
#include <optional>
#include <thread>

namespace apps::multisplitting {
namespace {

constexpr int coordinating_rank = 0;
constexpr int values_tag = 1;
constexpr int control_tag = 2;

/// The first number of each message.
enum Kind : int {
  values = 1,       ///< phase, then values at an edge
  copy,             ///< phase, then values at the edge of a copy
  residual,         ///< phase, squared norm
  residual_of_copy, ///< phase, squared norm
  limit_reached,    ///< phase, 0
  order             ///< phase, Order
};
constexpr std::size_t head = 2; ///< numbers before the values
constexpr std::size_t control_size = 3;

/// One rank's side of the iterations.
class Iterations {
public:
  Iterations(Cluster& cluster, const Partition& partition, const Goal& goal,
             Disturbance disturbance);
  ~Iterations() { MPI_Comm_free(&comm_); }
  Iterations(const Iterations&) = delete;
  Iterations& operator=(const Iterations&) = delete;

  Solution run();

private:
  /// What the ranks of a cluster agree on at the beginning of an iteration, by adding up.
  struct Shared {
    double squared_residual;
    double unconfirmed; ///< links without values of this phase
    double missing;     ///< links without a copy of this phase
    double order;       ///< of the leader, who has received it; 0: none
  };

  /// Of the values that are sent.
  struct Version {
    int iterations = -1;
    int phase = -1;
    bool operator==(const Version&) const = default;
  };

  std::vector<Mail::Correspondent> correspondents(const Partition& partition) const;
  [[nodiscard]] std::size_t links() const { return cluster_.links().size(); }

  void look_into_mail();
  void take(std::size_t from, std::span<const double> message);
  void take_from_link(std::size_t from, std::span<const double> message);
  void hear(std::size_t cluster, std::span<const double> message);
  void coordinate();

  Shared share();
  /// False: the iterations end.
  bool obey(int order);
  void keep_copy();
  void judge_copy();
  void tell(const Shared& shared);
  void tell_coordinator(Kind kind, double number, bool may_wait);
  void improve();
  void send_values();
  Mail::Message edge_message(Kind kind, const Values& field, const Link& link) const;

  MPI_Comm comm_;
  Cluster& cluster_;
  Goal goal_;
  Disturbance disturbance_;
  bool coordinates_;
  std::optional<Coordinator> coordinator_;
  Mail mail_;
  std::deque<int> orders_; ///< that the leader has, and its cluster not yet

  Solution solution_;
  Values residual_;
  Boundary boundary_;
  std::vector<Version> sent_;        ///< by link
  std::vector<int> phase_of_values_; ///< by link, of those in boundary_; -1: none yet
  int phase_ = 0;

  Values copy_;
  Boundary copied_boundary_;
  std::vector<int> phase_of_copy_; ///< by link
  bool has_copy_ = false;          ///< of this phase
  bool copy_is_judged_ = false;
};

MPI_Comm own_communicator() {
  MPI_Comm comm{};
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  return comm;
}

bool is_coordinator() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == coordinating_rank;
}

Iterations::Iterations(Cluster& cluster, const Partition& partition, const Goal& goal,
                       Disturbance disturbance)
    : comm_(own_communicator()), cluster_(cluster), goal_(goal), disturbance_(disturbance),
      coordinates_(is_coordinator()),
      mail_(comm_, correspondents(partition), disturbance), solution_{Values(cluster.points(), 0.0),
                                                                      0, false},
      residual_(cluster.points()), boundary_(cluster.boundary()), sent_(links()),
      phase_of_values_(links(), -1), copied_boundary_(cluster.boundary()),
      phase_of_copy_(links(), -1) {
  if (coordinates_)
    coordinator_.emplace(partition.clusters(), goal.squared_residual);
}

/// First the links, then whom control messages go to.
std::vector<Mail::Correspondent> Iterations::correspondents(const Partition& partition) const {
  std::vector<Mail::Correspondent> all;
  for (const Link& link : cluster_.links())
    all.push_back({link.peer, values_tag, head + cluster_.edge_size(link)});
  if (coordinates_)
    for (std::uint32_t cluster = 1; cluster < partition.clusters(); ++cluster)
      all.push_back(
          {static_cast<int>(partition.ranks_of(cluster).begin), control_tag, control_size});
  else if (cluster_.is_leader())
    all.push_back({coordinating_rank, control_tag, control_size});
  return all;
}

void Iterations::look_into_mail() {
  mail_.look([this](std::size_t from, std::span<const double> message) { take(from, message); });
  if (coordinates_)
    coordinate();
}

void Iterations::take(std::size_t from, std::span<const double> message) {
  if (from < links())
    take_from_link(from, message);
  else if (coordinates_)
    hear(from - links() + 1, message);
  else
    orders_.push_back(static_cast<int>(message[head]));
}

void Iterations::take_from_link(std::size_t from, std::span<const double> message) {
  const bool is_copy = static_cast<int>(message[0]) == copy;
  if (!is_copy && disturbance_.loses())
    return;
  std::ranges::copy(
      message.subspan(head),
      cluster_.part(is_copy ? copied_boundary_ : boundary_, cluster_.links()[from]).begin());
  (is_copy ? phase_of_copy_ : phase_of_values_)[from] = static_cast<int>(message[1]);
}

void Iterations::hear(std::size_t cluster, std::span<const double> message) {
  const int kind = static_cast<int>(message[0]);
  if (kind == residual)
    coordinator_->says_residual(cluster, static_cast<int>(message[1]), message[head]);
  else if (kind == residual_of_copy)
    coordinator_->says_residual_of_copy(cluster, message[head]);
  else
    coordinator_->says_limit_reached();
}

void Iterations::coordinate() {
  const auto next = coordinator_->next();
  if (!next)
    return;
  const auto number = static_cast<int>(*next);
  orders_.push_back(number);
  for (std::size_t other = links(); other < mail_.size(); ++other)
    mail_.post(other, {order, 0.0, static_cast<double>(number)});
}

Iterations::Shared Iterations::share() {
  const auto older = [this](const std::vector<int>& phases) {
    return static_cast<double>(std::ranges::count_if(phases, [&](int p) { return p < phase_; }));
  };
  std::array<double, 4> numbers = {cluster_.residual(solution_.field, boundary_, residual_),
                                   older(phase_of_values_), older(phase_of_copy_), 0.0};
  if (!orders_.empty()) {
    numbers[3] = orders_.front();
    orders_.pop_front();
  }
  cluster_.sum(numbers);
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

bool Iterations::obey(int number) {
  switch (static_cast<Order>(number)) {
  case Order::verify:
    keep_copy();
    break;
  case Order::resume:
    ++phase_;
    has_copy_ = copy_is_judged_ = false;
    break;
  case Order::stop:
    solution_.field = copy_;
    solution_.has_reached = true;
    return false;
  case Order::give_up:
    return false;
  }
  return true;
}

void Iterations::keep_copy() {
  copy_ = solution_.field;
  has_copy_ = true;
  for (std::size_t link = 0; link < links(); ++link)
    mail_.post(link, edge_message(copy, copy_, cluster_.links()[link]));
}

void Iterations::judge_copy() {
  Values of_copy(cluster_.points());
  double square = cluster_.residual(copy_, copied_boundary_, of_copy);
  cluster_.sum({&square, 1});
  copy_is_judged_ = true;
  tell_coordinator(residual_of_copy, square, true);
}

void Iterations::tell(const Shared& shared) {
  if (!has_copy_ && shared.unconfirmed == 0.0)
    tell_coordinator(residual, shared.squared_residual, false);
}

/// Only leaders do. What may not wait is left out while an older message is under way.
void Iterations::tell_coordinator(Kind kind, double number, bool may_wait) {
  const Mail::Message message = {static_cast<double>(kind), static_cast<double>(phase_), number};
  if (coordinates_)
    hear(0, message);
  else if (cluster_.is_leader() && (may_wait || !mail_.is_busy(links())))
    mail_.post(links(), message);
}

Mail::Message Iterations::edge_message(Kind kind, const Values& field, const Link& link) const {
  Mail::Message message = {static_cast<double>(kind), static_cast<double>(phase_)};
  const auto edge = cluster_.edge(field, link);
  message.insert(message.end(), edge.begin(), edge.end());
  return message;
}

/// What the neighbours do not have yet. Where one has not taken the last values, it gets newer ones
/// another time. Values that were lost are sent again, since there may be no newer ones: a cluster
/// that has solved its part waits for others, which may wait for those.
void Iterations::send_values() {
  const Version now{solution_.iterations, phase_};
  for (std::size_t link = 0; link < links(); ++link)
    if ((sent_[link] != now || disturbance_.is_on()) && !mail_.is_busy(link)) {
      mail_.post(link, edge_message(values, solution_.field, cluster_.links()[link]));
      sent_[link] = now;
    }
}

/// How many messages come meanwhile differs from iteration to iteration, so that they do not look
/// alike: they are marked.
void Iterations::improve() {
  hm_iteration();
  cluster_.improve(solution_.field, residual_, goal_.inner);
  ++solution_.iterations;
  if (solution_.iterations == goal_.limit)
    tell_coordinator(limit_reached, 0.0, true);
}

Solution Iterations::run() {
  while (true) {
    look_into_mail();
    const Shared shared = share();
    if (goal_.print)
      std::printf("  iteration %5d  residual of cluster %u %.14e\n", solution_.iterations,
                  cluster_.index(), std::sqrt(shared.squared_residual));
    if (shared.order != 0.0 && !obey(static_cast<int>(shared.order)))
      break;
    if (has_copy_ && !copy_is_judged_ && shared.missing == 0.0)
      judge_copy();
    tell(shared);
    if (shared.squared_residual <= goal_.inner.residual * goal_.inner.residual)
      std::this_thread::yield(); // nothing to do until other values arrive
    else
      improve();
    send_values();
  }
  mail_.close();
  return std::move(solution_);
}

} // namespace

Solution iterate_asynchronously(Cluster& cluster, const Partition& partition, const Goal& goal,
                                Disturbance disturbance) {
  return Iterations(cluster, partition, goal, disturbance).run();
}

} // namespace apps::multisplitting
