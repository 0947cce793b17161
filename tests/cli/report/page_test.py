"""The page of `hypermile report` as a browser shows it.

    page_test.py HYPERMILE [PROGRAM]    PROGRAM: one of ours that was built with smpicc, to be simulated

Exit code 77: there is no browser, or no page; nothing was tested."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import browser
import folders

SKIPPED = 77
HYPERMILE = None
PROGRAM = None

UNITS = {"": 1, "s": 1, "J": 1, "W": 1}
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


class Pages(unittest.TestCase):
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

    def page_of_run(self, nodes, *options, **shape):
        folder = self.folder(f"run-{nodes}")
        report = folders.run_report(nodes, **shape)
        folders.write_run(folder, report)
        return self.report(folder, *options), report

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

    def assert_numbers_are_those_of(self, document, least):
        numbers = self.browser.evaluate(ALL_NUMBERS)
        self.assertGreater(len(numbers), least)
        for number in numbers:
            with self.subTest(**number):
                self.assertEqual(number["value"], at(document, number["path"]))
                shown, last_digit = shown_value(number["text"], number["path"])
                self.assertLessEqual(abs(shown - number["value"]), last_digit / 2 * (1 + 1e-6) + 1e-12)

    def test_numbers_of_a_run_equal_its_json(self):
        page, report = self.page_of_run(8)
        self.show(page)
        self.open_all()
        self.assert_numbers_are_those_of(report, 60)
        self.assertEqual(self.browser.evaluate("document.querySelector('.verdict').textContent"), report["verdict"])

    def simulation(self):
        if PROGRAM is None:
            self.skipTest("this hypermile was built without SimGrid")
        folder = self.folder("simulation")
        if not os.path.exists(folder):
            subprocess.run([HYPERMILE, "simulate", "--platform", "table-3.1", "-n", "8", "--compare", "exact,alg5",
                            "--report", folder, "--quiet", "--", PROGRAM, "--class", "S"],
                           check=True, stdout=subprocess.DEVNULL)
        return folder

    def charts_in(self, section):
        return self.browser.evaluate(f"document.querySelectorAll('#{section} .chart').length")

    def test_numbers_of_a_simulation_equal_its_json(self):
        folder = self.simulation()
        self.show(self.report(folder))
        self.open_all()
        with open(os.path.join(folder, "simulation.json"), encoding="utf-8") as file:
            self.assert_numbers_are_those_of(json.load(file), 40)

    def test_a_simulation_has_charts_of_each_run(self):
        self.show(self.report(self.simulation()))
        expected = {"before-after": 2, "predicted": 1, "front": 1, "nodes": 2, "ranks": 3, "timeline": 3, "power": 1}
        self.assertEqual({section: self.charts_in(section) for section in expected}, expected)
        self.assertIn("Nothing that this page", self.browser.evaluate("document.querySelector('#missing').textContent"))

    def test_numbers_of_a_study_equal_the_json_of_its_cells(self):
        if PROGRAM is None:
            self.skipTest("this hypermile was built without SimGrid")
        results, study = self.folder("study.results"), self.folder("study.yaml")
        with open(study, "w", encoding="utf-8") as file:
            file.write(f"""schema: hypermile/study/1
