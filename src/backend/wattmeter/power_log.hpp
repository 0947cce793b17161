#pragma once

#include "control/backend.hpp"
#include "units/quantity.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What an external meter between a node and its socket wrote down.
namespace hypermile::backend::wattmeter {

struct Sample {
  Seconds time; ///< since 1970-01-01 00:00 UTC
  Watts power;  ///< of the whole node, at this moment
};

/// The samples of each node, in the order of time. A log without the column `node` is of one node
/// that has no name.
using PowerLog = std::map<std::string, std::vector<Sample>, std::less<>>;

/// Reads CSV: the first line names the columns, which are `time` (see timestamp.hpp), `power_w` and
/// perhaps `node`, in any order; then one line per sample. Read strictly; `file` is used in
/// messages only. Throws Error{config} with file and line for what is not understood: another
/// column, a power that is negative or no number, a time before the one above of the same node, no
/// sample.
PowerLog parse_power_log(std::string_view text, const std::string& file);

/// A log needs nothing of this machine; whether the file is good shows when it is read.
control::Finding probe(const control::Access& access);

/// The text without what follows its last end of line: a meter may be writing there.
std::string_view complete_lines(std::string_view text);

/// The samples of `node`, or of the only node if the log does not name any. Throws Error{config}
/// naming the nodes of the log if there are none of this one.
const std::vector<Sample>& samples_of(const PowerLog& log, std::string_view node,
                                      const std::string& file);

} // namespace hypermile::backend::wattmeter
