"""The package: its wheel in a fresh environment, and what it does where something is missing."""

import ast
import glob
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import hypermile
import support

USED = """
import hypermile, sys
assert "numpy" not in sys.modules and "pandas" not in sys.modules
plan = hypermile.select("table-3.1", hypermile.Workload([3.0, 2.0], [0.1, 0.1]), max_slowdown=0.05)
print(hypermile.__version__, plan.optimal, len(hypermile.platforms()), hypermile.__file__)
"""
# All but libyaml-cpp, which the wheel has itself, is on every Debian.
LIBRARIES = {"libyaml-cpp.so.0.7", "libzstd.so.1", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libc.so.6",
             "ld-linux-x86-64.so.2"}


def environment(**changes):
    kept = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "HYPERMILE_BUILD")}
    return {**kept, **changes}


def python(code, executable=sys.executable, **changes):
    return subprocess.run([executable, "-B", "-c", code], capture_output=True, text=True, cwd=support.scratch,
                          env=environment(**changes))


class Wheel(unittest.TestCase):
    def test_is_installed_and_used_without_network_or_other_packages(self):
        folder, fresh = os.path.join(support.scratch, "wheels"), os.path.join(support.scratch, "fresh")
        for module in ("pip", "setuptools", "wheel", "venv"):
            if importlib.util.find_spec(module) is None:
                self.skipTest(f"{module} is not there")
        made = subprocess.run(
            [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-deps", "--no-index",
             "--no-build-isolation", "--wheel-dir", folder, support.SOURCE],
            capture_output=True, text=True, env=environment(HYPERMILE_BUILD=support.BUILD))
        self.assertEqual(made.returncode, 0, made.stdout + made.stderr)
        [wheel] = glob.glob(os.path.join(folder, "*.whl"))
        self.assertIn(f"hypermile-{hypermile.__version__}-cp", wheel)
        subprocess.run([sys.executable, "-m", "venv", fresh], check=True)
        subprocess.run([os.path.join(fresh, "bin/pip"), "install", "--quiet", "--no-index", wheel], check=True)
        used = python(USED, os.path.join(fresh, "bin/python"))
        self.assertEqual(used.returncode, 0, used.stderr)
        self.assertIn(f"{hypermile.__version__} True {len(hypermile.platforms())} {fresh}", used.stdout)
        self.assert_needs_no_other_libraries(fresh)

    def assert_needs_no_other_libraries(self, fresh):
        [extension] = glob.glob(os.path.join(fresh, "lib/python*/site-packages/hypermile/_hypermile*.so"))
        wanted = subprocess.run(["objdump", "-p", extension], capture_output=True, text=True, check=True).stdout
        needed = {line.split()[1] for line in wanted.splitlines() if line.strip().startswith("NEEDED")}
        self.assertLessEqual(needed, LIBRARIES)
        found = subprocess.run(["ldd", extension], capture_output=True, text=True, check=True).stdout
        self.assertIn(os.path.join(os.path.dirname(extension), "libyaml-cpp.so.0.7"), found)


class Package(unittest.TestCase):
    def copy(self, name):
        """Of the package, whose files can be changed. Its folder."""
        into = os.path.join(support.scratch, name)
        source = os.path.dirname(hypermile.__file__)
        shutil.copytree(source, os.path.join(into, "hypermile"), ignore=shutil.ignore_patterns("platforms", "__pycache__"))
        return into

    def test_refuses_an_extension_of_another_version(self):
        folder = self.copy("other_version")
        with open(os.path.join(folder, "hypermile/version.py"), "w") as file:
            file.write('VERSION = "9.9.9"\n')
        ended = python("import hypermile", PYTHONPATH=folder)
        self.assertIn(f"are of version 9.9.9, its extension is of version {hypermile.__version__}; try: install", ended.stderr)

    def test_says_what_to_do_where_its_extension_cannot_be_loaded(self):
        folder = self.copy("other_python")
        [extension] = glob.glob(os.path.join(folder, "hypermile/_hypermile*.so"))
        os.rename(extension, os.path.join(folder, "hypermile/_hypermile.cpython-39-x86_64-linux-gnu.so"))
        ended = python("import hypermile", PYTHONPATH=folder)
        self.assertIn(f"cannot be loaded into Python 3.{sys.version_info.minor}", ended.stderr)
        self.assertIn("try: a wheel", ended.stderr)

    @unittest.skipIf(shutil.which("mypy") is None, "mypy is not there")
    def test_has_type_hints_that_agree(self):
        folder = self.copy("typed")
        ended = subprocess.run(["mypy", "--strict", "hypermile"], cwd=folder, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout)

    def test_has_a_stub_that_names_what_the_extension_has(self):
        with open(os.path.join(support.SOURCE, "python/hypermile/_hypermile.pyi")) as file:
            stub = {node.name if hasattr(node, "name") else node.target.id
                    for node in ast.parse(file.read()).body if hasattr(node, "name") or hasattr(node, "target")}
        self.assertEqual(stub, {name for name in dir(hypermile._hypermile) if not name.startswith("_")})

    def test_needs_pandas_and_matplotlib_only_where_it_says_so(self):
        code = """
import sys
import tempfile
for name in ("numpy", "pandas", "matplotlib"):
    sys.modules[name] = None
import hypermile
workload = hypermile.Workload([3.0, 2.0], [0.1, 0.1])
front = hypermile.front("table-3.1", workload)
for call in (front.to_pandas, front.plot, hypermile.Platform.load("table-3.1").to_pandas):
    try:
        call()
    except ImportError as error:
        print(error)
"""
        ended = python(code, PYTHONPATH=os.path.join(support.BUILD, "python"))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual([line.partition(",")[0] for line in ended.stdout.splitlines()],
                         ["a data frame needs pandas", "a plot needs matplotlib", "a data frame needs pandas"])
        self.assertIn("apt-get install python3-matplotlib", ended.stdout)


