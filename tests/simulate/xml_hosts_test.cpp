#include "simulate/xml_hosts.hpp"

#include "simulate/process.hpp"

#include "io/text_file.hpp"
#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

namespace hypermile::simulate {
namespace {

TEST(platform_file, is_xml_if_it_begins_with_a_tag) {
  EXPECT_TRUE(is_xml("<?xml version='1.0'?>"));
  EXPECT_TRUE(is_xml("\xef\xbb\xbf \r\n\t<platform/>"));
  EXPECT_FALSE(is_xml(""));
  EXPECT_FALSE(is_xml(" \n"));
  EXPECT_FALSE(is_xml("schema: hypermile/platform/1\n# <xml>\n"));
}

class XmlHosts : public testing::Test {
protected:
  std::vector<std::string> listed(const std::string& zone) {
    write(zone);
    std::vector<std::string> texts;
    for (const auto& [node, cores] :
         list_hosts(folder.path("p.xml"), installation(HYPERMILE_LIST_HOSTS), workspace))
      texts.push_back(node.name + " " + std::to_string(cores));
    return texts;
  }
  void expect_refused(const std::string& zone, const std::string& message) {
    try {
      (void)listed(zone);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
  void write(const std::string& zone) {
    io::write_text_file(folder.path("p.xml"),
                        "<?xml version=\"1.0\"?>\n"
                        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                        "<platform version=\"4.1\">\n" +
                            zone + "\n</platform>\n");
  }
  static Installation installation(const std::string& list_hosts) {
    return {.smpimain = "",
            .interposer = "",
            .list_hosts = list_hosts,
            .replay = "",
            .platform_folder = "",
            .model_folder = ""};
  }

  test::TemporaryFolder folder;
  Workspace workspace;
};

TEST_F(XmlHosts, come_in_the_order_of_the_file) {
  EXPECT_EQ(listed(R"(<zone id="a" routing="Full">
                        <zone id="b" routing="Full">
                          <host id="node-2" speed="2Gf,1Gf"/>
                          <host id="node-10" speed="1Gf" core="3"/>
                        </zone>
                        <zone id="c" routing="Full"><host id="a node" speed="1Gf"/></zone>
                      </zone>)"),
            (std::vector<std::string>{"node-2 1", "node-10 3", "a node 1"}));
}

TEST_F(XmlHosts, of_a_cluster_come_in_the_order_of_its_radical) {
  EXPECT_EQ(listed(R"(<cluster id="c" prefix="n" suffix=".x" radical="9-11,2" speed="1Gf"
                               bw="1GBps" lat="1us" core="2"/>)"),
            (std::vector<std::string>{"n9.x 2", "n10.x 2", "n11.x 2", "n2.x 2"}));
}

TEST_F(XmlHosts, are_told_apart_from_what_simgrid_remarks) {
  // SimGrid warns that the latency of a peer is deprecated.
  EXPECT_EQ(listed(R"(<zone id="a" routing="Vivaldi">
                        <peer id="p" speed="1Gf" bw_in="1MBps" bw_out="1MBps" lat="1us"
                              coordinates="1 2 3"/>
                      </zone>)"),
            std::vector<std::string>{"p 1"});
}

TEST_F(XmlHosts, that_simgrid_refuses_are_an_error_with_its_reason) {
  const std::string file = folder.path("p.xml");
  expect_refused(R"(<zone id="a" routing="Full"><host id="x" sped="1Gf"/></zone>)",
                 "SimGrid does not understand the platform " + file + ": Parse error at " + file +
                     ":4: Invalid XML (XML input line 4, state 74): Bad attribute `sped'");
}

TEST_F(XmlHosts, with_the_same_name_are_an_error_without_a_backtrace) {
  expect_refused(
      R"(<zone id="a" routing="Full"><host id="x" speed="1Gf"/><host id="x" speed="1Gf"/></zone>)",
      "p.xml: Refusing to create a second host named 'x'.");
}

TEST_F(XmlHosts, that_are_not_there_are_an_error) {
  expect_refused(R"(<zone id="a" routing="Full"/>)", "p.xml has no hosts");
}

TEST_F(XmlHosts, are_not_listed_further_once_the_user_has_interrupted) {
  io::write_text_file(folder.path("for_ever"), "#!/bin/sh\nexec sleep 1000\n");
  std::filesystem::permissions(folder.path("for_ever"), std::filesystem::perms::owner_all);
  const Interruption interruption;
  ::raise(SIGINT);
  try {
    (void)list_hosts(folder.path("p.xml"), installation(folder.path("for_ever")), workspace);
    FAIL();
  } catch (const Interrupted& interrupted) {
    EXPECT_EQ(interrupted.signal, SIGINT);
  }
}

} // namespace
} // namespace hypermile::simulate
