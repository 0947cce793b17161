"""The page of a program that was steered.

    steer_page_test.py HYPERMILE

Exit code 77: there is no browser, or no page; nothing was tested."""

import os
import re
import sys

import folders
import pages
from pages import PageTest


class SteerPages(PageTest):
    def page(self, name, change=None, **shape):
        folder = self.folder(name)
        report = folders.write_steer(folder, **shape)
        if change:
            change(report)
            folders.write_json(os.path.join(folder, "steer.json"), report)
        return self.report(folder), report

    def verdict(self):
        return self.browser.evaluate("document.querySelector('.verdict').textContent")

    def text(self):
        return self.browser.evaluate("document.body.innerText")

    def test_numbers_equal_the_json(self):
        page, report = self.page("numbers")
        self.show(page)
        self.open_all()
        self.assert_numbers_are_those_of(report, 9)
        self.assertTrue(self.verdict().startswith("Success: the bounds were kept for 99.3 % of 180.50 s"), self.verdict())
        self.assertIn("power at most 90.50 W, throughput at least 120.4 /s", self.verdict())

    def test_has_a_chart_of_all_that_was_set_and_measured(self):
        for gears, charts in ((True, 4), (False, 3)):
            self.show(self.page(f"gears-{gears}", gears=gears)[0])
            self.assertEqual(self.charts_in("over-time"), charts)
            self.assertEqual(self.charts_in("configurations"), 1)

    def test_shows_long_runs_as_means(self):
        page, _ = self.page("long", samples=20_000)
        self.assertLess(os.path.getsize(page), 1e6)
        self.show(page)
        self.assertIn("20,000 samples; a step is the mean of 34", self.text())

    def test_says_how_far_bounds_were_kept(self):
        kept_less = {"bounds_kept_s": 90.25}
        misses = {"keeps_bounds": False}
        none = {"reported_progress": False, "items": 0, "energy_j": 0, "time_s": 0, "steady_s": 0}
        for name, change, said in (("less", kept_less, "kept only for 50.0 % of 180.50 s"),
                                   ("misses", misses, "Failure: no configuration that was tried keeps"),
                                   ("none", none, "Failure: the program reported no progress")):
            self.show(self.page(name, lambda report, c=change: report.update(c))[0])
            self.assertIn(said, self.verdict())
            self.assertIsNone(re.search(r"NaN|undefined|null|Infinity", self.text()))

    def test_never_shows_estimated_or_assumed_power_as_measured(self):
        for source, backend, mark in (("estimated for an emulated node", "emulated", "estimated"),
                                      ("assumed: there is no meter", "cores", "assumed")):
            change = {"power_measured": False, "power_source": source, "backend": backend}
            self.show(self.page(backend, lambda report, c=change: report.update(c))[0])
            energy = "[...document.querySelectorAll('#outcome tbody tr')].find((row) => row.textContent.startsWith('Energy'))"
            self.assertEqual(self.browser.evaluate(f"{energy}.querySelector('.mark').textContent"), mark)

    def test_without_samples_says_what_is_missing(self):
        folder = self.folder("samples")
        report = folders.write_steer(folder)
        os.remove(os.path.join(folder, "timeline.csv"))
        self.show(self.report(folder))
        self.assert_numbers_are_those_of(report, 9)
        self.assertIn("the file timeline.csv is not there", self.text())

    def test_can_be_read_by_everybody(self):
        page, _ = self.page("all")
        for width, dark in ((360, False), (1100, True)):
            self.show(page, width=width, dark=dark)
            self.open_all()
            for wrong in (pages.TOO_WIDE, pages.UNREADABLE, pages.UNLABELLED):
                self.assertEqual(self.browser.evaluate(wrong), [])
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#decisions i').length"), 0)


if __name__ == "__main__":
    sys.exit(pages.main())
