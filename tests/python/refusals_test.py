"""What is refused is refused with the text of the command line."""

import json
import math
import os
import pickle
import unittest

import hypermile
import support

NODE = {"gears_ghz": [2.0, 1.5], "tcp_s": 1.0, "tcm_s": 0.1, "pd_w": 20, "ps_w": 4}
PROBLEM = {"model": "cluster", "nodes": [NODE, NODE]}


def written(name, text):
    file = os.path.join(support.scratch, name)
    with open(file, "w") as output:
        output.write(text)
    return file


class Errors(unittest.TestCase):
    def assert_text_of_the_command_line(self, arguments, call, kind="config"):
        with self.assertRaises(hypermile.Error) as caught:
            call()
        self.assertEqual(caught.exception.kind, kind)
        self.assertEqual(caught.exception.message, str(caught.exception))
        ended = support.command(*arguments)
        self.assertEqual(ended.stderr, f"hypermile: error: {caught.exception}\n")

    def test_of_a_file_that_cannot_be_read(self):
        self.assert_text_of_the_command_line(["select", "/nowhere.json"], lambda: hypermile.select("/nowhere.json"))
        folder = support.scratch
        self.assert_text_of_the_command_line(["select", folder], lambda: hypermile.select(folder))

    def test_of_an_unknown_platform(self):
        workload = written("w.yaml", hypermile.Workload([1], [0]).to_json())
        self.assert_text_of_the_command_line(
            ["select", "--platform", "table-9", "--workload", workload], lambda: hypermile.select("table-9", workload))

    def test_of_problems_that_no_model_can_use(self):
        bad = [{"tcp_s": -1.0}, {"pd_w": -20}, {"gears_ghz": [1.5, 2.0]}, {"gears_ghz": []}, {"tcp_s": "long"},
               {"surprise": 1}, {"tcp_s": math.nan}]
        for number, change in enumerate(bad):
            with self.subTest(change):
                file = written(f"{number}.json", json.dumps({"model": "cluster", "nodes": [{**NODE, **change}]}))
                self.assert_text_of_the_command_line(["select", file], lambda: hypermile.select(file))

    def test_of_workloads_with_times_that_are_none(self):
        for number, seconds in enumerate([math.nan, math.inf, -1.0]):
            workload = hypermile.Workload([1.0, seconds], [0.0, 0.0])
            file = written(f"w{number}.yaml", workload.to_json())
            arguments = ["select", "--platform", "table-3.1", "--workload", file]
            self.assert_text_of_the_command_line(arguments, lambda: hypermile.select("table-3.1", file))
            with self.assertRaises(hypermile.Error) as caught:
                hypermile.select("table-3.1", workload)
            self.assertIn("nodes[1].tcp_s", str(caught.exception))

    def test_of_platforms_with_figures_that_are_none(self):
        good = {"frequencies_ghz": [2.0, 1.0], "computing_w": [20.0, 9.0], "waiting_w": [5.0, 5.0], "idle_w": [4.0, 4.0]}
        for change in ({"computing_w": [20.0, -9.0]}, {"idle_w": [math.nan, 4.0]}, {"frequencies_ghz": [1.0, 2.0]},
                       {"waiting_w": [5.0]}, {"count": 0}, {"frequencies_ghz": None}):
            with self.subTest(change), self.assertRaises(hypermile.Error) as caught:
                hypermile.Platform.of([hypermile.NodeType("a", **{**good, **change})])
            self.assertIn("types[0]", str(caught.exception))

    def test_of_a_method_for_other_models(self):
        file = written("cluster.json", json.dumps(PROBLEM))
        self.assert_text_of_the_command_line(
            ["select", file, "--method", "epsa"], lambda: hypermile.select(file, method="epsa"), kind="model")

    def test_of_damaged_files_name_the_file(self):
        timeline = written("a.timeline.txt", "hypermile/timeline/1\nnonsense\n")
        recording = written("a.hmr", "hypermile/recorded-run/1\nnonsense")
        for file in (timeline, recording, written("a.json", "{"), written("b.json", "{}"), written("c.json", "[1]"),
                     written("d.json", '{"schema": "hypermile/plan/1", "certificate": null}')):
            with self.subTest(file), self.assertRaises(hypermile.Error) as caught:
                hypermile.read(file)
            self.assertIn(file, str(caught.exception))

    def test_of_a_folder_without_reports_say_what_makes_one(self):
        empty = os.path.join(support.scratch, "empty")
        os.mkdir(empty)
        with self.assertRaises(hypermile.Error) as caught:
            hypermile.read(empty)
        self.assertIn("neither run.json nor simulation.json", str(caught.exception))
        self.assertIn("hypermile simulate --report", str(caught.exception))

    def test_can_be_pickled(self):
        error = pickle.loads(pickle.dumps(hypermile.Error("what; try: that", "model")))
        self.assertEqual((str(error), error.kind), ("what; try: that", "model"))


