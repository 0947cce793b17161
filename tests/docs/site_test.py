"""The site of `make docs`: it is made without a warning, its links lead somewhere, and it needs no network.

    site_test.py HYPERMILE

Exit code 77: there is no Sphinx; nothing was tested."""

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest

import site_check

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, "tests/cli/report"))
sys.path.insert(0, os.path.join(SOURCE, "docs/sphinx"))
import browser  # noqa: E402
import pages  # noqa: E402
import commands  # noqa: E402
import contents  # noqa: E402
import figures  # noqa: E402

SKIPPED = 77
NEEDED = ("sphinx", "myst_parser", "sphinx_rtd_theme")
HYPERMILE = None
TOO_WIDE = """
  document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("body *")].filter((element) =>
    element.getBoundingClientRect().right > innerWidth && !element.closest("table, .highlight, .graphviz")
  ).map((element) => element.outerHTML.slice(0, 200)).concat("the page")"""


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = os.path.join(cls.scratch.name, "docs")
        cls.made = subprocess.run([os.path.join(SOURCE, "docs/sphinx/build"), HYPERMILE, cls.folder],
                                  capture_output=True, text=True)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_is_made_without_a_warning(self):
        self.assertEqual((self.made.returncode, self.made.stderr), (0, ""))

    def test_has_no_dead_link_and_loads_nothing_from_the_network(self):
        self.assertEqual(site_check.problems(self.folder), [])

    def test_begins_with_the_readme(self):
        self.assertEqual(site_check.read(os.path.join(self.folder, "index.html")),
                         site_check.read(os.path.join(self.folder, "README.html")))

    def test_has_every_command_with_its_options(self):
        listed = subprocess.run([HYPERMILE, "--help"], capture_output=True, text=True, check=True).stdout
        names = re.findall(r"^  ([a-z][a-z-]+) ", listed.split("Commands:")[1].split("First steps")[0], re.MULTILINE)
        self.assertGreater(len(names), 8)
        for name in names:
            with self.subTest(name):
                usage = subprocess.run([HYPERMILE, name, "--help"], capture_output=True, text=True, check=True).stdout
                page = re.sub("<[^>]*>", "", site_check.read(os.path.join(self.folder, f"commands/hypermile-{name}.html")))
                for option in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", usage, re.MULTILINE):
                    self.assertIn(option, page)

    @unittest.skipUnless(browser.PROGRAM, "there is no Chromium")
    def test_fits_a_phone_and_asks_for_files_of_its_own_only(self):
        with browser.Browser() as page:
            for name in ("index", "docs/README", "docs/tutorial", "docs/comparison", "docs/architecture", "docs/run-json",
                         "docs/python", "commands/hypermile-run", "search"):
                with self.subTest(name):
                    page.open(os.path.join(self.folder, name + ".html"), width=360)
                    self.assertEqual(page.evaluate(TOO_WIDE), [])
                    self.assertEqual(page.errors, [])
                    for address in page.requests:
                        self.assertRegex(address, f"^(data:|file://{self.folder}/)")

    @unittest.skipUnless(browser.PROGRAM, "there is no Chromium")
    def test_can_be_read_in_light_and_in_dark(self):
        unreadable = pages.UNREADABLE.replace("main *:not(.chart *)", "body *:not(object *)")  # of figures: for who cannot show them
        self.assertNotEqual(unreadable, pages.UNREADABLE)
        ground = "getComputedStyle(document.querySelector('.wy-nav-content')).backgroundColor"
        with browser.Browser() as page:
            for name in ("index", "docs/tutorial", "docs/run-json", "docs/python", "docs/architecture", "commands/hypermile-run"):
                for dark in (False, True):
                    with self.subTest(name, dark=dark):
                        page.open(os.path.join(self.folder, name + ".html"), dark=dark)
                        light = sum(map(int, re.findall(r"\d+", page.evaluate(ground))[:3])) / 3
                        self.assertEqual(light < 128, dark)
                        self.assertEqual(page.evaluate(unreadable), [])


