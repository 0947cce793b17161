"""The programs: what each is, how it is started, and which lines of its output hold times."""

from dataclasses import dataclass, field
from pathlib import Path

INPUTS = Path(__file__).parent / "inputs"
SCRIPTS = Path(__file__).parent / "mpi4py"
SCALAPACK = "/usr/lib/x86_64-linux-gnu/scalapack"
PYTHON = "/usr/bin/python3"  # Debian's, which has mpi4py
@dataclass(frozen=True)
class Program:
    """One job. Its result is its output without what `volatile` matches, and the same of `files`."""

    name: str
    what: str  # it does, for the table
    command: tuple[str, ...]  # behind mpirun -n RANKS
    mpi: str = "openmpi"
    inputs: tuple[str, ...] = ()  # copied to the folder in which it runs
    files: tuple[str, ...] = ()  # what it writes there
    volatile: tuple[str, ...] = ()  # regular expressions; what they match is times and the like
    stdin: str = ""
    ranks: int = 2
    exit_codes: tuple[int, ...] = (0,)  # of the plain run. Anything else is a defect of this table
    reported: bool = True  # false: it ends in a way that leaves no report
    loop: bool = True  # it plainly iterates, and its iterations are not too short for a loop
    stderr: bool = False  # compare stderr as well
    build: bool = False  # the command is a test program of our own build
    environment: dict[str, str] = field(default_factory=dict)


def scalapack(test: str, what: str, data: str, mpi: str) -> Program:
    """Problems of several sizes, one after the other: what repeats is over within 0.1 s."""
    return Program(f"ScaLAPACK {test}", what, (f"{SCALAPACK}/{mpi}-tests/{test}",), mpi, (data,),
                   loop=False,
                   volatile=(r"(?<=\s)-?\d+\.\d\d(?=\s)", r"(?<=\s)0\.\d+E[-+]\d\d(?=\s)"))


def nwchem(mpi: str) -> Program:
    """NWChem rounds differently where messages come in another order, in the last digits."""
    return Program("NWChem", "water, geometry by density functional theory",
                   (f"nwchem.{mpi}", "water.nw"), mpi, ("water.nw",),
                   volatile=(r"^(?!.*Total DFT energy).*$", r"(?<=\.\d{6})\d+"))


def lammps(script: str, what: str) -> Program:
    return Program(f"LAMMPS {script.split('.')[0]}", what, ("lmp", "-in", script, "-log", "none"),
                   inputs=(script,),
                   volatile=(r"^.*(?:CPU|Loop time|Performance|Total wall time).*$",
                             r"^(?:Pair|Neigh|Comm|Output|Modify|Other) .*$"))


def script(name: str, what: str, **more) -> Program:
    return Program(f"mpi4py {name.replace('.py', '')}", what, (PYTHON, *name.split()),
                   inputs=(name.split()[0],), **more)