class Arguments(unittest.TestCase):
    def test_of_wrong_values_are_value_errors_with_the_text_of_the_command_line(self):
        file = written("problem.json", json.dumps(PROBLEM))
        for argument, value, option, word in [
                ("method", "best", "--method", "best"), ("objective", "least", "--objective", "least"),
                ("weight", 1.5, "--weight", "1.5"), ("weight", math.nan, "--weight", "nan"),
                ("max_slowdown", -0.1, "--max-slowdown", "-0.1"), ("max_slowdown", 5.0, "--max-slowdown", "5.0"),
                ("max_slowdown", "fast", "--max-slowdown", "fast"), ("max_slowdown", math.nan, "--max-slowdown", "nan"),
                ("energy_budget", -5.0, "--energy-budget", "-5.0J"), ("energy_budget", "5", "--energy-budget", "5"),
                ("power_cap", -3.0, "--power-cap", "-3.0W"), ("power_cap", "2kg", "--power-cap", "2kg"),
                ("power_cap", math.inf, "--power-cap", "infW"), ("energy_model", "mine", "--energy-model", "mine")]:
            with self.subTest(argument=argument, value=value), self.assertRaises(ValueError) as caught:
                hypermile.select(file, **{argument: value})
            name, _, text = str(caught.exception).partition(": ")
            self.assertEqual(name, argument)
            ended = support.command("select", file, f"{option}={word}")
            self.assertEqual(ended.returncode, 2)
            self.assertIn(text, ended.stderr)

    def test_of_wrong_types_are_type_errors(self):
        platform, workload = hypermile.Platform.load("table-3.1"), hypermile.Workload([1, 1], [0, 0])
        for call in (
                lambda: hypermile.select(7), lambda: hypermile.select(platform), lambda: hypermile.select(PROBLEM, workload),
                lambda: hypermile.select(PROBLEM, method=7), lambda: hypermile.select(PROBLEM, max_slowdown=True),
                lambda: hypermile.select(PROBLEM, power_cap={}), lambda: hypermile.Workload("12", [0]),
                lambda: hypermile.Workload([None], [0]), lambda: hypermile.Workload([1], [0], clusters=[0.5]),
                lambda: hypermile.Problem.parse(PROBLEM).predict([0.0, 0.0]), lambda: hypermile.Platform.of([{}])):
            with self.assertRaises(TypeError):
                call()

    def test_of_gears_that_there_are_not_are_value_errors(self):
        problem = hypermile.Problem.parse(PROBLEM)
        for gears in ([0], [0, 2], [0, 0, 0], [0, -1]):
            with self.subTest(gears), self.assertRaises(ValueError) as caught:
                problem.predict(gears)
            self.assertTrue(str(caught.exception).startswith("gears"))
        with self.assertRaises(IndexError):
            problem.frequencies_ghz(2)
        with self.assertRaises(ValueError):
            hypermile.Workload([1, 2], [0])


if __name__ == "__main__":
    support.main()
