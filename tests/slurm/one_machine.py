"""A Slurm of this machine alone: munged, slurmctld and a slurmd for each of two nodes, all below one
temporary folder."""

import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

NODES = ("n1", "n2")
PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sbatch", "salloc", "scontrol", "scancel")
CONF = """ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={ports[0]}
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ReturnToService=2
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
KillWait=1
MailProg=/bin/true
SlurmdParameters=config_overrides
PlugStackConfig={folder}/plugstack.conf
Epilog={folder}/epilog
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE
"""

PR_SET_PDEATHSIG = 1
CLONE_NEWNS, CLONE_NEWPID = 0x20000, 0x20000000
MS_REC, MS_PRIVATE = 0x4000, 0x40000
libc = ctypes.CDLL(None, use_errno=True)


def missing():
    """Why there can be no Slurm here; empty: there can."""
    if os.geteuid() != 0:
        return "only root may start munged and slurmd"
    absent = [p for p in PROGRAMS if not shutil.which(p)]
    return f"not installed: {', '.join(absent)}" if absent else ""


def enter_own_processes():
    """Goes on in a namespace of processes, whose first one is the caller from now on: when that has
    ended, however it did, the system ends all others. The process that was there waits for it.
    Returns why it cannot be; empty: it is so."""
    if libc.unshare(CLONE_NEWPID | CLONE_NEWNS) != 0:
        return f"no namespace of processes: {os.strerror(ctypes.get_errno())}"
    child = os.fork()
    if child != 0:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _: os.kill(child, number))
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    if libc.mount(b"proc", b"/proc", b"proc", 0, None) != 0:
        return f"cannot mount /proc: {os.strerror(ctypes.get_errno())}"
    return ""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def processes_of(program):
    """Their numbers, of the namespace of processes that is ours."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "exe").resolve().name == program:
                found.append(int(entry.name))
        except OSError:
            pass  # it has just ended
    return found


class OneMachine:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="slurm."))
        self.folder.chmod(0o755)
        self.daemons = []
        self.environment = {k: v for k, v in os.environ.items()
                            if not k.startswith(("SLURM", "HYPERMILE", "LD_PRELOAD"))}
        self.environment["SLURM_CONF"] = str(self.folder / "slurm.conf")

    def start(self):
        self._configure()
        munge = [f"--{name}={self.folder}/munge.{name.split('-')[0]}"
                 for name in ("key-file", "pid-file", "log-file", "seed-file", "socket")]
        self._daemon("munged", "--foreground", "--force", *munge)
        self._until(lambda: (self.folder / "munge.socket").exists(), "munged listens")
        self._daemon("slurmctld", "-D")
        for node in NODES:
            self._daemon("slurmd", "-D", "-N", node)
        self._until(lambda: self.run("sinfo", "-h", "-t", "idle", "-o", "%D").stdout.strip() == "2",
                    "two nodes are idle")

    def _configure(self):
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o600)
        host = socket.gethostname().partition(".")[0]
        ports = free_ports(1 + len(NODES))
        nodes = "\n".join(f"NodeName={n} NodeHostname={host} NodeAddr=127.0.0.1 Port={p} CPUs=4"
                          for n, p in zip(NODES, ports[1:]))
        for name in ["state", "pmix"] + [f"spool.{n}" for n in NODES]:
            (self.folder / name).mkdir()
        self.epilog("")
        (self.folder / "plugstack.conf").write_text("")
        # Folders of an earlier job with the same number must not be in the way.
        (self.folder / "pmix").chmod(0o1777)
        (self.folder / "mpi.conf").write_text(f"PMIxCliTmpDirBase={self.folder}/pmix\n")
        (self.folder / "slurm.conf").write_text(
            CONF.format(host=host, folder=self.folder, ports=ports, nodes=nodes))

    def epilog(self, lines):
        file = self.folder / "epilog"
        file.write_text(f"#!/bin/sh\n{lines}\nexit 0\n")
        file.chmod(0o755)

    def plugin(self, line):
        """Slurm reads it anew for each job."""
        (self.folder / "plugstack.conf").write_text(line + "\n")

    def run(self, *words, folder=None, timeout=60, **more):
        """The process that has ended; its output as text."""
        more.setdefault("env", self.environment)
        return subprocess.run(words, cwd=folder or self.folder, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=timeout, check=False, **more)

    def begin(self, *words, folder=None):
        return subprocess.Popen(words, cwd=folder or self.folder, env=self.environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def _daemon(self, *words):
        with open(self.folder / f"{words[0]}.out", "a", encoding="utf-8") as out:
            self.daemons.append(subprocess.Popen(
                words, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out))

    def _until(self, holds, what):
        end = time.monotonic() + 30
        while not holds():
            if time.monotonic() > end:
                raise RuntimeError(f"after 30 s it is not so that {what}:\n{self._logs()}")
            time.sleep(0.05)

    def _logs(self):
        logs = [*self.folder.glob("*.log"), *self.folder.glob("*.out")]
        return "\n".join(f"{log.name}: {log.read_text(errors='replace')[-1000:]}" for log in logs)

    def stop(self):
        """Ends the daemons and removes their folder; what else runs ends with the first process."""
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(3)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