study: study
programs: [{{name: cg, command: ["{PROGRAM}", --class, S], ranks: [4, 6]}}]
platforms: [table-3.1, table-3.1-80-20]
methods: [exact]
""")
        sweep = subprocess.run([HYPERMILE, "sweep", study, "--json", "--quiet"], check=False, stdout=subprocess.PIPE)
        self.show(self.report(results))
        documents = {}
        for name in os.listdir(results):
            if name.endswith(".json"):
                with open(os.path.join(results, name), encoding="utf-8") as file:
                    documents[name] = json.load(file)
        self.assert_numbers_are_those_of(documents, 12)
        self.assertEqual((self.charts_in("means"), self.charts_in("cells")), (2, 0))
        mean = self.browser.evaluate("document.querySelector('#means tbody td:nth-child(4)').textContent")
        self.assertEqual(mean, f"{json.loads(sweep.stdout)['means'][0]['saving_percent']:+.2f} %")
        failed = self.browser.evaluate("document.querySelectorAll('#failures tbody tr').length")
        self.assertEqual(failed, 2)  # cg wants a power of two of ranks

    def test_says_which_files_of_a_simulation_are_missing(self):
        folder = self.folder("part")
        shutil.copytree(self.simulation(), folder)
        for name in ("exact.timeline.txt", "alg5.run"):
            os.remove(os.path.join(folder, name))
        self.show(self.report(folder))
        self.assertEqual((self.charts_in("timeline"), self.charts_in("ranks")), (2, 2))
        missing = self.browser.evaluate("document.querySelector('#missing').textContent")
        for name in ("exact.timeline.txt", "alg5.run"):
            self.assertIn(name, missing)

    def test_texts_of_the_report_never_become_markup(self):
        page, report = self.page_of_run(8)
        self.show(page)
        remarks = self.browser.evaluate("document.querySelector('#remarks li').textContent")
        self.assertEqual(remarks, report["remarks"][0])
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#remarks b').length"), 0)

    def test_fits_360_pixels(self):
        for width in (360, 1100):
            self.show(self.page_of_run(128)[0], width=width)
            self.assertEqual(self.browser.evaluate(TOO_WIDE), [])

    def test_can_be_read_in_both_colour_schemes(self):
        page, _ = self.page_of_run(8)
        for dark in (False, True):
            self.show(page, dark=dark)
            ground = self.browser.evaluate("getComputedStyle(document.body).backgroundColor")
            light = sum(map(int, re.findall(r"\d+", ground))) / 3
            self.assertEqual(light < 128, dark, ground)
            self.assertEqual(self.browser.evaluate(UNREADABLE), [])
        self.browser.set_dark(False)
        self.browser.evaluate("new Promise((done) => setTimeout(done, 100))")
        self.assertEqual(self.browser.evaluate(UNDRAWN), [])
        self.assert_quiet(page)

    def test_everything_has_a_label_and_can_be_reached_by_keyboard(self):
        page, report = self.page_of_run(8)
        self.show(page)
        self.open_all()
        self.assertEqual(self.browser.evaluate(UNLABELLED), [])
        self.browser.press("Tab")
        self.assertEqual(self.browser.evaluate("document.activeElement.className"), "skip")
        reached = set()
        for _ in range(200):
            self.browser.press("Tab")
            reached.add(self.browser.evaluate("document.activeElement.tagName"))
        self.assertLessEqual({"A", "INPUT", "SUMMARY"}, reached)

    def test_cost_follows_the_factors_of_the_reader(self):
        page, report = self.page_of_run(8, "--price", "0.25", "--currency", "EUR", "--co2", "400")
        self.show(page)
        cells = "[...document.querySelectorAll('#cost tbody tr:last-child td')].map((td) => td.textContent)"
        kwh = report["energy"]["measured_j"] * 1000 / 3.6e6
        energy, cost, co2 = self.browser.evaluate(cells)[:3]
        self.assertAlmostEqual(float(energy.split()[0]) / kwh, 1, places=3)
        self.assertAlmostEqual(float(cost.split()[0]) / (kwh * 0.25), 1, places=3)
        self.assertEqual((cost.split()[1], co2.split()[1]), ("EUR", "kg"))
        self.assertAlmostEqual(float(co2.split()[0]) / (kwh * 0.4), 1, places=3)
        self.browser.evaluate("""(() => {
          const price = document.querySelector("#cost input");
          price.value = "0.5";
          price.dispatchEvent(new Event("input"));
        })()""")
        self.assertAlmostEqual(float(self.browser.evaluate(cells)[1].split()[0]) / (kwh * 0.5), 1, places=3)

    def test_nodes_are_found_by_name(self):
        self.show(self.page_of_run(1000)[0])
        self.open_all()
        rows = "document.querySelectorAll('#nodes details tbody tr').length"
        self.assertGreater(self.browser.evaluate(rows), 10)
        self.browser.evaluate("""document.querySelectorAll('#nodes input').forEach((input) => {
          input.value = 'node00777';
          input.dispatchEvent(new Event('input'));
        })""")
        found = self.browser.evaluate("[...document.querySelectorAll('#nodes details tbody th')].map((th) => th.textContent)")
        self.assertEqual(set(found), {"node00777"})

    def test_prints_all_charts(self):
        page, _ = self.page_of_run(128)
        self.show(page, dark=True)
        pdf = self.browser.call("Page.printToPDF", printBackground=False)["data"]
        self.assertGreater(len(pdf), 50_000)
        self.assertEqual(self.browser.evaluate(UNDRAWN), [])
        self.assert_quiet(page)

    def test_large_jobs_make_pages_that_can_be_sent(self):
        for nodes, ranks_per_node, most in ((128, 8, 2e6), (10_000, 4, 5e6)):
            page, _ = self.page_of_run(nodes, ranks_per_node=ranks_per_node, choices=20)
            self.assertLess(os.path.getsize(page), most)
            self.show(page)

    def test_leaves_out_phases_that_took_no_time_and_says_so(self):
        report = folders.run_report(8)
        short = dict(report["phases"][0], share=0.0, times=0, iterations=0, one_iteration="", gears=None)
        report["phases"] = [short, report["phases"][0], short]
        folder = self.folder("phases")
        folders.write_run(folder, report)
        self.show(self.report(folder))
        rows = self.browser.evaluate(
            "[...document.querySelectorAll('#choices table')].filter((table) => table.caption.textContent"
            ".startsWith('Phases')).flatMap((table) => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent))")
        self.assertEqual(rows, ["2"])
        self.assertIn("Left out: 2 phases of less than 1 % of the time.",
                      self.browser.evaluate("document.querySelector('#choices').innerText"))
        self.assert_numbers_are_those_of(report, 10)

    def test_says_what_a_run_without_figures_is_missing(self):
        report = folders.run_report(8)
        report.update(baseline=None, measured=None, predicted=None, whole_run=None, phases=[], decisions=[],
                      trade_offs=[], sensitivities=[], power_caps=[], remarks=[], verdict="", gears_in_effect=False)
        report["energy"].update(measured_j=None, power_table_j=None, meters=[])
        folder = self.folder("empty")
        folders.write_run(folder, report)
        self.show(self.report(folder))
        self.assert_numbers_are_those_of(report, 3)
        text = self.browser.evaluate("document.body.innerText")
        for said in ("not known", "No energy is known", "No gears were chosen", "Nothing was predicted"):
            self.assertIn(said, text)
        self.assertIsNone(re.search(r"NaN|undefined|null|Infinity", text))


def main():
    global HYPERMILE, PROGRAM
    HYPERMILE = sys.argv[1]
    PROGRAM = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    if browser.PROGRAM is None:
        print("skipped: there is no chromium; apt-get install chromium")
        return SKIPPED
    page = os.path.join(os.path.dirname(HYPERMILE), "../share/hypermile/report.html")
    if not os.path.exists(page):
        print("skipped: this hypermile was built without the page; apt-get install nodejs npm, and build again")
        return SKIPPED
    unittest.main(argv=sys.argv[:1], verbosity=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
