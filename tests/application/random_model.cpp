#include "application/random_model.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace hypermile::test {
namespace {

constexpr std::uint64_t rendezvous_from = 65536;

class Maker {
public:
  explicit Maker(std::uint32_t seed) : random_(seed) {
    model_.ranks = number(1, 7);
    model_.ends.assign(model_.ranks, 0);
    model_.received.assign(model_.ranks, 0);
    lines_.resize(model_.ranks);
  }

  RandomModel make() {
    for (std::size_t step = number(0, 40); step > 0; --step)
      add_step();
    model_.text = "local todo = {\n";
    for (const std::string& lines : lines_)
      model_.text += "function() " + lines + " end,\n";
    model_.text += "}\nrole('all', function(p) todo[p.rank + 1]() end)\n";
    return std::move(model_);
  }

private:
  std::size_t number(std::size_t least, std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(least, most)(random_);
  }
  std::size_t other_than(std::size_t rank) {
    return (rank + number(1, model_.ranks - 1)) % model_.ranks;
  }
  void say(std::size_t rank, const std::string& what) { lines_[rank] += what + " "; }
  static double travel(std::uint64_t bytes) { return 1 + static_cast<double>(bytes) / 1000; }

  void add_step() {
    const std::size_t rank = number(0, model_.ranks - 1);
    switch (number(0, 5)) {
    case 0: {
      const std::size_t work = number(0, 20);
      say(rank, "compute(" + std::to_string(work) + ")");
      model_.ends[rank] += static_cast<double>(work);
      return;
    }
    case 1:
      return meet("barrier()", 0);
    case 2: {
      const std::uint64_t bytes = number(0, 100000);
      return meet("allreduce(" + std::to_string(bytes) + ")", bytes);
    }
    default:
      if (model_.ranks > 1)
        move(rank, other_than(rank));
    }
  }

  void move(std::size_t from, std::size_t to) {
    const std::uint64_t bytes = number(0, 1) == 0 ? number(0, 1000) : number(65000, 66000);
    const std::string with = std::to_string(number(0, 2)); // a tag
    const std::string size = std::to_string(bytes);
    say(from, number(0, 1) == 0
                  ? "send(" + std::to_string(to) + ", " + size + ", " + with + ")"
                  : "wait(isend(" + std::to_string(to) + ", " + size + ", " + with + "))");
    say(to, number(0, 1) == 0 ? "recv(" + std::to_string(from) + ", " + with + ")"
                              : "irecv(" + std::to_string(from) + ", " + with + ") wait()");
    double& sender = model_.ends[from];
    double& receiver = model_.ends[to];
    if (bytes >= rendezvous_from) {
      sender = receiver = std::max(sender, receiver) + travel(bytes);
    } else {
      receiver = std::max(receiver, sender + travel(bytes));
    }
    model_.received[to] += bytes;
  }

  /// All, in a tree or, where that is faster, round a ring.
  void meet(const std::string& call, std::uint64_t bytes) {
    for (std::size_t rank = 0; rank < model_.ranks; ++rank)
      say(rank, call);
    const auto ranks = static_cast<double>(model_.ranks);
    const double rounds = std::ceil(std::log2(ranks));
    double takes = rounds;
    if (bytes > 0)
      takes = std::min(rounds * travel(bytes),
                       2 * (ranks - 1) * (1 + static_cast<double>(bytes) / 1000 / ranks));
    const double last = *std::ranges::max_element(model_.ends);
    model_.ends.assign(model_.ranks, last + (model_.ranks > 1 ? takes : 0));
  }

  std::mt19937 random_;
  RandomModel model_;
  std::vector<std::string> lines_;
};

} // namespace

RandomModel random_model(std::uint32_t seed) { return Maker(seed).make(); }

} // namespace hypermile::test
