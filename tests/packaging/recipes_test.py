"""The recipes for Spack and EasyBuild against our own CMake files: what they set exists, and what CMake looks for is
among their dependencies. Neither tool is needed: the recipes are Python, and run with stand-ins for its names.

    recipes_test.py [CMAKE]     CMAKE also configures with the options of the recipes, and finds those unused"""

import glob
import itertools
import os
import re
import subprocess
import sys
import tempfile
import types
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CMAKE = ""
# What find_package() of our CMake files looks for, by the names of Spack and EasyBuild. None: it comes with the rest.
PACKAGES = {"Threads": None, "PkgConfig": ("pkgconfig", "pkgconf"), "fmt": ("fmt", "fmt"), "CLI11": ("cli11", "CLI11"),
            "nlohmann_json": ("nlohmann-json", "nlohmann_json"), "yaml-cpp": ("yaml-cpp", "yaml-cpp"),
            "Hwloc": ("hwloc", "hwloc"), "Eigen3": ("eigen", "Eigen"), "Zstd": ("zstd", "zstd"), "OTF2": ("otf2", "OTF2"),
            "Python3": ("python", "Python"), "pybind11": ("py-pybind11", "pybind11"), "Slurm": ("slurm", None),
            "SimGrid": ("simgrid", None), "Lua54": None, "benchmark": None, "GTest": None}


def read(*path):
    with open(os.path.join(SOURCE, *path)) as file:
        return file.read()


def cmake_texts():
    files = ["CMakeLists.txt", *glob.glob("cmake/*.cmake", root_dir=SOURCE)]
    for folder in ("src", "apps", "web", "site", "packaging"):
        files += glob.glob(f"{folder}/**/CMakeLists.txt", root_dir=SOURCE, recursive=True)
    return [read(file) for file in files]


def settable():
    """What -D may set: options, cache variables, what find_...() looks for, and the interpreter of FindPython3."""
    names = {"Python3_EXECUTABLE"}
    for text in cmake_texts():
        names.update(re.findall(r"\boption\((\w+)", text))
        names.update(re.findall(r"\bset\((\w+)[^)]*?\sCACHE\s", text))
        names.update(re.findall(r"\bfind_(?:path|program|library|file)\((\w+)", text))
    flavours = re.findall(r"hypermile_find_wrappers\((\w+) ", "".join(cmake_texts()))
    return names | {f"HYPERMILE_{flavour.upper()}_{language}" for flavour in flavours for language in ("C", "CXX", "FORTRAN")}


def looked_for():
    return {name for text in cmake_texts() for name in re.findall(r"\bfind_package\(([\w-]+)", text)} - {"Python"}


def version():
    return re.search(r"project\(hypermile VERSION ([\d.]+)", read("CMakeLists.txt")).group(1)


# --- Spack ---

class Anything:
    """A path or a spec of Spack: whatever is asked of it."""

    def __init__(self, text):
        self.text = text

    def __getattr__(self, name):
        return Anything(f"{self.text}/{name}")

    def __str__(self):
        return self.text

    def up_to(self, _):
        return "3.11"


class Spec:
    def __init__(self, values):
        self.values = values
        self.variants = {name: types.SimpleNamespace(value=value) for name, value in values.items()}

    def satisfies(self, text):
        """'+python', '~python' or 'mpi=openmpi'."""
        if text[0] in "+~":
            return self.values[text[1:]] is (text[0] == "+")
        name, _, value = text.partition("=")
        return self.values[name] == value

    def __getitem__(self, name):
        return Anything(f"/{name}")


