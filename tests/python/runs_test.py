"""Runs that were simulated or recorded: their timelines, and forecasts in other gears."""

import json
import os
import random
import unittest

import hypermile
import support

GEARS = [0, 1, 2, 3]


def simulated():
    """A folder of `hypermile simulate --report`, made once."""
    folder = os.path.join(support.scratch, "simulated")
    if not os.path.isdir(folder):
        ended = support.command(
            "simulate", "--platform", "table-3.1", "-n", "4", "--quiet", "--compare", "exact,planned", "--gears",
            ",".join(map(str, GEARS)), "--report", folder, "--", support.PROGRAM, "--class", "S")
        assert ended.returncode == 0, ended.stderr
    return folder


def with_pandas(test):
    try:
        import pandas  # noqa: F401
    except ImportError:
        return unittest.skip("pandas is not there")(test)
    return test


@unittest.skipUnless(support.PROGRAM, "this build has no SimGrid, and simulates nothing")
class SimulatedRuns(unittest.TestCase):
    def setUp(self):
        self.results = hypermile.read(simulated())

    def test_are_forecast_in_given_gears_as_the_simulation_forecasts_them(self):
        """The simulation adds up the stages of a run whose gears could change: the last digits may differ."""
        [given] = [run for run in self.results.data["runs"] if run["method"].startswith("gears:")]
        predicted = self.results.forecast().predict(GEARS)
        for value, wanted in ((predicted.time_s, given["predicted"]["time_s"]),
                              (predicted.energy_j, given["predicted"]["energy_j"])):
            self.assertAlmostEqual(value, wanted, delta=1e-12 * wanted)

    def test_are_explained_as_on_the_command_line(self):
        explained = support.printed("explain", simulated(), "--gears", ",".join(map(str, GEARS)))
        forecast = self.results.forecast()
        self.assertEqual(forecast.predict(GEARS).time_s, explained["time_s"])
        self.assertEqual(forecast.predict(GEARS).energy_j, explained["energy_j"])
        rows = forecast._native.ranks(GEARS)
        for rank, row in zip(explained["ranks"], rows):
            self.assertEqual(row["computing_s"], rank["computing_s"])
            self.assertEqual(row["waiting_s"], rank["waiting_s"])

    def test_get_gears_that_no_neighbour_beats(self):
        """The search says that its plan is the optimum: no single gear makes it better."""
        forecast = self.results.forecast()
        for objective, score in [("maxdist", lambda p: -p.distance), ("energy", lambda p: p.energy_j)]:
            plan = hypermile.select(forecast, objective=objective)
            self.assertEqual(plan.model, "dependency")
            self.assertEqual(plan.time_s, forecast.predict(plan.gears).time_s)
            for node, gear in enumerate(plan.gears):
                for other in (gear - 1, gear + 1):
                    if 0 <= other < len(forecast.nodes[node]["frequencies_ghz"]):
                        gears = [*plan.gears[:node], other, *plan.gears[node + 1:]]
                        self.assertGreaterEqual(score(forecast.predict(gears)) + (plan.gap or 0) + 1e-12, score(plan))

    def test_keep_the_bound_on_slowdown(self):
        plan = hypermile.select(self.results.forecast(), objective="energy", max_slowdown=0.02)
        self.assertTrue(plan.feasible)
        self.assertLessEqual(plan.slowdown, 0.02 + 1e-12)

    def test_have_the_same_forecast_on_their_platform_by_name(self):
        forecast = self.results.timeline().forecast("table-3.1")
        self.assertEqual(forecast.predict(GEARS).energy_j, self.results.forecast().predict(GEARS).energy_j)

    @with_pandas
    def test_have_tables_of_ranks_and_calls_whose_sums_are_the_run(self):
        unscaled = self.results.data["runs"][0]
        timeline = self.results.timeline()
        ranks, calls = timeline.rank_table(), timeline.to_pandas()
        self.assertEqual(len(ranks), 4)
        self.assertAlmostEqual(ranks["end_s"].max(), unscaled["time_s"], delta=1e-6)
        self.assertEqual(len(calls), ranks["calls"].sum())
        inside = (calls["left_s"] - calls["entered_s"]).groupby(calls["rank"]).sum()
        for rank, seconds in enumerate(ranks["mpi_s"]):
            self.assertAlmostEqual(inside[rank], seconds, delta=1e-6)
        forecast = self.results.forecast()
        table = forecast.rank_table(GEARS)
        whole = forecast.predict(GEARS).time_s
        for seconds in table["computing_s"] + table["messages_s"] + table["waiting_s"]:
            self.assertAlmostEqual(seconds, whole, delta=1e-9)
        self.assertEqual(len(forecast.to_pandas(GEARS)), len(calls))
        self.assertEqual(set(calls["function"]), set(timeline.functions))

    @with_pandas
    def test_have_a_row_per_method(self):
        table = self.results.to_pandas()
        self.assertEqual(table["time_s"].tolist(), [run["time_s"] for run in self.results.data["runs"]])
        self.assertIn("predicted.time_s", table.columns)

    def test_refuse_what_is_no_gear_of_a_node(self):
        for gears in ([0], [0, 0, 0, 99]):
            with self.subTest(gears), self.assertRaises(ValueError):
                self.results.forecast().predict(gears)

    def test_have_no_front_and_say_so(self):
        with self.assertRaises(hypermile.Error) as caught:
            hypermile.front(self.results.forecast())
        self.assertEqual(caught.exception.kind, "unsupported")

    def test_of_which_a_timeline_is_missing_are_refused_with_the_name_of_the_file(self):
        with self.assertRaises(hypermile.Error) as caught:
            self.results.timeline("alg5")
        self.assertIn("alg5.timeline.txt", str(caught.exception))

    def test_that_another_version_has_left_are_refused(self):
        folder = os.path.join(support.scratch, "other")
        os.makedirs(folder, exist_ok=True)
        for name in ("simulation.json", "unscaled.timeline.txt"):
            with open(os.path.join(simulated(), name)) as source, open(os.path.join(folder, name), "w") as copy:
                copy.write(source.read())
        with open(os.path.join(folder, "none.run"), "w") as damaged:
            damaged.write("nonsense")
        with self.assertRaises(hypermile.Error) as caught:
            hypermile.read(folder).forecast()
        self.assertIn("none.run", str(caught.exception))


