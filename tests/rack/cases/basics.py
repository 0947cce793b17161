"""The machine itself: where it is not as it should be, the other tests say nothing."""

from support import BEAT, RackTest, set_governors


class TheRack(RackTest):
    modules = ("powersave",)

    def seconds(self):
        return float(self.n1.check(f"mpirun -n 1 {BEAT} 10 20 100", "anna").split()[4])

    def joules(self):
        return int(self.n1.check("cat /sys/class/powercap/intel-rapl:0/energy_uj")) / 1e6

    def test_slow_gears_take_time(self):
        fast = self.seconds()
        set_governors(self.n1, "powersave")
        self.assertEqual(self.n1.frequencies_khz(), [800000, 800000])
        slow = self.seconds()
        set_governors(self.n1, "performance")
        self.assertGreater(slow, 2 * fast)  # 2.5 / 0.8 = 3.1, on a quiet host

    def test_work_takes_energy(self):
        before = self.joules()
        time = self.seconds()
        self.assertGreater(self.joules() - before, time * (2 + 10))  # idle and busy W of one CPU