class SpackRecipe:
    """The recipe with what its directives said."""

    def __init__(self, text):
        self.variants, self.dependencies, self.conflicts, self.resources = {}, [], [], []
        conditions = []

        def depends_on(spec, when="", type="", **_):
            name = re.match(r"[\w-]+", spec).group()
            self.dependencies.append((name, [*conditions, *([when] if when else [])]))

        class When:
            def __init__(self, condition):
                self.condition = condition

            def __enter__(self):
                conditions.append(self.condition)

            def __exit__(self, *_):
                conditions.pop()

        names = {"variant": lambda name, default, values=(True, False), multi=False, description="":
                 self.variants.__setitem__(name, (default, values, description)),
                 "depends_on": depends_on, "extends": depends_on, "when": When, "join_path": os.path.join,
                 "conflicts": lambda spec, when="", msg="": self.conflicts.append((spec, when)),
                 "resource": lambda **what: self.resources.append(what),
                 **{name: (lambda *_, **__: None) for name in ("version", "license", "generator")}}
        package = types.ModuleType("spack.package")
        package.__dict__.update(names, __all__=list(names))
        cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        cmake.CMakePackage = type("CMakePackage", (), {})
        modules = {"spack": types.ModuleType("spack"), "spack.package": package,
                   "spack_repo.builtin.build_systems.cmake": cmake,
                   **{name: types.ModuleType(name) for name in
                      ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems")}}
        sys.modules.update(modules)
        made = {}
        exec(compile(text, "package.py", "exec"), made)
        for name in modules:
            del sys.modules[name]
        self.package = made["Hypermile"]

    def specs(self):
        """Every combination of values that the recipe does not forbid."""
        for values in itertools.product(*(values for _, values, _ in self.variants.values())):
            spec = Spec(dict(zip(self.variants, values)))
            if not any(bad[0] in "+~" and spec.satisfies(bad) and spec.satisfies(when) for bad, when in self.conflicts):
                yield spec

    def options(self, spec):
        package = self.package()
        package.spec = spec
        package.stage = Anything("/stage")
        package.stage.source_path = "/stage"
        package.define = lambda name, value: (name, value)
        package.define_from_variant = lambda name, variant: (name, spec.values[variant])
        return dict(package.cmake_args())

    def dependencies_of(self, spec):
        return {name for name, conditions in self.dependencies if all(map(spec.satisfies, conditions))}


class OfSpack(unittest.TestCase):
    def setUp(self):
        self.recipe = SpackRecipe(read("packaging/spack/packages/hypermile/package.py"))

    def test_sets_what_cmake_knows_whatever_the_variants(self):
        known = settable()
        for spec in self.recipe.specs():
            with self.subTest(spec.values):
                self.assertEqual(set(self.recipe.options(spec)) - known, set())

    def test_has_variants_that_decide_what_is_built(self):
        """Every switch of CMake follows its variant, in both directions."""
        specs = list(self.recipe.specs())
        self.assertGreater(len(specs), 50)
        for name, option in (("simgrid", "SIMGRID"), ("python", "PYTHON_MODULE"), ("otf2", "OTF2"), ("slurm", "SLURM"),
                             ("html", "HTML")):
            for spec in specs:
                self.assertIs(self.recipe.options(spec)[f"HYPERMILE_{option}"], spec.values[name])
        for spec in specs:
            options, mpi = self.recipe.options(spec), spec.values["mpi"]
            self.assertIs(options["HYPERMILE_MPI"], mpi != "none")
            for flavour in ("openmpi", "mpich"):
                self.assertIs(f"HYPERMILE_{flavour.upper()}_CXX" in options, mpi == flavour)

    def test_depends_on_what_cmake_looks_for(self):
        optional = {"SimGrid": "+simgrid", "OTF2": "+otf2", "Slurm": "+slurm", "pybind11": "+python", "Python3": "+python"}
        for name in looked_for():
            self.assertIn(name, PACKAGES, "add it to PACKAGES, and to the recipes")
            if PACKAGES[name] is None:
                continue
            for spec in self.recipe.specs():
                if name not in optional or spec.satisfies(optional[name]):
                    self.assertIn(PACKAGES[name][0], self.recipe.dependencies_of(spec), spec.values)

    def test_depends_on_nothing_that_a_variant_leaves_out(self):
        wanted = {"simgrid": "simgrid", "otf2": "otf2", "slurm": "slurm", "npm": "html", "node-js": "html",
                  "py-pybind11": "python"}
        for spec in self.recipe.specs():
            there = self.recipe.dependencies_of(spec)
            for package, variant in wanted.items():
                self.assertIs(package in there, spec.values[variant], (package, spec.values))
            self.assertEqual(there & {"openmpi", "mpich"}, {spec.values["mpi"]} - {"none"})

    def test_brings_the_sources_of_lua_to_where_cmake_gets_them(self):
        (lua,) = self.recipe.resources
        self.assertRegex(lua["sha256"], "^[0-9a-f]{64}$")
        self.assertRegex(lua["url"], r"lua-5\.4\.\d+\.tar\.gz$")
        options = self.recipe.options(next(self.recipe.specs()))
        self.assertEqual(options["HYPERMILE_LUA_SOURCE"], f"/stage/{lua['placement']}/src")

    def test_describes_every_variant(self):
        for name, (default, values, description) in self.recipe.variants.items():
            self.assertIn(default, values, name)
            self.assertTrue(description, name)


# --- EasyBuild ---

class OfEasyBuild(unittest.TestCase):
    def setUp(self):
        (self.file,) = glob.glob(os.path.join(SOURCE, "packaging/easybuild/hypermile-*.eb"))
        self.recipe = {"SOURCELOWER_TAR_GZ": "%(namelower)s-%(version)s.tar.gz"}
        with open(self.file) as file:
            exec(compile(file.read(), self.file, "exec"), self.recipe)

    def options(self):
        return dict(re.findall(r"-D(\w+)=(\S+)", self.recipe["configopts"]))

    def test_is_named_after_what_it_builds(self):
        recipe = self.recipe
        self.assertEqual(os.path.basename(self.file),
                         f"hypermile-{recipe['version']}-{recipe['toolchain']['name']}-{recipe['toolchain']['version']}.eb")
        self.assertEqual(recipe["version"], version())

    def test_sets_what_cmake_knows(self):
        self.assertGreater(len(self.options()), 8)
        self.assertEqual(set(self.options()) - settable(), set())

    def test_depends_on_what_cmake_looks_for(self):
        there = {name for name, _ in self.recipe["dependencies"] + self.recipe["builddependencies"]}
        off = {"SimGrid": "HYPERMILE_SIMGRID", "OTF2": "HYPERMILE_OTF2", "pybind11": "HYPERMILE_PYTHON_MODULE"}
        for name in looked_for():
            if PACKAGES[name] and PACKAGES[name][1] and self.options().get(off.get(name)) != "OFF":
                self.assertIn(PACKAGES[name][1], there)

    def test_has_a_checksum_for_what_it_fetches(self):
        self.assertEqual(len(self.recipe["sources"]), len(self.recipe["checksums"]))
        for source, checksum in zip(self.recipe["sources"], self.recipe["checksums"]):
            if source != self.recipe["SOURCELOWER_TAR_GZ"]:  # which is whatever clone there is
                self.assertRegex(checksum, "^[0-9a-f]{64}$")
        self.assertIn(f"lua-{self.recipe['local_lua_version']}.tar.gz", self.recipe["sources"])


class OfBoth(unittest.TestCase):
    """CMake itself says which options it did not use."""

    def test_set_no_option_that_cmake_does_not_use(self):
        if not CMAKE:
            self.skipTest("no CMake is given")
        spack = SpackRecipe(read("packaging/spack/packages/hypermile/package.py"))
        spec = next(spec for spec in spack.specs() if all(spec.values[name] for name in ("python", "otf2", "slurm", "simgrid"))
                    and spec.values["mpi"] == "openmpi" and not spec.values["html"])
        here = {"Python3_EXECUTABLE": "/usr/bin/python3", "Slurm_INCLUDE_DIR": "/usr/include", "HYPERMILE_LUA_SOURCE": "",
                "HYPERMILE_OPENMPI_C": "mpicc.openmpi", "HYPERMILE_OPENMPI_CXX": "mpicxx.openmpi",
                "HYPERMILE_OPENMPI_FORTRAN": "mpif90.openmpi"}
        options = {name: here.get(name, "ON" if value is True else "OFF" if value is False else value)
                   for name, value in spack.options(spec).items()}
        with tempfile.TemporaryDirectory() as folder:
            ended = subprocess.run([CMAKE, "-S", SOURCE, "-B", folder, *(f"-D{name}={value}" for name, value in options.items())],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertNotIn("not used by the project", ended.stdout)


if __name__ == "__main__":
    CMAKE = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    unittest.main(verbosity=2)
