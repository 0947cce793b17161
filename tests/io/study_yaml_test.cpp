#include "io/refusal.hpp"
#include "io/study_yaml.hpp"

#include "io/text_file.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::io {
namespace {

const std::string valid_study = R"(schema: hypermile/study/1
study: powers
programs:
  - name: cg
    command: ./cg --class {class} "a b"
    classes: [S, W]
    ranks: [4, 8]
    options: {max-slowdown: 3%, gears: ["0,1", "2"]}
  - name: ep
    command: [./ep, "{n}"]
    ranks: [2]
platforms: [table-3.1, my.yaml]
methods: [exact, alg5]
options: {reference-speed: 300Gf}
repeat: 2
)";

/// Method, platform and option that nobody knows.
const StudyChecks checks{.method =
                             [](const std::string& name) {
                               if (name == "best")
                                 throw Error(ErrorKind::config, "no such method");
                             },
                         .platform =
                             [](const std::string& name) {
                               if (name == "moon")
                                 throw Error(ErrorKind::config, "no such platform");
                             },
                         .option =
                             [](const study::Option& option) {
                               if (option.name == "colour")
                                 throw Error(ErrorKind::config, "no such option");
                             }};

study::Study parse(const std::string& text) { return parse_study(text, "s.yaml", checks); }

