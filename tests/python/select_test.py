"""Plans and fronts are those of the command line, and of brute force."""

import glob
import itertools
import json
import os
import random
import signal
import threading
import time
import unittest

import hypermile
import support

OBJECTIVES = ["maxdist", "edp", "ed2p", "edp48", "energy", "time"]
METHODS = {"homogeneous": ["exact", "epsa", "epsa-rauber", "rauber-e", "rauber-ep", "brute"],
           "rauber": ["exact", "epsa", "rauber-e", "rauber-ep"],
           "hybrid": ["exact", "slack", "alg8", "alg8-literal", "edp-walk"],
           "async": ["exact", "alg8"], "async_literal": ["exact", "alg8", "slack"]}
OTHERS = ["exact", "slack", "alg5", "alg5-literal", "alg7", "edp-walk"]


def random_question(draw, model):
    """Arguments of select(), and the same as options."""
    asked = {"method": draw.choice(METHODS.get(model, OTHERS)), "objective": draw.choice(OBJECTIVES)}
    options = ["--method", asked["method"], "--objective", asked["objective"]]
    if asked["objective"] == "maxdist" and draw.random() < 0.3:
        asked["weight"] = draw.random()
        options += ["--weight", repr(asked["weight"])]
    if draw.random() < 0.4:
        asked["max_slowdown"] = draw.uniform(0, 0.3)
        options += ["--max-slowdown", repr(asked["max_slowdown"])]
    if draw.random() < 0.2:
        asked["energy_budget"] = draw.uniform(10, 3000)
        options += ["--energy-budget", f"{asked['energy_budget']!r}J"]
    if draw.random() < 0.2:
        asked["power_cap"] = draw.uniform(10, 500)
        options += ["--power-cap", f"{asked['power_cap']!r}W"]
    elif draw.random() < 0.2:
        asked["power_cap"] = ["0.2kW", f"peak:{draw.uniform(50, 500)!r}W"]
        options += ["--power-cap", asked["power_cap"][0], "--power-cap", asked["power_cap"][1]]
    return asked, options


class Plans(unittest.TestCase):
    def assert_same(self, plan, wanted):
        self.assertEqual(support.without_its_source(plan.to_dict()), support.without_its_source(wanted))
        self.assertEqual(list(plan.gears), wanted["gears"])
        self.assertEqual(plan.time_s, wanted["time_s"])
        self.assertEqual(plan.energy_j, wanted["energy_j"])
        self.assertEqual(plan.optimal, wanted["certificate"]["kind"] == "exact")

    def test_of_all_golden_instances_are_those_of_the_command_line(self):
        files = sorted(glob.glob(os.path.join(support.SOURCE, "tests/golden/*.json")))
        self.assertGreater(len(files), 20)
        for file in files:
            with self.subTest(file):
                plan = hypermile.select(file)
                wanted = support.printed("select", file)
                self.assert_same(plan, wanted)
                self.assertEqual(plan.to_dict()["request"], wanted["request"])
                self.assertEqual(hypermile.front(file).to_dict(), support.printed("select", file, "--pareto"))

    def test_of_random_problems_are_those_of_the_command_line(self):
        draw = random.Random(20261128)
        for number in range(120):
            problem = support.random_problem(draw)
            asked, options = random_question(draw, problem["model"])
            with self.subTest(number=number, problem=problem, asked=asked):
                wanted = support.printed("select", "-", *options, text=json.dumps(problem))
                self.assert_same(hypermile.select(problem, **asked), wanted)

    def test_on_a_platform_are_those_of_the_command_line(self):
        draw = random.Random(7)
        for number, name in enumerate(hypermile.platforms()):
            platform = hypermile.Platform.load(name)
            nodes = draw.randint(2, 9) if platform.scalable else sum(kind.count for kind in platform.types)
            workload = hypermile.Workload([draw.uniform(1, 9) for _ in range(nodes)], [draw.random() for _ in range(nodes)])
            file = os.path.join(support.scratch, f"{number}.yaml")
            with open(file, "w") as output:
                output.write(workload.to_json())
            with self.subTest(name):
                wanted = support.printed("select", "--platform", name, "--workload", file)
                for plan in (hypermile.select(platform, workload), hypermile.select(name, file)):
                    self.assert_same(plan, wanted)
                self.assertEqual(plan.to_dict()["request"], wanted["request"])

    def test_predict_what_the_problem_predicts_of_their_gears(self):
        draw = random.Random(3)
        for _ in range(40):
            data = support.random_problem(draw, model=draw.choice(["cluster", "hybrid", "table", "homogeneous"]))
            problem = hypermile.Problem.parse(data)
            plan = hypermile.select(problem)
            self.assertEqual(problem.predict(plan.gears).time_s, plan.time_s)
            self.assertAlmostEqual(problem.predict(plan.gears).energy_j, plan.energy_j, delta=1e-9 * plan.energy_j)
            self.assertEqual(plan.frequencies_ghz[0], problem.frequencies_ghz(0)[plan.gears[0]])

    def test_that_break_a_bound_say_which(self):
        plan = hypermile.select(support.random_problem(random.Random(1), "cluster"), power_cap=1e-3)
        self.assertFalse(plan.feasible)
        self.assertEqual(plan.violations[0]["bound"], "average_power_cap_w")

    def test_that_were_saved_are_read_by_the_command_line(self):
        problem = os.path.join(support.SOURCE, "tests/golden/public-08-cluster.json")
        plan = hypermile.select(problem, objective="energy", max_slowdown="5%")
        file = os.path.join(support.scratch, "plan.json")
        plan.save(file)
        self.assertEqual(hypermile.read(file), plan)
        self.assertEqual(support.command("explain", file).returncode, 0)

    def test_take_arrays_of_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("numpy is not there")
        times = numpy.array([3.0, 2.5, 2.0]), numpy.zeros(3)
        self.assertEqual(hypermile.select("table-3.1", hypermile.Workload(*times), max_slowdown=numpy.float64(0.05)),
                         hypermile.select("table-3.1", hypermile.Workload([3, 2.5, 2], [0, 0, 0]), max_slowdown=0.05))


