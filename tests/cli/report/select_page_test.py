"""The pages of plans and fronts of `hypermile select`.

    select_page_test.py HYPERMILE

Exit code 77: there is no browser, or no page; nothing was tested."""

import json
import os
import random
import re
import subprocess
import sys

import pages
from pages import PageTest

GEARS = [2.6, 2.4, 2.2, 2.0, 1.8, 1.6, 1.4, 1.2]


class SelectPages(PageTest):
    def select(self, name, nodes, *options):
        """What `hypermile select` prints, and the file that keeps it."""
        draw = random.Random(nodes)
        problem = self.folder(f"problem-{nodes}.json")
        with open(problem, "w", encoding="utf-8") as file:
            json.dump({"model": "cluster", "nodes": [
                {"gears_ghz": GEARS, "tcp_s": draw.uniform(1, 2), "tcm_s": draw.uniform(0.1, 1), "pd_w": 20,
                 "ps_w": 4} for _ in range(nodes)]}, file)
        result = subprocess.run([pages.HYPERMILE, "select", problem, "--json", *options], check=True,
                                stdout=subprocess.PIPE).stdout
        with open(self.folder(name), "wb") as file:
            file.write(result)
        return json.loads(result), self.folder(name)

    def page_of(self, file):
        subprocess.run([pages.HYPERMILE, "report", file], check=True, stderr=subprocess.DEVNULL)
        return os.path.splitext(file)[0] + ".html"

    def text(self):
        return self.browser.evaluate("document.body.innerText")

    def test_numbers_of_plans_equal_their_json(self):
        for name, options in (("plan.json", ["--max-slowdown", "0.05"]), ("plans.json", ["--compare", "exact,alg5,slack"])):
            document, file = self.select(name, 8, *options)
            self.show(self.page_of(file))
            self.open_all()
            self.assert_numbers_are_those_of(document, 9)
            self.assertEqual(self.charts_in("computed-front"), 1)
            self.assertIsNone(re.search(r"NaN|undefined|null|Infinity", self.text()))

    def test_methods_of_the_papers_are_beside_the_front(self):
        _, file = self.select("methods.json", 8, "--max-slowdown", "0.05")
        self.show(self.page_of(file))
        methods = self.browser.evaluate(
            "[...document.querySelectorAll('#computed-front tbody th')].map((th) => th.textContent)")
        self.assertLessEqual({"exact (chosen)", "slack", "alg5"}, set(methods))
        alg5, = [plan for plan in self.select("compared.json", 8, "--compare", "exact,alg5")[0] if plan["method"] == "alg5"]
        row = "[...document.querySelectorAll('#computed-front tbody tr')].find((tr) => tr.cells[0].textContent === 'alg5')"
        shown = self.browser.evaluate(f"[1, 2].map((i) => Number({row}.cells[i].querySelector('data').value))")
        self.assertEqual(shown, [alg5["time_s"], alg5["energy_j"]])

    def test_numbers_of_a_front_equal_its_json(self):
        document, file = self.select("front.json", 12, "--pareto")
        self.show(self.page_of(file))
        self.open_all()
        self.assert_numbers_are_those_of(document, 20)
        self.assertIn(f"{len(document['points'])} points", self.text().replace("\u00a0", " "))

    def test_large_fronts_make_pages_that_can_be_sent(self):
        for name, options in (("large-front.json", ["--pareto"]), ("large-plan.json", [])):
            _, file = self.select(name, 2000, *options)
            page = self.page_of(file)
            self.assertLess(os.path.getsize(page), 2e6)
            self.show(page)

    def test_can_be_read_by_everybody(self):
        page = self.page_of(self.select("all.json", 8, "--compare", "exact,alg5")[1])
        for width, dark in ((360, False), (1100, True)):
            self.show(page, width=width, dark=dark)
            self.open_all()
            for wrong in (pages.TOO_WIDE, pages.UNREADABLE, pages.UNLABELLED):
                self.assertEqual(self.browser.evaluate(wrong), [])


if __name__ == "__main__":
    sys.exit(pages.main())