std::string study_with(const std::string& from, const std::string& to) {
  std::string text = valid_study;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_study_error(const std::string& text, const std::string& message) {
  test::expect_part(refusal([&] { return parse(text); }), message);
}

TEST(study_yaml, reads_programs_platforms_methods_and_options) {
  const auto study = parse(valid_study);
  EXPECT_EQ(study.name, "powers");
  ASSERT_EQ(study.programs.size(), 2U);
  const auto& cg = study.programs[0];
  EXPECT_EQ(cg.command, (std::vector<std::string>{"./cg", "--class", "{class}", "a b"}));
  EXPECT_EQ(cg.classes, (std::vector<std::string>{"S", "W"}));
  EXPECT_EQ(cg.ranks, (std::vector<std::size_t>{4, 8}));
  ASSERT_EQ(cg.options.size(), 2U);
  EXPECT_EQ(cg.options[1].name, "gears");
  EXPECT_EQ(cg.options[1].values, (std::vector<std::string>{"0,1", "2"}));
  EXPECT_EQ(study.programs[1].classes, std::vector<std::string>{""});
  EXPECT_EQ(study.platforms, (std::vector<std::string>{"table-3.1", "my.yaml"}));
  EXPECT_EQ(study.methods, (std::vector<std::string>{"exact", "alg5"}));
  EXPECT_EQ(study.options[0].values, std::vector<std::string>{"300Gf"});
  EXPECT_EQ(study.repeat, 2U);
  EXPECT_EQ(study::count_cells(study), (2U * 2 + 1) * 2 * 2);
}

TEST(study_yaml, reads_the_bundled_study) {
  const std::string file = HYPERMILE_SOURCE_DIR "/studies/powers.yaml";
  EXPECT_EQ(study::count_cells(parse(read_text_file(file))), 10U);
}

TEST(study_yaml, names_file_line_and_key_of_what_it_refuses) {
  expect_study_error(study_with("study: powers", "study: powers\ncolour: red"),
                     "s.yaml:3: unknown key 'colour'");
  expect_study_error(study_with("    ranks: [2]", "    rank: [2]"),
                     "s.yaml:11: programs[1]: unknown key 'rank'");
  expect_study_error(study_with("hypermile/study/1", "hypermile/study/2"), "s.yaml:1: schema: ");
  expect_study_error(study_with("study: powers\n", ""), "the key 'study' is missing");
  expect_study_error(study_with("study: powers", "study: a/b"),
                     "s.yaml:2: study: 'a/b' is not a name");
  expect_study_error(study_with("[4, 8]", "[4, eight]"),
                     "s.yaml:7: programs[0].ranks[1]: 'eight' is not a whole number");
  expect_study_error(study_with("[4, 8]", "[4, -8]"), "s.yaml:7: programs[0].ranks[1]");
  expect_study_error(study_with("[4, 8]", "[4, 0]"), "s.yaml:7: programs[0].ranks[1]");
  expect_study_error(study_with("[4, 8]", "[4, nan]"), "s.yaml:7: programs[0].ranks[1]");
  expect_study_error(study_with("[4, 8]", "4"), "s.yaml:7: programs[0].ranks: must be a list");
  expect_study_error(study_with("[4, 8]", "[100001]"), "s.yaml:7: programs[0].ranks[0]: ");
  expect_study_error(study_with("repeat: 2", "repeat: 0"), "s.yaml:15: repeat: '0'");
  expect_study_error(study_with("repeat: 2", "repeat: [2]"),
                     "s.yaml:15: repeat: must be a single value");
  expect_study_error("", "s.yaml is empty");
  expect_study_error(study_with("[S, W]", "[S, W"), "not valid YAML");
}

TEST(study_yaml, refuses_empty_lists) {
  expect_study_error(study_with("[S, W]", "[]"),
                     "s.yaml:6: programs[0].classes: must be a list with at");
  expect_study_error(study_with("[4, 8]", "[]"),
                     "s.yaml:7: programs[0].ranks: must be a list with at");
  expect_study_error(study_with("[exact, alg5]", "[]"),
                     "s.yaml:13: methods: must be a list with at");
  expect_study_error(study_with("[table-3.1, my.yaml]", "[]"),
                     "s.yaml:12: platforms: must be a list");
  expect_study_error(study_with("[./ep, \"{n}\"]", "[]"),
                     "s.yaml:10: programs[1].command: must be");
  expect_study_error(study_with("[./ep, \"{n}\"]", "\"\""),
                     "s.yaml:10: programs[1].command: there is no");
  expect_study_error(study_with("[./ep, \"{n}\"]", "[\"\"]"),
                     "s.yaml:10: programs[1].command: the program");
  expect_study_error(study_with("{reference-speed: 300Gf}", "{}"),
                     "s.yaml:14: options: must be a map");
}

TEST(study_yaml, refuses_what_is_there_twice) {
  expect_study_error(study_with("[S, W]", "[S, S]"),
                     "s.yaml:6: programs[0].classes[1]: 'S' is there twice");
  expect_study_error(study_with("[4, 8]", "[4, 4]"),
                     "s.yaml:7: programs[0].ranks[1]: '4' is there twice");
  expect_study_error(study_with("[exact, alg5]", "[exact, exact]"),
                     "s.yaml:13: methods[1]: 'exact'");
  expect_study_error(study_with("table-3.1, my", "my.yaml, my"),
                     "s.yaml:12: platforms[1]: 'my.yaml'");
  expect_study_error(study_with("name: ep", "name: cg"),
                     "s.yaml:9: programs[1].name: 'cg' is there twice");
  expect_study_error(study_with("{max-slowdown: 3%,", "{gears: 1,"),
                     "s.yaml:8: programs[0].options: the key");
  expect_study_error(study_with("repeat: 2", "study: powers"), "the key 'study' is there twice");
}

TEST(study_yaml, asks_others_about_methods_platforms_and_options) {
  expect_study_error(study_with("alg5", "best"), "s.yaml:13: methods[1]: no such method");
  expect_study_error(study_with("my.yaml", "moon"), "s.yaml:12: platforms[1]: no such platform");
  expect_study_error(study_with("reference-speed", "colour"),
                     "s.yaml:14: options.colour: no such option");
  expect_study_error(study_with("max-slowdown", "colour"),
                     "s.yaml:8: programs[0].options.colour: no such option");
}

TEST(study_yaml, refuses_classes_that_make_no_difference_and_a_class_that_is_none) {
  expect_study_error(study_with("{class}", "A"),
                     "s.yaml:6: programs[0].classes: differ in nothing");
  expect_study_error(study_with("{n}", "{class}"),
                     "s.yaml:9: programs[1]: a command, recording or option");
  expect_study_error(
      study_with("{n}", "{ranks}"),
      "s.yaml:10: programs[1].command[1]: there is nothing to put in place of {ranks}");
  EXPECT_NO_THROW(parse(study_with("classes: [S, W]", "classes: [S]")));
}

TEST(study_yaml, refuses_more_cells_than_anybody_could_simulate) {
  expect_study_error(study_with("repeat: 2", "repeat: 10000000"), "has more than 100000 cells");
}

TEST(study_yaml, with_a_byte_too_few_or_another_one_is_read_or_refused_with_its_place) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string text = valid_study;
    const auto at = random() % text.size();
    if (round % 2 == 0)
      text.resize(at);
    else
      text[at] = static_cast<char>(random() % 256);
    try {
      EXPECT_GE(study::cells_of(parse(text)).size(), 1U);
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("s.yaml")) << error.what();
    }
  }
}

} // namespace
} // namespace hypermile::io