@unittest.skipUnless(support.PROGRAM, "this build has no SimGrid, and records nothing")
class RecordedRuns(unittest.TestCase):
    def setUp(self):
        self.file = os.path.join(support.scratch, "cg.hmr")
        if not os.path.exists(self.file):
            ended = support.command(
                "record", "--platform", "table-3.1", "-n", "2", "-o", self.file, "--", support.PROGRAM, "--class", "S")
            assert ended.returncode == 0, ended.stderr

    def test_get_the_gears_of_the_command_line(self):
        os.environ["PATH"] = f"{os.path.dirname(support.COMMAND)}:{os.environ['PATH']}"
        recording = hypermile.read(self.file)
        plan = hypermile.select(recording, objective="energy", max_slowdown=0.05)
        wanted = support.printed("select", self.file, "--objective", "energy", "--max-slowdown", "0.05")
        self.assertEqual(support.without_its_source(plan.to_dict()), support.without_its_source(wanted))

    def test_say_what_was_run(self):
        recording = hypermile.read(self.file)
        self.assertIn("cg", recording.program)
        self.assertEqual((recording.platform, len(recording.nodes), recording.not_repeatable), ("table-3.1", 2, ""))

    @with_pandas
    def test_have_tables_of_ranks_and_calls(self):
        recording = hypermile.read(self.file)
        ranks, calls = recording.rank_table(), recording.to_pandas()
        self.assertNotIn("entered_s", calls.columns)
        for rank, seconds in enumerate(ranks["computation_s"]):
            self.assertAlmostEqual(calls[calls["rank"] == rank]["computation_s"].sum(), seconds, delta=0.01 * seconds)


class Reports(unittest.TestCase):
    """Of commands, as files and folders."""

    def written(self, name, data):
        file = os.path.join(support.scratch, name)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w") as output:
            json.dump(data, output)
        return file

    def run_report(self, seed):
        draw = random.Random(seed)
        return {"schema": "hypermile/run/1", "time_s": draw.random(), "whole_run": {"time_ratio": 1.02},
                "nodes": [{"name": f"n{i}", "energy_j": draw.random(), "gear": i} for i in range(5)],
                "ranks_detail": [{"rank": i, "time_s": draw.random()} for i in range(7)], "remarks": ["one"]}

    @with_pandas
    def test_of_run_have_tables_of_nodes_and_ranks(self):
        data = self.run_report(1)
        results = hypermile.read(os.path.dirname(self.written("run/run.json", data)))
        self.assertEqual(results.data, data)
        self.assertEqual(results.tables, ["nodes", "ranks_detail"])
        self.assertEqual(results.to_pandas()["energy_j"].tolist(), [node["energy_j"] for node in data["nodes"]])
        self.assertEqual(len(results.to_pandas("ranks_detail")), 7)
        with self.assertRaises(ValueError):
            results.to_pandas("remarks")

    @with_pandas
    def test_of_other_commands_are_a_row_of_what_is_no_list(self):
        results = hypermile.read(self.written("steer/out.json", {
            "schema": "hypermile/steer/1", "time_s": 2.5, "items": 7, "configuration": {"cores": 2}}))
        self.assertEqual(results.to_pandas()["time_s"].tolist(), [2.5])

    @with_pandas
    def test_of_a_sweep_are_its_newest_cells(self):
        def cell(ranks, seconds):
            run = {"method": "exact", "time_s": seconds, "energy_j": 2.0, "slowdown_percent": 1.0, "saving_percent": 3.0,
                   "distance_points": 2.0, "gears": [0, 1]}
            return {"schema": "hypermile/sweep-cell/1", "program": "cg", "class": None, "ranks": ranks,
                    "platform": "p", "repetition": 1, "status": "done", "reason": None, "simulation": {"runs": [run]}}

        old = self.written("sweep/cg-2-old.json", cell(2, 1.0))
        os.utime(old, (1, 1))
        self.written("sweep/cg-2-new.json", cell(2, 5.0))
        failed = {**cell(4, 0), "status": "failed", "reason": "why", "simulation": None}
        folder = os.path.dirname(self.written("sweep/cg-4.json", failed))
        table = hypermile.read(folder).to_pandas().sort_values("ranks")
        self.assertEqual(table["ranks"].tolist(), [2, 4])
        self.assertEqual(table["time_s"].tolist()[0], 5.0)
        self.assertEqual(table["status"].tolist(), ["done", "failed"])

    def test_of_two_commands_in_a_folder_are_refused(self):
        self.written("two/run.json", self.run_report(1))
        folder = os.path.dirname(self.written("two/simulation.json", {"schema": "hypermile/simulation/1"}))
        with self.assertRaises(hypermile.Error) as caught:
            hypermile.read(folder)
        self.assertIn("a folder for each", str(caught.exception))

    def test_that_are_of_no_simulation_have_no_forecast(self):
        results = hypermile.read(os.path.dirname(self.written("run/run.json", self.run_report(2))))
        with self.assertRaises(hypermile.Error):
            results.forecast()


if __name__ == "__main__":
    support.main()
