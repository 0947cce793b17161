"""What the nodes start from: kernel module, test programs, hypermile itself, the initial file system,
users and keys. All of it goes into the layer above the host's root, which is / here."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

NODES = {"n1": "10.77.0.1", "n2": "10.77.0.2"}
USERS = ("anna", "berta")
OPT = pathlib.Path("/opt/rack")
DRIVERS = ("virtio_pci", "virtio_net", "9pnet_virtio", "9p", "overlay")

SSHD = """HostKey /etc/ssh/rack_host_key
UsePAM no
UseDNS no
PermitRootLogin yes
MaxSessions 100
MaxStartups 100
SetEnv PATH=/opt/hypermile/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
"""

# The first connection costs seconds where a processor is emulated, the others milliseconds.
SSH_OF_USER = """Host n*
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
  ControlMaster auto
  ControlPath /tmp/ssh-%r-%n
  ControlPersist 600
"""

# What is there for faster networks is slow to find out that there is none.
OPEN_MPI = """btl = self,vader,tcp
pml = ob1
btl_tcp_if_include = eth0
oob_tcp_if_include = eth0
"""


def call(*command, **options):
    """Runs a command; ends the program with what it said if it fails."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **options}
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, text=True,
                          errors="replace", check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{done.stdout or ''}\nrack: error: this failed with {done.returncode}: "
                 f"{' '.join(str(word) for word in command)}")
    return done.stdout


def kernel_version():
    depends = call("dpkg-query", "--show", "--showformat=${Depends}", "linux-image-amd64")
    return depends.split()[0].removeprefix("linux-image-")


def write(path, text, mode=0o644, owner=None):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    if owner:
        shutil.chown(path, owner, owner)


def build_module(here, state, version):
    folder = state / "module"
    folder.mkdir(exist_ok=True)
    for source in (here / "module").iterdir():
        if source.name == "Makefile" or source.suffix in (".c", ".h"):
            if not (folder / source.name).exists() or \
                    (folder / source.name).read_bytes() != source.read_bytes():
                shutil.copy(source, folder)
    call("make", "-C", f"/lib/modules/{version}/build", f"M={folder}", "modules")
    shutil.copy(folder / "rack_cpu.ko", OPT)


def build_programs(here):
    call("mpicc.openmpi", "-O1", "-o", OPT / "beat", here / "programs/beat.c")
    for script in ("start", "reset"):
        shutil.copy(here / "guest" / script, OPT)


def modules_for(version):
    """Paths of the drivers and of what they need, in the order in which to load them."""
    paths = []
    for driver in DRIVERS:
        shown = call("modprobe", "--set-version", version, "--show-depends", driver)
        for line in shown.splitlines():
            if line.startswith("insmod ") and line.split()[1] not in paths:
                paths.append(line.split()[1])
    return paths


def build_initial_files(here, state, version):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for empty in ("bin", "modules", "proc", "sys", "dev", "lower", "memory", "new"):
            (folder / empty).mkdir()
        shutil.copy("/bin/busybox", folder / "bin")
        shutil.copy(here / "guest/init", folder / "init")
        paths = modules_for(version)
        for path in paths:
            shutil.copy(path, folder / "modules")
        write(folder / "modules/order", "".join(os.path.basename(path) + "\n" for path in paths))
        with open(state / "initrd", "wb") as archive:
            subprocess.run("find . | busybox cpio -o -H newc 2> /dev/null | gzip -1", shell=True,
                           cwd=folder, stdout=archive, check=True)


def make_key(path):
    if not path.exists():
        call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path)
    return path.with_name(path.name + ".pub").read_text()


def make_users(state):
    public = make_key(state / "key")
    host_key = pathlib.Path("/etc/ssh/rack_host_key")
    make_key(host_key)
    write("/etc/ssh/sshd_config", SSHD)
    write("/root/.ssh/authorized_keys", public, 0o600)
    for user in USERS:
        home = pathlib.Path("/home") / user
        if subprocess.run(["id", user], capture_output=True, check=False).returncode != 0:
            call("useradd", "--create-home", "--shell", "/bin/bash", user)
        call("usermod", "--password", "*", user)  # none, and not locked: sshd takes a key
        write(home / ".ssh/authorized_keys", public, 0o600, user)
        write(home / ".ssh/id_ed25519", (state / "key").read_text(), 0o600, user)
        write(home / ".ssh/config", SSH_OF_USER, 0o600, user)
        write(home / ".openmpi/mca-params.conf", OPEN_MPI, 0o644, user)
        for folder in (home / ".ssh", home / ".openmpi"):
            shutil.chown(folder, user, user)
    pathlib.Path("/root/.ssh").chmod(0o700)
    call("usermod", "--shell", "/bin/sh", "root")  # which reads nothing of the host's root at its start


def make_settings(here):
    hosts = "".join(f"{address} {node}\n" for node, address in NODES.items())
    write("/etc/hosts", "127.0.0.1 localhost\n" + hosts)
    for file in (here / "slurm").glob("*.conf"):
        shutil.copy(file, "/etc/slurm")
    shutil.copy(here / "slurm/epilog", "/etc/slurm")
    shutil.copy(here / "slurm/start", OPT / "start-slurm")
    pathlib.Path("/.dockerenv").unlink(missing_ok=True)  # the host may be a container; nodes are none
    # The rules come from hypermile doctor, in the nodes.
    for file in ("/etc/tmpfiles.d/hypermile.conf", "/etc/udev/rules.d/90-hypermile.rules"):
        pathlib.Path(file).unlink(missing_ok=True)


def build(project, state):
    """Throws away nothing that is still right: a second call takes seconds."""
    here = project / "tests/rack"
    OPT.mkdir(parents=True, exist_ok=True)
    version = kernel_version()
    build_module(here, state, version)
    build_programs(here)
    build_initial_files(here, state, version)
    shutil.copy(f"/boot/vmlinuz-{version}", state / "kernel")
    shutil.rmtree("/opt/hypermile", ignore_errors=True)
    call("cmake", "--install", project / "build/release", "--prefix", "/opt/hypermile")
    make_users(state)
    make_settings(here)