class Names(unittest.TestCase):
    def test_of_methods_and_objectives_are_those_of_the_help(self):
        help_text = support.command("select", "--help").stdout
        self.assertEqual(list(hypermile.objectives()), OBJECTIVES)
        for name, what in {**hypermile.methods(), **hypermile.objectives()}.items():
            self.assertRegex(help_text, rf"(?m)^  {name} ")
            self.assertIn(what.split()[0], help_text)


class Fronts(unittest.TestCase):
    def test_are_those_of_brute_force(self):
        """[F16] Eq. 3.1 and 3.2 for every gear vector; a point is on the front if none dominates it."""
        draw = random.Random(11)
        for _ in range(25):
            data = support.random_problem(draw, "cluster", nodes=draw.randint(1, 4), most_gears=5)
            nodes = data["nodes"]
            communication = min(node["tcm_s"] for node in nodes)
            points = []
            for gears in itertools.product(*(range(len(node["gears_ghz"])) for node in nodes)):
                scale = [node["gears_ghz"][0] / node["gears_ghz"][gear] for node, gear in zip(nodes, gears)]
                seconds = max(s * node["tcp_s"] for s, node in zip(scale, nodes)) + communication
                joules = sum(node["pd_w"] * node["tcp_s"] / s**2 + node["ps_w"] * seconds for s, node in zip(scale, nodes))
                points.append((seconds, joules))
            points.sort()
            wanted, least = [], float("inf")
            for seconds, joules in points:
                if joules < least * (1 - 1e-12):
                    wanted.append((seconds, joules))
                    least = joules
            found = hypermile.front(data)
            self.assertTrue(found.exact)
            self.assertEqual(len(found), len(wanted))
            for point, (seconds, joules) in zip(found, wanted):
                self.assertAlmostEqual(point.time_s, seconds, delta=1e-9 * seconds)
                self.assertAlmostEqual(point.energy_j, joules, delta=1e-9 * joules)
                predicted = hypermile.Problem.parse(data).predict(point.gears)
                self.assertAlmostEqual(predicted.energy_j, point.energy_j, delta=1e-9 * joules)

    def test_have_the_optimum_of_each_objective(self):
        draw = random.Random(12)
        for _ in range(30):
            data = support.random_problem(draw, draw.choice(["cluster", "grid", "hybrid", "table"]))
            front = hypermile.front(data)
            best = max(point.distance for point in front)
            self.assertAlmostEqual(hypermile.select(data).distance, best, delta=1e-9)
            self.assertAlmostEqual(hypermile.select(data, objective="energy").energy_j, front[-1].energy_j,
                                   delta=1e-9 * front[-1].energy_j)

    def test_are_drawn(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not there")
        matplotlib.use("Agg")
        data = support.random_problem(random.Random(1), "cluster", nodes=4)
        front, plan = hypermile.front(data), hypermile.select(data)
        axes = front.plot(plan)
        line, gear0, dot = axes.get_lines()
        self.assertEqual(list(line.get_xdata()), [point.slowdown * 100 for point in front])
        self.assertEqual(list(line.get_ydata()), [point.saving * 100 for point in front])
        self.assertEqual((list(dot.get_xdata()), list(dot.get_ydata())), ([plan.slowdown * 100], [plan.saving * 100]))

    def test_are_data_frames(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not there")
        front = hypermile.front(support.random_problem(random.Random(1), "cluster", nodes=4))
        table = front.to_pandas()
        self.assertEqual(table["energy_j"].tolist(), [point.energy_j for point in front])
        self.assertEqual(table["gears"].tolist(), [list(point.gears) for point in front])


class LongCalls(unittest.TestCase):
    def setUp(self):
        draw = random.Random(5)
        self.problem = hypermile.Problem.parse({"model": "cluster", "nodes": [
            {"gears_ghz": [round(2.5 - 0.1 * gear, 1) for gear in range(14)], "tcp_s": draw.uniform(1, 10), "tcm_s": 0.1,
             "pd_w": draw.uniform(10, 30), "ps_w": 4} for _ in range(40000)]})

    def test_end_with_ctrl_c(self):
        def interrupt():
            time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            thread = threading.Thread(target=interrupt)
            thread.start()
            while True:
                hypermile.front(self.problem)
        thread.join()

    def test_let_other_threads_run(self):
        turns = [0]
        over = threading.Event()

        def count():
            while not over.is_set():
                turns[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        try:
            before = turns[0]
            hypermile.front(self.problem)
            self.assertGreater(turns[0], before + 1)
        finally:
            over.set()
            thread.join()


if __name__ == "__main__":
    support.main()