TIMED = (
    lammps("lj.lammps", "Lennard-Jones liquid, new neighbours every 20 steps"),
    lammps("shear.lammps", "mixture: minimisation, then two kinds of dynamics"),
    Program("Elk", "ground state of aluminium, all electrons", ("elk-lapw",), inputs=("elk.in",),
            files=("TOTENERGY.OUT", "EFERMI.OUT"), volatile=(r"^.*(?:[Tt]ime|seconds).*$",)),
    Program("MPB", "bands of a photonic crystal", ("mpb-mpi", "bands.ctl"), inputs=("bands.ctl",),
            volatile=(r"^(?!tmfreqs).*$", r"(?<=\.\d{4})\d+")),  # it begins in random fields
    Program("Meep", "a wave in a bent guide, by time steps", ("meep", "waveguide.ctl"),
            inputs=("waveguide.ctl",), volatile=(r"^(?!flux1).*$",)),
    Program("Gerris", "flow under a moving lid, traps divisions by zero", ("gerris2D", "cavity.gfs"),
            inputs=("cavity.gfs",), volatile=(r"cpu:.*$",)),
    Program("CP2K", "two molecules of water, dynamics", ("cp2k.psmp", "-i", "water_md.inp"),
            inputs=("water_md.inp",), files=("water-1.ener",),
            volatile=(r"^(?! *\d+ +\d).*$", r"(?<=\.\d{6})\d+", r" +\S+$")),
    nwchem("openmpi"),
    nwchem("mpich"),
    scalapack("xdlu", "LU factorisation and solution, 24 of order 500", "LU.dat", "openmpi"),
    scalapack("xdlu", "LU factorisation and solution, 24 of order 500", "LU.dat", "mpich"),
    scalapack("xdsep", "symmetric eigenproblems of order 120", "SEP.dat", "openmpi"),
    scalapack("xdsep", "symmetric eigenproblems of order 120", "SEP.dat", "mpich"),
    Program("HPCC", "HPL, DGEMM, STREAM, PTRANS, FFT, random access, latency", ("hpcc",),
            inputs=("hpccinf.txt",), files=("hpccoutf.txt",), loop=False,
            volatile=(r"^(?!(?:Success|HPL_N|PTRANS_residual|MPIFFT_N|CommWorldProcs)=).*$",)),
    Program("NetPIPE", "messages only, back and forth", ("NPopenmpi", "-i", "-u", "512"),
            loop=False, volatile=(r"^\d: .*$",)),
    Program("NetPIPE", "messages only, back and forth", ("NPmpich2", "-i", "-u", "512"), "mpich",
            loop=False, volatile=(r"\d: .*?(?=Doing|$)", r"(?<=performance)\s*Doing .* performance")),
    script("jacobi.py", "Jacobi iteration, halo by Sendrecv"),
    script("cg.py", "conjugate gradients, ten systems"),
    script("master.py", "a master gives work to whoever asks"),
    script("sgd.py", "training, gradients summed up by Allreduce"),
)


def ours(name: str, what: str, mpi: str, *arguments: str, **more) -> Program:
    """A program of tests/programs, in C++ or Fortran."""
    return Program(" ".join((name, *arguments[:1])), what, (name, *arguments), mpi, build=True,
                   **more)


def awkward_of(mpi: str) -> tuple[Program, ...]:
    unreported = {"reported": False, "loop": False}
    # MPICH's mpirun tells the signal's number. It may tell its own SIGKILL, for which it prints
    # more.
    killed = () if mpi == "openmpi" else (9,)
    segv = 139 if mpi == "openmpi" else 11
    told = (r"^=.*$", r"^YOUR APPLICATION TERMINATED.*$", r"^This typically refers.*$",
            r"^Please see the FAQ.*$")
    return (
        ours("ending", "MPI_Abort", mpi, "abort", exit_codes=(7,), **unreported),
        ours("ending", "exit without MPI_Finalize", mpi, "exit", exit_codes=(7, *killed),
             volatile=told, **unreported),
        ours("ending", "SIGSEGV", mpi, "crash", exit_codes=(segv, *killed), volatile=told,
             **unreported),
        ours("threads", "MPI_THREAD_MULTIPLE", mpi, "3", loop=False),
        ours("fortran_f08", "Fortran, use mpi_f08", mpi, "300"),
        ours("one_sided", "MPI_Put, MPI_Get, windows", mpi, "300"),
    )


AWKWARD = (
    script("ends.py abort", "MPI_Abort", exit_codes=(7,), reported=False, loop=False),
    script("ends.py segv", "SIGSEGV", exit_codes=(139,), reported=False, loop=False),
    script("ends.py exit", "exit without MPI_Finalize", exit_codes=(3,), reported=False, loop=False),
    script("ends.py no_finalize", "all exit without MPI_Finalize", exit_codes=(1,), reported=False,
           loop=False),
    script("megabytes.py", "8 MB to stdout, 2 MB to stderr", stderr=True),
    script("stdin.py", "reads stdin", stdin="".join(f"{i}\n" for i in range(3000)), loop=False),
    script("threads.py", "MPI_THREAD_MULTIPLE", loop=False),
    script("spawns.py", "MPI_Comm_spawn"),
    ours("spawning", "MPI_Comm_spawn", "openmpi", "120"),  # MPICH's mpirun of Debian 12 cannot
    *awkward_of("openmpi"),
    *awkward_of("mpich"),
)
