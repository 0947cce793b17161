// Names the hosts of a SimGrid platform in the order of its file, one line each: name,
// cores, number of gears, node type and site, with a tab between. A program of its own, because
// SimGrid ends the process for a platform that it does not understand. The names go to a file,
// because SimGrid writes remarks to both output streams.

#include <simgrid/s4u.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  if (argc != 3) {
    std::fprintf(stderr, "usage: hypermile-list-hosts PLATFORM.xml LISTING\n");
    return 2;
  }
  std::FILE* const listing = std::fopen(argv[2], "w");
  if (listing == nullptr) {
    std::perror(argv[2]);
    return 1;
  }
  // get_all_hosts() sorts by name; hosts are created as the file is read, clusters included.
  simgrid::s4u::Host::on_creation_cb([listing](const simgrid::s4u::Host& host) {
    const char* const type = host.get_property("node_type");
    const char* const site = host.get_property("site");
    std::fprintf(listing, "%s\t%d\t%lu\t%s\t%s\n", host.get_cname(), host.get_core_count(),
                 host.get_pstate_count(), type == nullptr ? host.get_cname() : type,
                 site == nullptr ? "" : site);
  });
  engine.load_platform(argv[1]);
  if (std::fclose(listing) != 0) {
    std::perror(argv[2]);
    return 1;
  }
  return 0;
}
