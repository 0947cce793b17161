"""Hardware that fails. A job ends as without hypermile, with the same result; the report says what is
wrong and claims nothing that did not happen; afterwards everything is as before."""

import errno
import json

import nodes
from support import GEAR_9, RackTest, mpirun


class Gears(RackTest):
    """Of one fault, in the way by which gears are set by limits."""

    def expect_told(self, fault, told, gears="--gears 9,9"):
        """Sets module parameters on n2 before a job; the report must name n2 and say `told`."""
        for name, value in fault.items():
            self.n2.set_parameter(name, value)
        report, result = self.run_job(mpirun(400), options=gears)
        self.clear(fault)
        self.assertIn("beat: 400 iterations", result.out)
        remarks = str(report["remarks"])
        self.assertIn("n2", remarks)
        self.assertRegex(remarks, told)
        return report

    def clear(self, fault):
        for name in reversed(fault):
            self.n2.set_parameter(name, -1 if name == "fail_cpu" else 0)

    def test_that_answer_ebusy_are_told(self):
        self.expect_told({"fail": errno.EBUSY}, "at 2.5 GHz instead of 1.6")

    def test_that_answer_eio_are_told(self):
        self.expect_told({"fail": errno.EIO}, "at 2.5 GHz instead of 1.6")

    def test_of_one_of_two_policies_that_fail_are_told(self):
        self.expect_told({"fail_cpu": 1, "fail": errno.EIO}, "cpu 1 .*instead of 1.6")

    def test_that_fail_when_restoring_do_not_keep_files_from_being_restored(self):
        job = self.start_job()
        self.n2.set_parameter("fail", errno.EIO)
        self.n1.check("pkill -TERM -x hypermile")
        nodes.finish(job)
        self.assert_restored()
        self.n2.set_parameter("fail", 0)


class GearsOfUserspace(Gears):
    """The same where the governor userspace sets them."""

    modules = ("userspace",)


class GearsOfLimitsOnly(Gears):
    """The same with a driver like intel_pstate, which tells the true frequency."""

    parameters = {"limits_only": 1}

    def test_that_are_taken_without_effect_are_told(self):
        self.expect_told({"stuck": 1}, "at 2.5 GHz instead of 1.6")


class StuckGears(RackTest):
    """A change succeeds and has no effect. The kernel believes the driver, and shows users what it
    believes: only time and energy tell."""

    def test_are_not_called_a_success(self):
        self.rack.on_all(lambda node: node.set_parameter("stuck", 1))
        report, _ = self.run_job(mpirun(1500), options="--max-slowdown none")
        self.assertFalse(report["verdict"].startswith("Success"), report["verdict"])


class Counters(RackTest):
    def test_that_begin_anew_lose_nothing(self):
        """A node draws 4 to 24 W, so the 2 J that are left last less than the job."""
        range_uj = 262143328850
        self.rack.on_all(lambda node: node.reset({"begin_uj": range_uj - 2000000}, (), self.governor))
        report, _ = self.run_job(mpirun(60, 20))
        for node in self.rack.nodes:
            counter = node.check("cat /sys/class/powercap/intel-rapl:0/energy_uj")
            self.assertLess(int(counter), range_uj / 2, "the job was too short")
        for node in report["nodes"]:
            self.assertGreater(node["energy_j"], report["time_s"] * 4 * 0.95)
            self.assertLess(node["energy_j"], report["time_s"] * 24 * 1.05)

    def test_that_cannot_be_read_from_the_beginning_are_told(self):
        self.n2.set_parameter("energy_fail", errno.EIO)
        report, _ = self.run_job(mpirun(300))
        self.assertIsNone(report["energy"]["measured_j"])
        self.assertRegex(str(report["remarks"]), "n2.*energy_uj")

    def test_that_fail_later_are_told_and_no_part_of_the_energy_is_printed(self):
        job = self.n1.start(f"hypermile run --json -o /tmp/report --gears 9,9 -- {mpirun(3000)}")
        self.wait_for_gear(GEAR_9, job)
        self.n2.set_parameter("energy_fail", errno.EIO)
        result = nodes.finish(job)
        self.assertEqual(result.code, 0, result)
        report = json.loads(self.n1.check("cat /tmp/report", "anna"))
        self.assertIsNone(report["energy"]["measured_j"])
        self.assertRegex(str(report["remarks"]), "cannot be counted")
