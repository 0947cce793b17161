"""Under Slurm, as an ordinary user."""

import json

import nodes
from nodes import wait_until
from support import BEAT, GEAR_9, RackTest, limits

SRUN = "srun --nodes 2 --ntasks 2 --cpus-per-task 2 --mpi=pmix"
FOREVER = f"{BEAT} 100000000 0.1"


class Slurm(RackTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.rack.start_slurm()

    def tearDown(self):
        self.n1.run("scancel --user anna; true")
        wait_until(lambda: self.n1.run("squeue -h").out == "", "Slurm's queue is empty")
        super().tearDown()

    def report_of(self, words):
        """(report, result) of a command line that writes its report to /tmp/report of n1."""
        result = self.n1.run(f"rm -f /tmp/report; {words}")
        self.assertEqual(result.code, 0, result)
        self.assertIn("beat: 300 iterations", result.out)
        return json.loads(self.n1.check("cat /tmp/report", "anna")), result

    def start(self, words):
        job = self.n1.start(words)
        self.wait_for_gear(GEAR_9, job)
        return job


class Starts(Slurm):
    def test_hypermile_starts_srun(self):
        report, _ = self.report_of(f"hypermile run --json -o /tmp/report --gears 9,9 -- "
                                        f"{SRUN} {BEAT} 300 1")
        self.assertEqual([n["frequency_ghz"] for n in report["nodes"]], [1.6, 1.6])
        self.assertEqual(report["remarks"], [])

    def test_srun_starts_hypermile(self):
        report, _ = self.report_of(f"{SRUN} hypermile run --json -o /tmp/report --gears 9,9 -- "
                                        f"{BEAT} 300 1")
        self.assertEqual([n["name"] for n in report["nodes"]], ["n1", "n2"])
        self.assertEqual([n["frequency_ghz"] for n in report["nodes"]], [1.6, 1.6])

    def test_srun_starts_hypermile_and_nobody_misses_a_report(self):
        result = self.n1.run(f"{SRUN} hypermile run --quiet --gears 9,9 -- {BEAT} 300 1")
        self.assertNotIn("no report came", result.err)

    def test_a_job_that_slurm_pinned_has_that_frequency_as_gear_0(self):
        report, _ = self.report_of(f"{SRUN} --cpu-freq=1600000 hypermile run --json -o /tmp/report "
                                   f"--method none -- {BEAT} 300 1")
        self.assertEqual([n["frequency_ghz"] for n in report["nodes"]], [1.6, 1.6])


class Ends(Slurm):
    def test_scancel(self):
        job = self.start(f"{SRUN} hypermile run --gears 9,9 -- {FOREVER}")
        self.n1.check("scancel --user anna", "anna")
        nodes.finish(job)
        self.assert_restored()
        self.assert_nothing_left_to_restore()

    def test_time_limit(self):
        job = self.start(f"{SRUN} --time 1 hypermile run --gears 9,9 -- {FOREVER}")
        result = nodes.finish(job, 600)
        self.assertIn("TIME LIMIT", result.err)
        self.assert_restored()
        self.assert_nothing_left_to_restore()

    def test_sigkill_to_slurmstepd(self):
        job = self.start(f"{SRUN} hypermile run --gears 9,9 -- {FOREVER}")
        self.n2.check("pkill -KILL slurmstepd")
        self.n1.run("scancel --user anna")
        nodes.finish(job)
        self.rack.on_all(lambda node: node.run("pkill -KILL -x beat", "root"))
        self.assert_restored()

    def test_the_epilog_restores_what_nobody_else_could(self):
        job = self.start(f"{SRUN} hypermile run --gears 9,9 -- {FOREVER}")
        self.rack.on_all(lambda node: node.check("pkill -KILL -x 'hypermile-guard|hypermile|beat'"))
        nodes.finish(job)
        self.assert_restored()
        self.assert_nothing_left_to_restore()
        for node in self.rack.nodes:
            self.assertIn("scaling_", node.check("cat /run/epilog.log"))
