#!/usr/bin/python3
"""That the checks of reports and results see what is wrong. Part of `make test`."""

import copy
import unittest

from job import filtered
from programs import AWKWARD, TIMED, scalapack
from report_checks import contradictions

NODES = ["a", "b"]
TEXT = "Success: saved 10.0 % of the energy for\n  2.0 % more time.\nLoop: 50 iterations"
REPORT = {
    "schema": "hypermile/run/1", "exit_code": 0, "method": "exact", "max_slowdown": 0.05, "ranks": 2,
    "time_s": 10.0, "gears_in_effect": True, "remarks": [],
    "verdict": "Success: saved 10.0 % of the energy for 2.0 % more time.",
    "whole_run": {"time_ratio": 1.02, "energy_ratio": 0.9},
    "nodes": [{"name": name, "gears": 5} for name in NODES],
    "decisions": [{"nodes": NODES, "gears": [0, 2], "declined": "", "before_loop": False,
                   "iteration_time_s": 0.1, "predicted_iteration_time_s": 0.102,
                   "measured_time_ratio": 1.02,
                   "set": [{"node": "b", "time_s": 1.0, "gear": 2, "in_effect": True}]}],
    "ranks_detail": [{"rank": rank, "time_s": 10.0, "computation_s": 8.0, "communication_s": 1.9,
                      "overhead_s": 0.1, "iterations": 50, "loop_first_iteration_s": 0.5,
                      "loop_s": 9.0} for rank in range(2)],
}


def found(change=None, text: str = TEXT, wall: float = 10.5, exit_code: int = 0, loop: bool = True):
    report = copy.deepcopy(REPORT)
    if change:
        change(report)
    return contradictions(report, text, wall, exit_code, loop, 2)


def no_loop(report):
    for rank in report["ranks_detail"]:
        rank["iterations"] = 0


class Reports(unittest.TestCase):
    def test_a_report_in_order_has_no_contradiction(self):
        self.assertEqual(found(), [])

    def test_each_contradiction_is_found(self):
        rank = lambda **values: lambda report: report["ranks_detail"][1].update(values)
        choice = lambda **values: lambda report: report["decisions"][0].update(values)
        whole = lambda **values: lambda report: report["whole_run"].update(values)
        report = lambda **values: lambda report: report.update(values)
        for words, change in (
                ("computation, communication", rank(computation_s=9.0)),
                ("the loop ends", rank(loop_s=9.7)),
                ("slowest rank", report(time_s=9.0)),
                ("declined", choice(declined="not worth it")),
                ("has no gear", choice(gears=[0, 5])),
                ("one gear per node", choice(gears=[0])),
                ("predicts", choice(predicted_iteration_time_s=0.09)),
                ("measured", choice(measured_time_ratio=0.2)),
                ("set at", choice(set=[{"time_s": 11.0, "gear": 0, "in_effect": True}])),
                ("success, but 1.08", whole(time_ratio=1.08)),
                ("no energy", whole(energy_ratio=1.01)),
                ("whole run", whole(time_ratio=0.9)),
                ("gears_in_effect", report(gears_in_effect=False)),
                ("exit code", report(exit_code=1)),
                ("ranks", report(ranks=3)),
                ("schema", report(schema="hypermile/run/2"))):
            with self.subTest(words):
                self.assertIn(words, " ".join(found(change)))

    def test_the_clock_before_the_command_is_not_contradicted(self):
        self.assertIn("the whole command took", " ".join(found(wall=9.9)))

    def test_a_text_with_another_verdict_is_found(self):
        self.assertIn("run.txt", " ".join(found(text="Failure: nothing\nLoop: 50 iterations")))

    def test_a_missing_loop_needs_a_reason_and_a_program_without_one(self):
        self.assertIn("does not say why", " ".join(found(no_loop)))
        reason = TEXT + "\nNo loop found on all ranks"
        self.assertIn("plainly iterates", " ".join(found(no_loop, text=reason)))
        self.assertEqual(found(no_loop, text=reason, loop=False), [])


class Results(unittest.TestCase):
    def test_times_are_not_part_of_a_result_and_verdicts_are(self):
        volatile = scalapack("xdlu", "", "LU.dat", "openmpi").volatile
        line = "WALL   500   500  16     4    2    1    2     {}     0.00   {} {}"
        a = filtered(line.format("0.33", "259.23", "PASSED"), volatile)
        self.assertEqual(a, filtered(line.format("0.21", "359.23", "PASSED"), volatile))
        self.assertNotEqual(a, filtered(line.format("0.33", "259.23", "FAILED"), volatile))

    def test_it_does_not_matter_in_which_order_ranks_say_where_they_are(self):
        volatile = next(p for p in TIMED if p.name == "NetPIPE" and p.mpi == "mpich").volatile
        check = "Doing an integrity check instead of measuring performance"
        texts = (f"{check}{check}\n1: vm\n\n0: vm\n", f"{check}\n{check}1: vm\n\n0: vm\n",
                 f"1: vm{check}\n0: vm\n{check}\n", f"{check}\n1: vm\n{check}0: vm\n")
        self.assertEqual([filtered(text, volatile) for text in texts], [check] * len(texts))

    def test_programs_are_told_apart_by_name_and_mpi(self):
        names = [(program.name, program.mpi) for program in (*TIMED, *AWKWARD)]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
