#pragma once

#include "model/timeline.hpp"
#include "runtime/exchange/run_report.hpp"

#include <map>
#include <string>
#include <string_view>

/// What must hold of every complete timeline. Each says what is wrong; empty: nothing.
namespace hypermile::test {

/// Every send has exactly one receive: those of a communicator, a sender, a receiver and a tag
/// pair up in order, with the same number of bytes.
std::string unmatched_messages(const model::Timeline& timeline);

/// On every communicator all members arrive at the same operations, in the same order, and there
/// are as many of them as each says.
std::string unmatched_arrivals(const model::Timeline& timeline);

/// Every completion is of a send, receive or arrival before it, none is completed twice, and all
/// are but sends that nobody waits for (buffered, or given up: `given_up` many per rank).
std::string wrong_completions(const model::Timeline& timeline, std::size_t given_up = 0);

/// Per rank, computation and duration sum up to what the runtime's report says.
std::string wrong_times(const model::Timeline& timeline, const runtime::RunReport& report);

/// How often each action occurs, on all ranks, for one function or ("") for all.
std::map<model::Action, std::size_t> actions(const model::Timeline& timeline,
                                             std::string_view function = "");

} // namespace hypermile::test
