#include "runtime/record/outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace hypermile::runtime {
namespace {

/// Runs of the same input differ by less than this, on a machine that is not busy otherwise.
constexpr double tolerance = 0.3;
/// What is less than this, or than that share of the whole computation, says nothing.
constexpr Seconds negligible{0.01};
constexpr double negligible_share = 0.02;
/// A program that polls makes some more calls, or some less.
constexpr std::size_t tolerated_calls = 16;

bool differs(Seconds expected, Seconds computed, Seconds total) {
  const Seconds difference = expected < computed ? computed - expected : expected - computed;
  return difference > tolerance * expected && difference > negligible &&
         difference > negligible_share * total;
}

std::string words(std::size_t calls, Seconds expected, Seconds computed) {
  return fmt::format("up to its MPI call {} it computed {:.3g} s in gear 0, where {:.3g} s were "
                     "expected",
                     calls, computed.value(), expected.value());
}

bool too_many(std::size_t calls, std::size_t expected) {
  return static_cast<double>(calls) >
         (1 + tolerance) * static_cast<double>(expected + tolerated_calls);
}

} // namespace

void Outline::add(std::size_t calls_so_far, Seconds computed) {
  calls = calls_so_far;
  total = computed;
  if (std::has_single_bit(calls_so_far) &&
      static_cast<std::size_t>(std::countr_zero(calls_so_far)) == computation.size())
    computation.push_back(computed);
}

void OutlineWatch::add(std::size_t calls, Seconds computed) {
  if (departs())
    return;
  if (too_many(calls, expected_.calls)) {
    why_ = fmt::format("it made more than {} MPI calls, where {} were expected", calls - 1,
                       expected_.calls);
    return;
  }
  const auto place = static_cast<std::size_t>(std::countr_zero(calls));
  if (!std::has_single_bit(calls) || place >= expected_.computation.size())
    return;
  if (differs(expected_.computation[place], computed, expected_.total))
    why_ = words(calls, expected_.computation[place], computed);
}

std::string difference(const Outline& expected, const Outline& run) {
  if (too_many(run.calls, expected.calls) || too_many(expected.calls, run.calls))
    return fmt::format("it made {} MPI calls, where {} were expected", run.calls, expected.calls);
  if (differs(expected.total, run.total, std::min(expected.total, run.total)))
    return words(run.calls, expected.total, run.total);
  return "";
}

} // namespace hypermile::runtime
