"""The pages of what commands have really printed and left: of a run with the log of a wattmeter, and of reproduce,
fit and bcast.

    real_page_test.py HYPERMILE BUILD

Exit code 77: there is no browser, or no page; nothing was tested."""

import json
import os
import re
import subprocess
import sys
import time

import pages
from pages import PageTest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../schemas"))
from outputs import SPEED, Outputs  # noqa: E402

BUILD = sys.argv.pop() if len(sys.argv) > 2 else None


class RealPages(PageTest):
    def setUp(self):
        folder = self.folder(self.id().rsplit(".", maxsplit=1)[-1])
        os.mkdir(folder)
        self.outputs = Outputs(BUILD, folder)

    def needs(self, what):
        if not what:
            self.skipTest("this hypermile was built without it")

    def read(self, path):
        with open(self.outputs.path(path), encoding="utf-8") as file:
            return json.load(file)

    def expect_page_of(self, name, document, least, charts):
        """The page of such a JSON: every number is that of the JSON, and nothing is left blank."""
        self.outputs.kept(name, document)
        self.outputs.hypermile("report", name)
        self.show(self.outputs.path(name.replace(".json", ".html")))
        self.open_all()
        self.assert_numbers_are_those_of(document, least)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('.chart').length"), charts)
        self.assertIsNone(re.search(r"NaN|undefined|null|Infinity", self.browser.evaluate("document.body.innerText")))

    def test_of_a_run_have_its_timeline_before_and_after_and_the_power_of_a_wattmeter(self):
        self.needs(self.outputs.mpi)
        now = int(time.time())
        log = "".join(f"{now + second},{100 + second % 7}\n" for second in range(-10, 600))
        self.outputs.written("power.csv", f"time,power_w\n{log}")
        self.outputs.hypermile("run", "--dry-run", "--baseline", "--report", "out",
                               "--meter", "wattmeter:power.csv", "-q", *self.outputs.job(2, "ring"))
        report, loop = self.read("out/run.json"), self.read("out/loop.json")
        self.show(self.report(self.outputs.path("out")))
        self.open_all()
        self.assert_numbers_are_those_of({**report, "loop.json": loop}, 40)
        self.assertEqual({part: self.charts_in(part) for part in ("timeline", "power", "ranks", "front")},
                         {"timeline": 2, "power": 1, "ranks": 1, "front": 1})
        paths = self.browser.evaluate("[...document.querySelectorAll('#timeline data')].map((data) => data.dataset.path)")
        for side in ("before", "after"):
            self.assertIn(f"loop.json#{side}.path.computing_s", paths)
        said = self.browser.evaluate("document.querySelector('#power').innerText")
        self.assertIn("external meter", said)
        powers = [step["power_w"] for step in report["energy"]["external"]["power_over_time"]]
        self.assertTrue(powers and all(100 <= power <= 106 for power in powers), powers)

    def test_of_a_reproduction_with_programs_that_failed(self):
        self.needs(self.outputs.simulates)
        programs = ["--program", f"EP={self.outputs.program('ep')[0]} --class S"]
        for name in ("CG", "MG", "FT", "BT"):
            programs += ["--program", f"{name}=/bin/false"]
        document = self.outputs.printed("reproduce", "f16-2.3", "--class", "S", "-o", self.outputs.path("tables"), "-q", *SPEED,
                                        "--json", *programs, codes=(0, 1))
        self.expect_page_of("reproduction.json", document, 20, 1)

    def test_of_a_fit(self):
        self.needs(self.outputs.simulates)
        model = self.outputs.written("model.lua", "local work = param('work', 1e10, 'operations in all')\n"
                                     "role('all', function(p)\n  steps(100, 12, function(i)\n"
                                     "    compute(work / p.ranks) allreduce(8)\n  end)\nend)\n")
        runs = self.outputs.written("runs.csv", "ranks,time_s\n1,10\n2,6\n4,3\n8,1.4\n")
        document = self.outputs.printed("fit", model, runs, "--platform", "galera-plus", "--parameter", "work", "-q", "--json")
        self.expect_page_of("fit.json", document, 10, 1)

    def test_of_a_calibration_of_broadcasts_and_of_what_it_estimates(self):
        self.needs(self.outputs.mpi)
        self.outputs.hypermile("bcast", "calibrate", "--sizes", "64KiB:128KiB", "--segments", "128KiB", "--passes", "2",
                               "--seconds", "0.001", "--platform", "table-3.1", "-o", "calibration.json", "--",
                               f"mpirun.{self.outputs.mpi}", "-n", "2")
        self.expect_page_of("shown.json", self.read("calibration.json"), -1, 1)
        estimate = self.outputs.printed("bcast", "estimate", "calibration.json", "--size", "64KiB", "--json")
        self.expect_page_of("estimate.json", estimate, 10, 2)
        choice = self.outputs.printed("bcast", "choose", "calibration.json", "--json")
        self.expect_page_of("choice.json", choice, 5, 2)


if __name__ == "__main__":
    sys.exit(pages.main())
