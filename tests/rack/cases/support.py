"""What the tests share: fresh processors before each test, and nothing left behind after it."""

import json
import shlex
import unittest

import nodes
from nodes import wait_until

BEAT = "/opt/rack/beat"
GEAR_9 = "1600000"  # kHz: 2.5 GHz less 9 steps of 0.1
RULES = "/etc/tmpfiles.d/hypermile.conf /etc/udev/rules.d/90-hypermile.rules"


def mpirun(iterations, millions=1):
    """One rank on each node."""
    return f"mpirun --bind-to none -n 2 --host n1,n2 {BEAT} {iterations} {millions}"


ENDLESS = mpirun(100000000, 0.1)


class RackTest(unittest.TestCase):
    """anna may set the gears of both nodes. Before each test, all policies have `governor`."""

    parameters = {}  # of the module rack_cpu
    modules = ()  # governors that are loaded
    governor = "performance"
    granted = True

    @classmethod
    def setUpClass(cls):
        cls.rack = nodes.the_rack
        cls.n1, cls.n2 = cls.rack.nodes

    def setUp(self):
        self.rack.on_all(self.prepare)
        self.before = {node.name: node.settings() for node in self.rack.nodes}

    def prepare(self, node):
        node.reset(self.parameters, self.modules, self.governor)
        # What doctor asks for depends on the governors that are loaded.
        wanted = ",".join(self.modules) if self.granted else None
        if node.granted != wanted:
            revoke(node)
            if self.granted:
                grant(node)
            node.granted = wanted

    def tearDown(self):
        self.assert_restored()

    def assert_restored(self):
        """Settings as before the test, and no guard."""
        for node in self.rack.nodes:
            wait_until(lambda: node.settings() == self.before[node.name],
                       lambda: f"{node.name} is as before:\n{self.before[node.name]}\nbut it is "
                               f"{node.settings()}")
            wait_until(lambda: node.run("pgrep -x hypermile-guard", "root").code == 1,
                       f"the guard of {node.name} has ended")

    def assert_nothing_left_to_restore(self):
        for node in self.rack.nodes:
            out = json.loads(node.check("hypermile restore --json"))
            self.assertEqual([j["outcome"] for j in out["journals"] if j["outcome"] != "nothing"],
                             [], out)

    def start_job(self, command=ENDLESS, options="--gears 9,9", khz=GEAR_9):
        """A job of anna's that n1 starts; it runs in this gear on both nodes."""
        job = self.n1.start(f"hypermile run {options} -- {command}")
        self.wait_for_gear(khz, job)
        return job

    def wait_for_gear(self, khz, job):
        def both_have_it():
            if job.poll() is not None:
                raise AssertionError(f"the job ended: {nodes.finish(job)}")
            return all(set(limits(node)) == {khz} for node in self.rack.nodes)

        wait_until(both_have_it,
                   lambda: f"{khz} kHz on both: {[limits(node) for node in self.rack.nodes]}")

    def run_job(self, command, options="--gears 9,9", code=0):
        """(report, what it did) of a job of anna's that n1 starts, until its end."""
        result = self.n1.run(f"rm -f /tmp/report; "
                             f"hypermile run --json --output /tmp/report {options} -- {command}")
        self.assertEqual(result.code, code, result)
        return json.loads(self.n1.check("cat /tmp/report", "anna")), result


def limits(node):
    """What each policy of the node is set to, in kHz: by the governor userspace, or by its limit."""
    files = node.settings()
    speeds = []
    for name, value in sorted(files.items()):
        if name.endswith("/scaling_max_freq"):
            speed = files.get(name.replace("max_freq", "setspeed"), "<unsupported>")
            speeds.append(value if speed == "<unsupported>" else speed)
    return speeds


def set_governors(node, *governors):
    """One per policy; the last is also that of the policies after it."""
    node.check(f"set -- {' '.join(governors)}; for policy in /sys/devices/system/cpu/cpufreq/policy*; "
               "do echo $1 > $policy/scaling_governor; read -r set < $policy/scaling_governor; "
               "[ $set = $1 ] || exit 1; [ $# = 1 ] || shift; done")


def commands_to_grant(node, user="anna"):
    """What `hypermile doctor` tells the user to have typed."""
    return json.loads(node.check("hypermile doctor --json", user))["administrator_runs"]


def grant(node):
    commands = commands_to_grant(node)
    if commands:
        node.check(f"sh -e -c {shlex.quote(chr(10).join(commands))}")
        node.log_out("anna")


def revoke(node):
    """As if nobody had ever granted anything: files in /sys have the kernel's modes."""
    node.check(f"rm -f {RULES}; groupdel -f hypermile 2> /dev/null; udevadm control --reload; "
               "cd /sys/devices/system/cpu/cpufreq; chmod 644 policy*/scaling_m??_freq "
               "policy*/scaling_governor policy*/scaling_setspeed; chown root:root policy*/scaling_*; "
               "chown root:root /sys/class/powercap/intel-rapl:*/energy_uj; "
               "chmod 400 /sys/class/powercap/intel-rapl:*/energy_uj")
    node.log_out("anna")
