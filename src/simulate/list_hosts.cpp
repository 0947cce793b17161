// Names the hosts of a SimGrid platform, one line each: name, tab, cores. A program of its own,
// because SimGrid ends the process for a platform that it does not understand.

#include <simgrid/s4u.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: hypermile-list-hosts PLATFORM.xml\n");
    return 2;
  }
  engine.load_platform(argv[1]);
  for (const auto* host : engine.get_all_hosts())
    std::printf("%s\t%d\n", host->get_cname(), host->get_core_count());
  return 0;
}
