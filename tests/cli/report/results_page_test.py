"""The pages of results that are a file: of reproduce, fit and collective.

    results_page_test.py HYPERMILE

Exit code 77: there is no browser, or no page; nothing was tested."""

import re
import statistics
import subprocess
import sys

import folders
import pages
import results
from pages import PageTest

# How many numbers of the JSON are on the page, at least, and how many charts.
EXPECTED = {"reproduction": (25, 1), "multisplitting": (60, 1), "fit": (15, 1), "m16": (36, 2), "d13": (30, 2),
            "collective-estimate": (40, 2), "collective-calibration": (-1, 2)}


class ResultPages(PageTest):
    def page_of(self, name, document):
        file = self.folder(f"{name}.json")
        folders.write_json(file, document)
        subprocess.run([pages.HYPERMILE, "report", file], check=True, stderr=subprocess.DEVNULL)
        return self.folder(f"{name}.html")

    def text(self):
        return self.browser.evaluate("document.body.innerText")

    def test_numbers_equal_the_json_and_can_be_read_by_everybody(self):
        for name, document in results.ALL.items():
            page = self.page_of(name, document)
            least, charts = EXPECTED[name]
            for width, dark in ((360, False), (1100, True)):
                with self.subTest(name, width=width):
                    self.show(page, width=width, dark=dark)
                    self.open_all()
                    for wrong in (pages.TOO_WIDE, pages.UNREADABLE, pages.UNLABELLED):
                        self.assertEqual(self.browser.evaluate(wrong), [])
            with self.subTest(name):
                self.assert_numbers_are_those_of(document, least)
                self.assertEqual(self.browser.evaluate("document.querySelectorAll('.chart').length"), charts)
                self.assertIsNone(re.search(r"NaN|undefined|null|Infinity", self.text()))
                self.assertEqual(self.browser.evaluate("document.querySelectorAll('main i, main script').length"), 0)

    def test_what_papers_printed_is_marked(self):
        self.show(self.page_of("marked", results.reproduction()))
        marks = """[...document.querySelectorAll('tbody tr')].filter((row) => row.textContent.includes('published, '))
          .flatMap((row) => [...row.querySelectorAll('.mark')].map((mark) => mark.textContent))"""
        self.assertEqual(set(self.browser.evaluate(marks)), {"published"})

    def test_medians_of_a_calibration_are_those_of_its_passes(self):
        document = results.calibration()
        self.show(self.page_of("medians", document))
        shown = self.browser.evaluate("""[...document.querySelectorAll('tbody tr')].map((row) => [
          row.cells[0].textContent, row.cells[1].textContent, Number(row.cells[3].querySelector('data').value)])""")
        cells = [cell for measured in document["measured"] for cell in measured["cells"]]
        self.assertEqual([row[2] for row in shown], [statistics.median(cell["times_s"]) for cell in cells])
        self.assertEqual({row[1] for row in shown}, {"1KiB", "64KiB", "1MiB"})

    def test_one_size_is_shown_as_bars(self):
        self.show(self.page_of("one", results.estimate(sizes=(4096,))))
        self.assertIn("Time, by run", self.browser.evaluate("document.querySelector('figcaption').textContent"))


if __name__ == "__main__":
    sys.exit(pages.main())
