#pragma once

#include "model/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hypermile::application {

/// The MPI functions that a model's calls stand for: their order is that of Timeline::functions.
enum class Function : std::uint16_t {
  Send,
  Recv,
  Sendrecv,
  Isend,
  Irecv,
  Waitall,
  Barrier,
  Bcast,
  Reduce,
  Allreduce,
  Gather,
  Scatter,
  Allgather,
  Alltoall,
  Comm_create_group,
  Sleep,
  Iteration
};
[[nodiscard]] std::vector<std::string> function_names();
/// What a model writes for it.
[[nodiscard]] const char* word_for(Function function);

/// Ranks that call collective operations together.
struct Group {
  std::uint64_t number = 0;           ///< as Operation::communicator
  std::vector<std::uint32_t> members; ///< empty: all ranks of the job
  std::uint32_t size = 0;
};

/// One side of a message.
struct Side {
  std::uint32_t partner = 0;
  std::uint64_t bytes = 0; ///< 0 where it receives
  std::int32_t tag = 0;
};

/// Writes down what one rank does.
class RankCalls {
public:
  /// `world`: the number of the group of all ranks, as Operation::communicator.
  explicit RankCalls(std::uint64_t world) : world_(world) {}

  /// In the platform's unit. What comes in parts is rounded once.
  void compute(double work) { work_ += work; }
  // `line`: of the model.
  void send(const Side& to, std::uint32_t line);
  void receive(const Side& from, std::uint32_t line);
  /// Both at a time, as by MPI_Sendrecv.
  void exchange(const Side& to, const Side& from, std::uint32_t line);
  /// Without waiting; the number of what was begun, for wait().
  std::size_t start_send(const Side& to, std::uint32_t line);
  std::size_t start_receive(const Side& from, std::uint32_t line);
  void wait(std::span<const std::size_t> started, std::uint32_t line);
  /// `root`: a rank of the job; ignored by functions that have none. `bytes`: of each rank's part.
  void collective(Function function, const Group& group, std::uint32_t root, std::uint64_t bytes,
                  std::uint32_t rank, std::uint32_t line);
  void make_group(const Group& group, std::uint32_t line);
  void sleep(double seconds, std::uint32_t line);
  /// An iteration of the model's main loop begins.
  void begin_iteration(std::uint32_t line);
  /// The same of a loop that may be scaled: its steps have to be alike.
  void begin_step(std::uint32_t line);
  /// Which step is not like the first, from 2 on; none: all are. The loop is over.
  [[nodiscard]] std::optional<std::size_t> end_steps();

  [[nodiscard]] std::size_t events() const { return rank_.events.size(); }
  /// What has begun and nobody has waited for, by number, with its line.
  [[nodiscard]] const std::map<std::size_t, std::uint32_t>& open() const { return open_; }
  [[nodiscard]] model::RankTimeline finish();

private:
  /// What comes before its event, and before its work.
  struct StepBegin {
    std::size_t event = 0;
    std::size_t work = 0;
  };
  [[nodiscard]] bool is_like_first(std::size_t step) const;
  std::size_t add(const model::Operation& operation);
  void complete(std::size_t started, Function function, std::uint32_t line);
  void end_call();
  std::size_t start(model::Action action, Function function, const Side& side, std::uint32_t line);
  std::uint32_t number(const model::Arguments& arguments);
  void take_work();

  std::uint64_t world_;
  model::RankTimeline rank_;
  double work_ = 0;
  bool in_call_ = false;
  std::map<std::uint64_t, std::vector<std::uint32_t>> known_; ///< operations by a hash
  std::map<model::Arguments, std::uint32_t> arguments_;
  std::map<std::size_t, std::uint32_t> open_;
  std::vector<StepBegin> steps_; ///< of the present loop
};

} // namespace hypermile::application
