"""The page of `hypermile report` as a browser shows it.

    page_test.py HYPERMILE [PROGRAM [MPI_PROGRAM]]

PROGRAM: one of ours that was built with smpicc, to be simulated; MPI_PROGRAM: one that waits for long, on Open MPI.

Exit code 77: there is no browser, or no page; nothing was tested."""

import json
import os
import re
import shutil
import subprocess
import sys

import folders
import pages
from pages import PageTest


class Pages(PageTest):
    def page_of_run(self, nodes, *options, **shape):
        folder = self.folder(f"run-{nodes}")
        report = folders.run_report(nodes, **shape)
        folders.write_run(folder, report, folders.loop_of(report["ranks"]))
        return self.report(folder, *options), report

    def test_numbers_of_a_run_equal_its_json(self):
        page, report = self.page_of_run(8)
        self.show(page)
        self.open_all()
        self.assert_numbers_are_those_of({**report, "loop.json": folders.loop_of(8)}, 110)
        self.assertEqual(self.browser.evaluate("document.querySelector('.verdict').textContent"), report["verdict"])

    def test_timelines_of_a_run_are_those_before_and_after_with_the_critical_path(self):
        self.show(self.page_of_run(8)[0])
        self.open_all()
        labels = self.browser.evaluate(
            "[...document.querySelectorAll('#timeline .chart')].map((chart) => chart.getAttribute('aria-label'))")
        self.assertEqual([label.split(":")[0] for label in labels], ["in gear 0", "in the chosen gears"])
        for label in labels:
            self.assertIn("critical path", label)
        waits = folders.loop_of(8)["after"]["path"]["waits"]
        rows = self.browser.evaluate("""[...document.querySelectorAll('#timeline table')].at(-1).innerText.split("\\n")""")
        for wait in waits:
            self.assertIn([str(wait[key]) for key in ("rank", "waits_for", "times")], [row.split("\t") for row in rows])

    def test_power_of_a_run_by_an_external_meter_has_gaps_where_samples_are_missing(self):
        report = folders.run_report(8)
        steps = [step for i, step in enumerate(report["power_over_time"]) if i not in (10, 11)]
        report["power_over_time"] = []
        report["energy"]["external"] = {"energy_j": 12345.5, "coverage": 0.96, "source": "power.csv", "power_over_time": steps}
        report["baseline"]["external_power_over_time"] = report["baseline"]["power_over_time"]
        report["baseline"]["power_over_time"] = []
        folder = self.folder("external")
        folders.write_run(folder, report)
        self.show(self.report(folder))
        self.assertEqual(self.charts_in("power"), 1)
        self.assertIn("external meter", self.browser.evaluate("document.querySelector('#power').innerText"))
        lines = self.browser.evaluate(
            "[...document.querySelectorAll('#power svg path')].map((path) => path.getAttribute('d').match(/M/g).length)")
        self.assertEqual(max(lines), 2)  # one gap

    def test_power_of_a_run_is_beside_that_in_gear_0(self):
        page, report = self.page_of_run(8)
        self.show(page)
        self.assertEqual(self.charts_in("power"), 1)
        label = self.browser.evaluate("document.querySelector('#power .chart').getAttribute('aria-label')")
        for name, steps in (("this run", report["power_over_time"]), ("in gear 0", report["baseline"]["power_over_time"])):
            powers = [step["power_w"] for step in steps]
            said = re.search(f"{name}: (.*?) to (.*?)(;|$)", label).groups()[:2]
            for text, power in zip(said, (min(powers), max(powers))):
                shown, last_digit = pages.shown_value(text, "power_w")
                self.assertLessEqual(abs(shown - power), last_digit)

    def simulation(self):
        if pages.PROGRAM is None:
            self.skipTest("this hypermile was built without SimGrid")
        folder = self.folder("simulation")
        if not os.path.exists(folder):
            subprocess.run([pages.HYPERMILE, "simulate", "--platform", "table-3.1", "-n", "8", "--compare", "exact,alg5",
                            "--report", folder, "--quiet", "--", pages.PROGRAM, "--class", "S"],
                           check=True, stdout=subprocess.DEVNULL)
        return folder

    def test_numbers_of_a_simulation_equal_its_json(self):
        folder = self.simulation()
        self.show(self.report(folder))
        self.open_all()
        with open(os.path.join(folder, "simulation.json"), encoding="utf-8") as file:
            self.assert_numbers_are_those_of(json.load(file), 40)

    def test_a_simulation_has_charts_of_each_run(self):
        self.show(self.report(self.simulation()))
        expected = {"before-after": 2, "predicted": 1, "front": 1, "computed-front": 1, "nodes": 2, "ranks": 3, "timeline": 3, "power": 1}
        self.assertEqual({section: self.charts_in(section) for section in expected}, expected)
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#timeline details').length"), 3)  # paths
        self.assertIn("Nothing that this page", self.browser.evaluate("document.querySelector('#missing').textContent"))

    def test_numbers_of_a_study_equal_the_json_of_its_cells(self):
        if pages.PROGRAM is None:
            self.skipTest("this hypermile was built without SimGrid")
        results, study = self.folder("study.results"), self.folder("study.yaml")
        with open(study, "w", encoding="utf-8") as file:
            file.write(f"""schema: hypermile/study/1
study: study
programs: [{{name: cg, command: ["{pages.PROGRAM}", --class, S], ranks: [4, 6]}}]
platforms: [table-3.1, table-3.1-80-20]
methods: [exact]
""")
        sweep = subprocess.run([pages.HYPERMILE, "sweep", study, "--json", "--quiet"], check=False, stdout=subprocess.PIPE)
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

    def test_numbers_of_wait_gears_equal_the_json_of_a_real_run(self):
        if pages.MPI_PROGRAM is None:
            self.skipTest("this hypermile was built without MPI")
        folder = self.folder("waits")
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        subprocess.run([pages.HYPERMILE, "run", "--backend", "emulated", "--platform", "table-3.1", "--waiting", "spinning",
                        "--method", "none", "--wait-gear", "--report", folder, "--quiet", "--", "mpirun.openmpi",
                        "--oversubscribe", "-n", "2", pages.MPI_PROGRAM, "20", "4000"],
                       check=True, stdout=subprocess.DEVNULL, env=environment)
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.show(self.report(folder))
        self.open_all()
        self.assert_numbers_are_those_of(report, 10)
        texts = self.browser.evaluate("""[...document.querySelectorAll('#waits details tbody tr')].map(
            (row) => [...row.cells].map((cell) => cell.textContent))""")
        self.assertEqual(len(texts), 2)
        for cells, node in zip(texts, report["nodes"]):
            wait = node["wait_gear"]
            self.assertGreater(wait["times"], 0)
            self.assertEqual(cells[:3], [node["name"], wait["setting"], str(wait["times"])])
        total = self.browser.evaluate("[...document.querySelectorAll('#waits .quantity data')].map((data) => Number(data.value))")
        waits = [node["wait_gear"] for node in report["nodes"]]
        self.assertEqual(total[0], sum(wait["times"] for wait in waits))
        self.assertAlmostEqual(total[1], sum(wait["estimated_saved_j"] for wait in waits))
        self.assertEqual(total[2:4], [max(wait["time_s"] for wait in waits), max(wait["cost_s"] for wait in waits)])
        marks = self.browser.evaluate("[...document.querySelectorAll('#waits .mark')].map((mark) => mark.textContent)")
        self.assertEqual(marks[:4], ["emulated", "estimated", "emulated", "estimated"])

    def test_has_no_wait_gears_where_none_were_asked_for(self):
        self.show(self.page_of_run(8)[0])
        self.assertFalse(self.browser.evaluate("Boolean(document.querySelector('#waits'))"))

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
            self.assertEqual(self.browser.evaluate(pages.TOO_WIDE), [])

    def test_can_be_read_in_both_colour_schemes(self):
        page, _ = self.page_of_run(8)
        for dark in (False, True):
            self.show(page, dark=dark)
            ground = self.browser.evaluate("getComputedStyle(document.body).backgroundColor")
            light = sum(map(int, re.findall(r"\d+", ground))) / 3
            self.assertEqual(light < 128, dark, ground)
            self.assertEqual(self.browser.evaluate(pages.UNREADABLE), [])
        self.browser.set_dark(False)
        self.browser.evaluate("new Promise((done) => setTimeout(done, 100))")
        self.assertEqual(self.browser.evaluate(pages.UNDRAWN), [])
        self.assert_quiet(page)

    def test_everything_has_a_label_and_can_be_reached_by_keyboard(self):
        page, report = self.page_of_run(8)
        self.show(page)
        self.open_all()
        self.assertEqual(self.browser.evaluate(pages.UNLABELLED), [])
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
        self.assertEqual(self.browser.evaluate(pages.UNDRAWN), [])
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
                      trade_offs=[], sensitivities=[], power_caps=[], power_over_time=[], remarks=[], verdict="", gears_in_effect=False)
        report["energy"].update(measured_j=None, power_table_j=None, meters=[])
        folder = self.folder("empty")
        folders.write_run(folder, report)
        self.show(self.report(folder))
        self.assert_numbers_are_those_of(report, 3)
        text = self.browser.evaluate("document.body.innerText")
        for said in ("not known", "No energy is known", "No gears were chosen", "Nothing was predicted",
                     "not every node has a meter"):
            self.assertIn(said, text)
        self.assertIsNone(re.search(r"NaN|undefined|null|Infinity", text))


if __name__ == "__main__":
    sys.exit(pages.main())
