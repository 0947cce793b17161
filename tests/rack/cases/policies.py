"""What a node's frequency domains may look like. Gears are set on all of them, and each gets back what
it had."""

import nodes
from support import GEAR_9, RackTest, limits, mpirun, set_governors


class Policies(RackTest):
    modules = ("ondemand", "powersave")

    def run_in_gear_9(self):
        self.before = {node.name: node.settings() for node in self.rack.nodes}
        report, _ = self.run_job(mpirun(300))
        self.assertEqual([n["frequency_ghz"] for n in report["nodes"]], [1.6, 1.6])
        self.assertTrue(report["gears_in_effect"])
        self.assertEqual(report["remarks"], [])

    def test_of_different_governors_keep_them(self):
        set_governors(self.n1, "ondemand", "performance")
        set_governors(self.n2, "performance", "schedutil")
        self.run_in_gear_9()

    def test_held_at_a_frequency_that_is_not_the_fastest_have_it_as_gear_0(self):
        set_governors(self.n1, "powersave")
        self.before = {node.name: node.settings() for node in self.rack.nodes}
        report, _ = self.run_job(mpirun(300), options="")
        self.assertEqual(report["nodes"][0]["frequency_ghz"], 0.8)


class WidePolicies(Policies):
    """All CPUs of a node change their frequency together."""

    parameters = {"cpus_per_policy": 2}


class Limits(RackTest):
    def test_that_differ_between_policies_are_kept(self):
        self.n1.check("cd /sys/devices/system/cpu/cpufreq; echo 2200000 > policy0/scaling_max_freq; "
                      "echo 1800000 > policy1/scaling_min_freq")
        self.before = {node.name: node.settings() for node in self.rack.nodes}
        self.run_job(mpirun(300))


class LimitsOnly(RackTest):
    """A driver like intel_pstate: no list of frequencies, no governors."""

    parameters = {"limits_only": 1}

    def test_gears_are_set(self):
        report, _ = self.run_job(mpirun(300))
        self.assertTrue(report["gears_in_effect"])
        self.assertEqual([n["frequency_ghz"] for n in report["nodes"]], [1.6, 1.6])


class Userspace(RackTest):
    """The governor userspace is loaded, and granted."""

    modules = ("userspace",)

    def test_is_used_where_it_is_loaded(self):
        job = self.start_job()
        self.assertIn("userspace", self.n1.settings().values())
        self.assertEqual(self.n1.frequencies_khz(), [1600000, 1600000])
        self.n1.check("pkill -TERM -x hypermile")
        nodes.finish(job)

    def test_that_a_policy_had_already_keeps_its_frequency(self):
        set_governors(self.n1, "userspace", "performance")
        self.n1.check("echo 2000000 > /sys/devices/system/cpu/cpufreq/policy0/scaling_setspeed")
        self.before = {node.name: node.settings() for node in self.rack.nodes}
        self.run_job(mpirun(300))
        self.assert_restored()
        self.assertEqual(self.n1.frequencies_khz(), [2000000, 2500000])

    def test_is_left_alone_where_only_limits_are_granted(self):
        files = "/sys/devices/system/cpu/cpufreq/policy*/scaling_"
        self.rack.on_all(lambda node: node.check(f"chmod 644 {files}governor {files}setspeed"))
        job = self.start_job()
        self.assertNotIn("userspace", self.n1.settings().values())
        self.assertEqual(set(limits(self.n1)), {GEAR_9})
        self.n1.check("pkill -TERM -x hypermile")
        nodes.finish(job)
        self.rack.on_all(lambda node: node.check(f"chmod 664 {files}governor {files}setspeed"))
