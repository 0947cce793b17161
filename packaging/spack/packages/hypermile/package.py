"""hypermile for Spack 1.0 or later; docs/installing.md says how to use this recipe, and what was tried."""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Hypermile(CMakePackage):
    """Reduces the energy of parallel programs by choosing CPU frequencies for the nodes of a job,
    and hardly slows them down. Simulates that on other clusters, too."""

    # Change this to where your clone or your site's mirror is.
    git = "file:///opt/src/hypermile"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default="openmpi", values=("none", "openmpi", "mpich"), multi=False,
            description="The MPI library whose jobs 'hypermile run' can measure")
    variant("simgrid", default=True, description="Simulate programs and clusters (hypermile simulate)")
    variant("python", default=True, description="The Python module")
    variant("otf2", default=True, description="Read and write traces in OTF2")
    variant("slurm", default=False, description="The plugin for srun --hypermile")
    variant("html", default=False, description="hypermile report; npm fetches packages while it is built")

    conflicts("+slurm", when="mpi=none", msg="srun --hypermile runs MPI programs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+simgrid")

    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")

    # The lower bounds are what Debian 12 has, with which hypermile is tested.
    depends_on("fmt@9.1:")
    depends_on("cli11@2.3:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("yaml-cpp@0.7:")
    depends_on("eigen@3.4:3", type="build")
    depends_on("hwloc@2.0:")
    depends_on("zstd@1.5:")
    depends_on("openmpi@4:", when="mpi=openmpi")
    depends_on("mpich@4.0:", when="mpi=mpich")
    depends_on("simgrid@3.32+smpi", when="+simgrid")
    depends_on("python@3.9:", when="+simgrid", type=("build", "run"))  # smpirun is partly Python
    depends_on("otf2@3.0:", when="+otf2")
    depends_on("slurm", when="+slurm")
    depends_on("node-js", when="+html", type="build")
    depends_on("npm", when="+html", type="build")
    with when("+python"):
        extends("python@3.9:")
        depends_on("py-pybind11@2.10:", type="build")

    # Spack's Lua is compiled for C, where errors jump over destructors.
    resource(
        name="lua",
        url="https://www.lua.org/ftp/lua-5.4.8.tar.gz",
        sha256="4f18ddae154e793e46eeab727c59ef1c0c0c2b744e7b94219710d76f530629ae",
        placement="lua",
    )

    generator("ninja")
    conflicts("%gcc@:11", msg="hypermile is C++20 as GCC 12 has it")
    conflicts("%clang@:13", msg="hypermile is C++20 as clang 14 has it")

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define("HYPERMILE_TESTS", False),
            self.define("HYPERMILE_BENCH", False),
            self.define("HYPERMILE_MPI", not spec.satisfies("mpi=none")),
            self.define("HYPERMILE_LUA_SOURCE", join_path(self.stage.source_path, "lua", "src")),
            self.define_from_variant("HYPERMILE_SIMGRID", "simgrid"),
            self.define_from_variant("HYPERMILE_PYTHON_MODULE", "python"),
            self.define_from_variant("HYPERMILE_OTF2", "otf2"),
            self.define_from_variant("HYPERMILE_SLURM", "slurm"),
            self.define_from_variant("HYPERMILE_HTML", "html"),
        ]
        if spec.satisfies("+python"):
            python = spec["python"]
            folder = join_path("lib", f"python{python.version.up_to(2)}", "site-packages")
            args += [
                self.define("Python3_EXECUTABLE", python.command.path),
                self.define("HYPERMILE_PYTHON_DIR", folder),
            ]
        if not spec.satisfies("mpi=none"):
            flavour = spec.variants["mpi"].value.upper()
            args += [
                self.define(f"HYPERMILE_{flavour}_C", spec["mpi"].mpicc),
                self.define(f"HYPERMILE_{flavour}_CXX", spec["mpi"].mpicxx),
                self.define(f"HYPERMILE_{flavour}_FORTRAN", spec["mpi"].mpifc),
            ]
        if spec.satisfies("+slurm"):
            args.append(self.define("Slurm_INCLUDE_DIR", spec["slurm"].prefix.include))
        return args

    def setup_run_environment(self, env):
        if self.spec.satisfies("+simgrid"):
            env.prepend_path("PATH", self.spec["simgrid"].prefix.bin)  # smpicc builds programs for simulations
