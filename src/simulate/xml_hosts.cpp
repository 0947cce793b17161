#include "simulate/xml_hosts.hpp"

#include "simulate/process.hpp"

#include "io/text_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <limits>
#include <sstream>
#include <string_view>

namespace hypermile::simulate {
namespace {

/// Why SimGrid gave up, of all that it prints: remarks, where in its own source, a backtrace.
std::string reason(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    for (const std::string_view mark : {"by maestro/0: ", "CRITICAL] ", "ERROR] "})
      if (const auto at = line.find(mark); at != std::string::npos)
        return line.substr(at + mark.size());
  return text.substr(0, text.find('\n'));
}

std::vector<XmlHost> read_listing(const std::string& text) {
  std::vector<XmlHost> hosts;
  std::istringstream lines(text);
  XmlHost host{};
  while (std::getline(lines, host.node.name, '\t') && lines >> host.cores >> host.node.gears &&
         lines.ignore() && std::getline(lines, host.node.type, '\t') &&
         std::getline(lines, host.node.site))
    hosts.push_back(host);
  return hosts;
}

} // namespace

bool is_xml(const std::string& text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  const std::size_t begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const std::size_t first = text.find_first_not_of(" \t\r\n", begin);
  return first != std::string::npos && text[first] == '<';
}

std::vector<XmlHost> list_hosts(const std::string& file, const Installation& installation,
                                const Workspace& workspace) {
  const std::string listing = workspace.path("hosts.listing");
  const std::string remarks = workspace.path("hosts.remarks");
  Process process({.arguments = {installation.list_hosts, file, listing},
                   .environment = {},
                   .output = remarks});
  const auto end = process.wait(Seconds{std::numeric_limits<double>::infinity()});
  Interruption::check();
  if (end->exit_code != 0)
    throw Error(ErrorKind::config, fmt::format("SimGrid does not understand the platform {}: {}",
                                               file, reason(io::read_text_file(remarks))));
  auto hosts = read_listing(io::read_text_file(listing));
  if (hosts.empty())
    throw Error(ErrorKind::config, fmt::format("the platform {} has no hosts", file));
  return hosts;
}

} // namespace hypermile::simulate
