"""What the tests of the page of `hypermile report` share: a browser that shows pages, and how what it shows is
compared with the JSON."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import browser

SKIPPED = 77
HYPERMILE = None
PROGRAM = None
MPI_PROGRAM = None

UNITS = {"": 1, "s": 1, "J": 1, "W": 1, "/s": 1}
PREFIXES = {"G": 1e9, "M": 1e6, "k": 1e3, "": 1, "m": 1e-3, "µ": 1e-6}
ALL_NUMBERS = """
  [...document.querySelectorAll("data[data-path]")].map((data) => ({
    path: data.dataset.path, value: Number(data.value), text: data.textContent,
  }))"""
READY = """new Promise((done) => {
  const look = () => (document.documentElement.dataset.ready ? done() : setTimeout(look, 10));
  look();
})"""
UNDRAWN = """
  [...document.querySelectorAll(".chart")].filter((box) => {
    const canvas = box.querySelector("canvas");
    if (!canvas) return box.querySelectorAll("svg path, svg rect, svg text").length < 5;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return !data.some((byte) => byte > 0);
  }).map((box) => box.getAttribute("aria-label"))"""
UNLABELLED = """
  [...document.querySelectorAll("input, select, nav, .chart, section, [role=region]")].filter((element) =>
    !(element.labels?.length || element.getAttribute("aria-label") || element.getAttribute("aria-labelledby"))
  ).map((element) => element.outerHTML.slice(0, 200))"""
TOO_WIDE = """
  document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("main *")].filter((element) =>
    element.getBoundingClientRect().right > innerWidth && !element.closest(".scroll, .chart")
  ).map((element) => element.outerHTML.slice(0, 200))"""
# Contrast of WCAG 2 between the text and the ground of each element that has text of its own.
UNREADABLE = """(() => {
  const channel = (c) => ((c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = (rgb) => 0.2126 * channel(rgb[0]) + 0.7152 * channel(rgb[1]) + 0.0722 * channel(rgb[2]);
  const rgba = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const hasText = (element) => [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
  return [...document.querySelectorAll("main *:not(.chart *)")].filter(hasText).filter((element) => {
    const [a, b] = [light(rgba(getComputedStyle(element).color)), light(ground(element))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
  }).map((element) => element.outerHTML.slice(0, 200));
})()"""


def at(document, path):
    """The value in a document; of "file.json#path", in the document of that file."""
    if "#" in path:
        file, path = path.split("#")
        document = document[file]
    for key in path.split("."):
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def shown_value(text, path):
    """What a text says of the number with this path, and how much its last digit is."""
    digits, unit = re.fullmatch(r"([+-]?[\d.]+(?:e[+-]?\d+)?) ?(.*)", text).groups()
    mantissa, _, exponent = digits.partition("e")
    last = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    if unit == "%":
        if path.endswith("_percent"):
            return float(digits), last
        return float(digits) / 100 + path.endswith("_ratio"), last / 100  # "+4.7 %" is 1.047 of gear 0
    prefix, base = (unit[0], unit[1:]) if unit[:1] in PREFIXES and unit[1:] in UNITS and unit[1:] else ("", unit)
    factor = PREFIXES[prefix] * UNITS[base]
    return float(digits) * factor, last * factor


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="hypermile-report-")
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.temporary.cleanup()

    def folder(self, name):
        return os.path.join(self.temporary.name, name)

    def report(self, folder, *options):
        subprocess.run([HYPERMILE, "report", folder, *options], check=True, stderr=subprocess.DEVNULL)
        return os.path.join(folder, "report.html")

    def show(self, page, **how):
        self.browser.open(page, **how)
        self.browser.evaluate(READY)
        self.assertEqual(self.browser.evaluate(UNDRAWN), [])
        self.assert_quiet(page)

    def assert_quiet(self, page):
        self.assertEqual(self.browser.errors, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith("data:")], [f"file://{page}"])

    def open_all(self):
        self.browser.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        self.browser.evaluate("new Promise((done) => setTimeout(done, 100))")

    def charts_in(self, section):
        return self.browser.evaluate(f"document.querySelectorAll('#{section} .chart').length")

    def assert_numbers_are_those_of(self, document, least):
        numbers = self.browser.evaluate(ALL_NUMBERS)
        self.assertGreater(len(numbers), least)
        for number in numbers:
            with self.subTest(**number):
                self.assertEqual(number["value"], at(document, number["path"]))
                shown, last_digit = shown_value(number["text"], number["path"])
                self.assertLessEqual(abs(shown - number["value"]), last_digit / 2 * (1 + 1e-6) + 1e-12)


def main():
    """Runs the tests of the program that was started as PROGRAM.py HYPERMILE [PROGRAM [MPI_PROGRAM]]."""
    global HYPERMILE, PROGRAM, MPI_PROGRAM
    HYPERMILE = sys.argv[1]
    PROGRAM = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    MPI_PROGRAM = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
    if browser.PROGRAM is None:
        print("skipped: there is no chromium; apt-get install chromium")
        return SKIPPED
    page = os.path.join(os.path.dirname(HYPERMILE), "../share/hypermile/report.html")
    if not os.path.exists(page):
        print("skipped: this hypermile was built without the page; apt-get install nodejs npm, and build again")
        return SKIPPED
    unittest.main(argv=sys.argv[:1], verbosity=2)
    return 0
