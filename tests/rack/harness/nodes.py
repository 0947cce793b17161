"""Two virtual machines and the network between them."""

import os
import pathlib
import subprocess
import sys
import threading
import time

from image import NODES, call

PATIENCE_S = 300  # for what takes a second on a quiet machine that has KVM
PARAMETERS = "/sys/module/rack_cpu/parameters"

# An emulated processor that the host holds up looks broken to the kernel, which is told not to look.
KERNEL = ("console=ttyS0 quiet panic=-1 mitigations=off no_timer_check tsc=reliable nowatchdog "
          "rcupdate.rcu_cpu_stall_suppress=1")

the_rack = None  # of this process


class Result:
    """What a command in a node did."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __str__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def wait_until(condition, what, patience_s=PATIENCE_S):
    """Returns the first true value of `condition`; fails with `what` after patience_s."""
    end = time.monotonic() + patience_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {patience_s} s: {what() if callable(what) else what}")
        time.sleep(0.3)


class Node:
    """One virtual machine. Commands run in it by ssh; the key and the root are the rack's."""

    def __init__(self, name, state, options):
        self.name = name
        self.address = NODES[name]
        self.state = state
        self.log = state / "logs" / f"{name}.log"
        self.users = set()  # who are logged in
        self.granted = None  # what anna may do; see ../cases/support.py
        self.process = subprocess.Popen(
            machine(state, self.log, options)
            + ["-append", f"{KERNEL} rack.node={name} "
                          f"rack.address={self.address}",
               "-fsdev", "local,id=root,path=/,readonly=on,security_model=none,multidevs=remap",
               "-device", "virtio-9p-pci,fsdev=root,mount_tag=root",
               "-netdev", f"tap,id=net,ifname=tap-{name},script=no,downscript=no",
               "-device", f"virtio-net-pci,netdev=net,mac=52:54:00:77:00:0{name[1:]},romfile="],
            stdin=subprocess.DEVNULL, stdout=open(state / "logs" / f"{name}.qemu", "wb"),
            stderr=subprocess.STDOUT)

    def has_started(self):
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        if self.process.poll() is not None:
            sys.exit(f"{text}\nrack: error: {self.name} ended; see {self.log} and {self.name}.qemu")
        return f"rack: {self.name} is up" in text

    def ssh(self, user, *options):
        return ["ssh", "-F", "none", "-i", str(self.state / "key"), "-o", "StrictHostKeyChecking=no",
                "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
                "-o", "ControlPath=/run/rack-%r-%h", "-o", "ConnectionAttempts=60", *options,
                f"{user}@{self.address}"]

    def log_in(self, user):
        """One connection per user: a new one costs seconds, a command over it milliseconds."""
        if user not in self.users:
            call(*self.ssh(user, "-M", "-N", "-f"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.users.add(user)

    def log_out(self, user):
        """The user's groups count anew from the next command on."""
        if user in self.users:
            subprocess.run(self.ssh(user, "-O", "exit"), capture_output=True, check=False)
            self.users.remove(user)

    def start(self, command, user="anna"):
        """A command of a shell. The caller waits for it (finish)."""
        self.log_in(user)
        return subprocess.Popen(self.ssh(user) + [command], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, command, user="anna", patience_s=PATIENCE_S):
        """A command of a shell, until its end."""
        return finish(self.start(command, user), patience_s, f"{self.name}: {command}")

    def check(self, command, user="root"):
        """Its output; fails if its exit code is not 0."""
        result = self.run(command, user)
        if result.code != 0:
            raise AssertionError(f"{self.name}: {command}: {result}")
        return result.out

    def set_parameter(self, name, value):
        self.check(f"echo {value} > {PARAMETERS}/{name}")

    def settings(self):
        """{file: value} of what hypermile may change; an offline policy has none."""
        # The shell reads by itself: starting a program costs an emulated processor a tenth of a second.
        lines = self.check("cd /sys/devices/system/cpu/cpufreq; for file in policy*/scaling_governor "
                           "policy*/scaling_m??_freq policy*/scaling_setspeed; do "
                           "{ read -r value < $file; } 2> /dev/null && echo $file:$value; done; true")
        return dict(line.split(":", 1) for line in lines.splitlines())

    def frequencies_khz(self):
        """What each policy's processor runs at, as its driver says."""
        out = self.check("cat /sys/devices/system/cpu/cpufreq/policy*/cpuinfo_cur_freq")
        return [int(word) for word in out.split()]

    def reset(self, parameters, governors, governor):
        """See ../guest/reset."""
        words = " ".join(f"{name}={value}" for name, value in parameters.items())
        self.check(f"/opt/rack/reset '{','.join(governors)}' {governor} {words}")


def finish(process, patience_s=PATIENCE_S, what="a command"):
    try:
        out, err = process.communicate(timeout=patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"not done within {patience_s} s: {what}\n"
                             f"{Result(None, out.decode(), err.decode())}") from None
    return Result(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))


def machine(state, log, options):
    return ["qemu-system-x86_64", "-machine", "q35,usb=off", "-smp", "2", "-m", "768",
            "-nodefaults", "-display", "none", "-no-reboot", "-serial", f"file:{log}",
            "-kernel", str(state / "kernel"), "-initrd", str(state / "initrd"), *options]


EMULATION = ["-accel", "tcg,thread=multi,tb-size=128", "-cpu", "max"]
HARDWARE = ["-accel", "kvm", "-cpu", "host"]


def hardware_works(state):
    """Whether a kernel boots with KVM: on some hosts that have it, nothing happens. The answer is
    kept until the host boots anew."""
    known = state / "kvm"
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text()
    if not known.exists() or not known.read_text().startswith(boot):
        known.write_text(f"{boot}{'works' if boots_with_hardware(state) else 'hangs'}\n")
    return known.read_text().endswith("works\n")


def boots_with_hardware(state):
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    log = state / "logs/probe.log"
    process = subprocess.Popen(machine(state, log, HARDWARE)
                               + ["-append", f"{KERNEL} rack.probe"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    return "rack: the kernel boots" in log.read_text(errors="replace")


def make_network():
    call("ip", "link", "set", "lo", "up")
    call("ip", "link", "add", "rack", "type", "bridge")
    call("ip", "address", "add", "10.77.0.254/24", "dev", "rack")
    call("ip", "link", "set", "rack", "up")
    for name in NODES:
        call("ip", "tuntap", "add", f"tap-{name}", "mode", "tap")
        call("ip", "link", "set", f"tap-{name}", "master", "rack", "up")


class Rack:
    def __init__(self, state):
        logs = state / "logs"
        logs.mkdir(exist_ok=True)
        for old in logs.iterdir():
            old.unlink()
        self.accelerator = "KVM" if hardware_works(state) else "emulated processors"
        options = HARDWARE if self.accelerator == "KVM" else EMULATION
        make_network()
        self.nodes = [Node(name, state, options) for name in NODES]
        for node in self.nodes:
            wait_until(node.has_started, f"{node.name} starts", 600)
        self.slurm_runs = False

    def shell(self, where):
        user, _, name = where.rpartition("@")
        found = [node for node in self.nodes if node.name == name]
        if not found:
            print(f"rack: error: there is no node {name}; try: n1", file=sys.stderr)
            return 2
        return subprocess.run(found[0].ssh(user or "anna", "-t"), check=False).returncode

    def on_all(self, action):
        """Calls action(node) for all nodes at once; fails if one does."""
        errors = []

        def attempt(node):
            try:
                action(node)
            except AssertionError as error:
                errors.append(error)

        threads = [threading.Thread(target=attempt, args=(node,)) for node in self.nodes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]

    def start_slurm(self):
        if self.slurm_runs:
            return
        self.on_all(lambda node: node.check("/opt/rack/start-slurm"))
        wait_until(lambda: self.nodes[0].run("sinfo -h -o %T").out.split() == ["idle"],
                   lambda: f"Slurm has two idle nodes: {self.nodes[0].run('sinfo')}")
        self.slurm_runs = True