class TheCheck(unittest.TestCase):
    """A check that finds nothing on pages that are wrong is worth nothing."""

    def problems_of(self, body, head='<meta name="viewport" content="width=device-width">', **others):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"a.html": f"<html><head>{head}</head><body>{body}</body></html>",
                               "b.html": '<meta name="viewport"><h1 id="there">B</h1>',
                               **{name.replace("_", "."): text for name, text in others.items()}}.items():
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)
            return site_check.problems(folder)

    def test_finds_files_and_places_that_are_not_there(self):
        self.assertEqual(self.problems_of('<a href="b.html#there">B</a> <a href="https://example.org/#x">x</a>'), [])
        self.assertEqual(self.problems_of('<a href="c.html">C</a>'), ["a.html: there is no c.html"])
        self.assertEqual(self.problems_of('<a href="b.html#here">B</a>'), ["a.html: there is no place b.html#here"])
        self.assertEqual(self.problems_of('<a href="#here">A</a>'), ["a.html: there is no place #here"])
        self.assertEqual(self.problems_of('<a href="../b.html">B</a>'), ["a.html: there is no ../b.html"])
        self.assertEqual(self.problems_of('<img src="/b.png">'), ["a.html: /b.png is outside of the site"])

    def test_finds_what_comes_from_the_network(self):
        far = "https://example.org/a"
        for body, others in ((f'<script src="{far}"></script>', {}), (f'<link rel="stylesheet" href="{far}">', {}),
                             ('<img src="//example.org/a">', {}), ("", {"c_css": f"@import '{far}';"}),
                             ("", {"c_css": f"p {{ background: url({far}) }}"}), ("", {"c_js": f'import "{far}";'})):
            with self.subTest(body=body, others=others):
                self.assertEqual(len(self.problems_of(body, **others)), 1)

    def test_finds_pages_that_do_not_fit_a_phone(self):
        self.assertEqual(self.problems_of("", head=""), ["a.html: does not fit a phone, as it has no viewport"])


class TheParts(unittest.TestCase):
    """What docs/sphinx makes of our pages."""

    def test_reads_parts_and_pages_of_the_overview_in_order(self):
        text = "# D\n\n## One\n\n- [A b](a.md): x\n- [C](../C.md)\n\n## None\n\ntext\n\n## Two\n\n- [D](d.md)\n"
        self.assertEqual(contents.parts(text), [("One", [("A b", "docs/a"), ("C", "C")]), ("Two", [("D", "docs/d")])])

    def test_draws_the_flow_charts_that_there_are_and_refuses_others(self):
        chart = 'flowchart TD\n  subgraph x["a b"]\n    one\n  end\n  two["t*"]\n  one --> two\n'
        dot = figures.dot_of(chart)
        for part in ('subgraph cluster_x { label="a b"', 'two [label="t*"]', "one -> two"):
            self.assertIn(part, dot)
        self.assertEqual(dot.count("{"), dot.count("}"))
        for wrong in ("sequenceDiagram\n", "flowchart TD\n  one ==> two\n"):
            with self.assertRaises(ValueError):
                figures.dot_of(wrong)

    def test_makes_markdown_of_pages_for_man(self):
        manual = {"hypermile": "", "hypermile-calibrate-power": "", "hypermile-platform": "", "hypermile-platform-show":
                  ".TH X 1\n.SH OPTIONS\n.TP\n\\fB\\-\\-a\\-b\\fR \\fIN\\fR\nAn *n*; see hypermile\\-platform(1)\n.SH X\n.nf\n  a\\e\n.fi\n"}
        pages = {name: commands.page_of(name, manual) for name in manual}
        self.assertEqual(pages["hypermile-platform-show"], "hypermile-platform")
        self.assertEqual(commands.title("hypermile-calibrate-power", manual), "hypermile calibrate-power")
        text = commands.markdown("hypermile-platform-show", manual, pages)
        for part in ("## hypermile platform show\n", "### Options\n", "`--a-b N`\n: An \\*n\\*; see "
                     "[hypermile-platform](hypermile-platform.md)(1)\n", "```text\n  a\\\n```\n"):
            self.assertIn(part, text)
        with self.assertRaises(ValueError):
            commands.markdown("hypermile", {"hypermile": ".XX y\n"}, {"hypermile": "hypermile"})


if __name__ == "__main__":
    if any(importlib.util.find_spec(module) is None for module in NEEDED):
        print(f"skipped: one of {', '.join(NEEDED)} is not there")
        sys.exit(SKIPPED)
    HYPERMILE = sys.argv.pop(1)
    unittest.main(verbosity=2)
