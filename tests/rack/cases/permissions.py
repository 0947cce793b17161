"""From a machine that was never prepared to an ordinary user's first run."""

import json

from support import RackTest, commands_to_grant, grant, mpirun


class Permissions(RackTest):
    granted = False

    def examine(self, user="anna"):
        return json.loads(self.n1.check("hypermile doctor --json", user))

    def backend(self, user="anna"):
        return next(b for b in self.examine(user)["backends"] if b["name"] == "cpufreq")

    def grant_everywhere(self):
        self.rack.on_all(grant)
        for node in self.rack.nodes:
            node.granted = "by a test"

    def test_without_them_a_job_runs_and_its_report_says_what_to_do(self):
        self.assertFalse(self.backend()["usable"])
        report, result = self.run_job(mpirun(200), options="")
        self.assertIn("beat: 200 iterations", result.out)
        self.assertFalse(report["gears_in_effect"])
        self.assertIsNone(report["energy"]["measured_j"])
        self.assertIn("hypermile doctor", str(report["remarks"]))

    def test_doctor_tells_what_to_grant_and_then_gears_are_set_and_energy_is_measured(self):
        self.grant_everywhere()
        self.assertTrue(self.backend()["usable"])
        self.assertTrue(self.examine()["measures_energy"])
        self.assertEqual(commands_to_grant(self.n1), [])
        report, _ = self.run_job(mpirun(200))
        self.assertTrue(report["gears_in_effect"])
        self.assertEqual([n["frequency_ghz"] for n in report["nodes"]], [1.6, 1.6])
        self.assertGreater(report["energy"]["measured_j"], 0)

    def test_are_those_of_the_group_only(self):
        self.grant_everywhere()
        self.assertFalse(self.backend("berta")["usable"])
        self.assertFalse(self.examine("berta")["measures_energy"])

    def test_outlast_that_the_driver_is_loaded_anew(self):
        self.grant_everywhere()
        self.n1.check("rmmod rack_cpu && insmod /opt/rack/rack_cpu.ko && udevadm settle")
        self.assertTrue(self.backend()["usable"])
        self.assertTrue(self.examine()["measures_energy"])
        self.n1.reset(self.parameters, self.modules, self.governor)

    def test_of_a_governor_that_is_not_loaded_are_not_asked_for(self):
        self.assertNotIn("scaling_setspeed", str(commands_to_grant(self.n1)))
        self.n1.check("modprobe cpufreq_userspace")
        self.assertIn("scaling_setspeed", str(commands_to_grant(self.n1)))
        self.n1.check("rmmod cpufreq_userspace")
