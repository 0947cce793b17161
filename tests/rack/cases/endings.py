"""However a job ends, both nodes are as before."""

import signal

import nodes
from nodes import wait_until
from support import GEAR_9, RackTest, limits, mpirun


class Endings(RackTest):
    def end_with(self, node, send, name):
        """Starts a job in gear 9, sends a signal to a process of that name; returns what the job did."""
        job = self.start_job()
        node.check(f"pkill -{send} -x {name}")
        return nodes.finish(job)

    def expect_restored(self):
        self.assert_restored()
        self.assert_nothing_left_to_restore()

    def test_by_itself(self):
        report, result = self.run_job(mpirun(300))
        self.assertTrue(report["gears_in_effect"])
        self.assertIn("beat: 300 iterations", result.out)
        self.expect_restored()

    def test_sigint_to_hypermile(self):
        self.assertNotEqual(self.end_with(self.n1, "INT", "hypermile").code, 0)
        self.expect_restored()

    def test_sigterm_to_hypermile(self):
        self.assertNotEqual(self.end_with(self.n1, "TERM", "hypermile").code, 0)
        self.expect_restored()

    def test_sigkill_to_hypermile_leaves_the_job_its_gears_until_it_ends(self):
        job = self.start_job()
        self.n1.check("pkill -KILL -x hypermile")
        nodes.wait_until(lambda: self.n1.run("pgrep -x hypermile").code != 0, "hypermile is gone")
        self.assertEqual(set(limits(self.n1)), {GEAR_9})
        self.n1.check("pkill -TERM -x mpirun")
        result = nodes.finish(job)  # not before: the job holds the output
        self.assertIn(result.code, (128 + signal.SIGKILL, 255), result)
        self.expect_restored()

    def test_sigkill_to_a_rank_beside_hypermile(self):
        self.assertNotEqual(self.end_with(self.n1, "KILL", "beat").code, 0)
        self.expect_restored()

    def test_sigkill_to_a_rank_on_another_node(self):
        self.assertNotEqual(self.end_with(self.n2, "KILL", "beat").code, 0)
        self.expect_restored()

    def test_sigkill_to_mpirun(self):
        self.assertNotEqual(self.end_with(self.n1, "KILL", "mpirun").code, 0)
        self.expect_restored()

    def test_sigkill_to_the_daemon_of_mpirun_on_another_node(self):
        self.assertNotEqual(self.end_with(self.n2, "KILL", "orted").code, 0)
        self.expect_restored()

    def test_sigkill_to_the_guard(self):
        job = self.start_job()
        self.n2.check("pkill -KILL -x hypermile-guard")
        self.n1.check("pkill -TERM -x hypermile")
        nodes.finish(job)
        self.n2.run("pkill -KILL -x beat", "root")
        self.n2.check("hypermile restore")
        self.expect_restored()

    def test_sigkill_to_everything_at_once(self):
        self.start_job()
        self.n1.check("pkill -KILL -x 'hypermile|hypermile-guard|mpirun|beat'")
        self.n2.check("pkill -KILL -x 'hypermile-guard|orted|beat'")
        self.assertEqual(set(limits(self.n2)), {GEAR_9})
        for node in self.rack.nodes:
            wait_until(lambda: node.run("pgrep -x beat", "root").code == 1, "the ranks are gone")
            node.check("hypermile restore", "anna")
        self.expect_restored()