class Platforms(unittest.TestCase):
    def test_that_are_written_out_are_the_same_platforms(self):
        for name in hypermile.platforms():
            platform = hypermile.Platform.load(name)
            self.assertEqual(hypermile.Platform.parse(platform.to_yaml()).types, platform.types)

    def test_have_the_figures_of_the_command_line(self):
        for name in hypermile.platforms():
            shown = support.printed("platform", "show", name)
            for kind, wanted in zip(hypermile.Platform.load(name).types, shown["types"]):
                self.assertEqual((kind.name, kind.cores, kind.speed_gf), (wanted["name"], wanted["cores"], wanted["speed_gf"]))
                figures = {"frequency_ghz": kind.frequencies_ghz, "computing_w": kind.computing_w,
                           "waiting_w": kind.waiting_w, "idle_w": kind.idle_w}
                for key, by_gear in figures.items():
                    self.assertEqual(list(by_gear), [gear[key] for gear in wanted["gears"]])

    def test_are_made_of_types_of_nodes(self):
        platform = hypermile.Platform.load("table-3.1")
        again = hypermile.Platform.of(platform.types, name="again", scalable=platform.scalable)
        self.assertEqual(again.types, platform.types)

    def test_keep_power_limits_and_uncore_frequencies(self):
        powers = {"frequencies_ghz": [2.0, 1.7, 1.2], "computing_w": [200.0, 150.0, 90.0],
                  "waiting_w": [90.0, 80.0, 70.0], "idle_w": [60.0, 60.0, 60.0]}
        for knob, key in (({"power_limits_w": [150.0, 112.5, 70.25]}, "power_limit_w"),
                          ({"uncore_ghz": [2.4, 2.4, 1.6]}, "uncore_ghz")):
            made = hypermile.Platform.of([hypermile.NodeType("node", **powers, **knob)])
            again = hypermile.Platform.of(made.types)
            self.assertEqual(again.types, made.types)
            self.assertEqual(hypermile.Platform.parse(made.to_yaml()).types, made.types)
            (attribute, values), = knob.items()
            self.assertEqual(list(getattr(again.types[0], attribute)), values)
            with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
                file.write(again.to_yaml())
                file.flush()
                shown = support.printed("platform", "show", file.name)["types"][0]["gears"]
            self.assertEqual([gear[key] for gear in shown], values)
        with self.assertRaises(hypermile.Error):
            hypermile.Platform.of([hypermile.NodeType("node", **powers, power_limits_w=[70.0, 150.0, 90.0])])
        with self.assertRaises(hypermile.Error):
            hypermile.Platform.of([hypermile.NodeType("node", **powers, uncore_ghz=[2.4])])

    def test_with_cubic_power_draw_what_the_equation_says(self):
        """[F16] Eq. 1.14: static + dynamic / S^3; table-3.1 has 20 W and 4 W for type1."""
        type1 = hypermile.Platform.load("table-3.1").types[0]
        made = hypermile.NodeType.cubic("type1", type1.frequencies_ghz, 20, 4)
        for mine, theirs in zip(made.computing_w, type1.computing_w):
            self.assertAlmostEqual(mine, theirs, delta=1e-12 * theirs)

    def test_are_shown_as_a_table(self):
        shown = hypermile.Platform.load("table-3.1")._repr_html_()
        self.assertEqual(shown.count("<tr>"), 1 + sum(len(kind.computing_w) for kind in hypermile.Platform.load("table-3.1").types))


if __name__ == "__main__":
    support.main()
