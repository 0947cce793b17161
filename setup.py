"""Builds the wheel of the Python module: CMake compiles its extension, and says its version.

HYPERMILE_BUILD names a build folder whose target `python` is built; without it, what the extension
needs is compiled in a folder of its own."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path(__file__).resolve().parent
WORK = SOURCE / "build" / "wheel"
LEFT_OUT = ("SIMGRID", "MPI", "HTML", "OTF2", "TESTS", "BENCH")


def version():
    return re.search(r"project\(hypermile VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text()).group(1)


def build(folder, jobs):
    options = [f"-DHYPERMILE_{part}=OFF" for part in LEFT_OUT]
    try:
        import pybind11

        options.append(f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
    except ImportError:  # then there is that of the system
        pass
    subprocess.run(
        ["cmake", "-S", SOURCE, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON",
         "-DHYPERMILE_PYTHON_MODULE=ON", f"-DPython3_EXECUTABLE={sys.executable}", *options],
        check=True)
    subprocess.run(["cmake", "--build", folder, "--parallel", str(jobs), "--target", "python"], check=True)


class BuildByCMake(build_ext):
    """Installs the component `wheel` where setuptools expects the extension."""

    def run(self):
        folder = os.environ.get("HYPERMILE_BUILD")
        if folder is None:
            folder = WORK / f"cmake-{sysconfig.get_config_var('SOABI')}"
            build(folder, self.parallel or os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or os.cpu_count() or 1)
        into = Path(self.build_lib).resolve()
        subprocess.run(["cmake", "--install", folder, "--component", "wheel", "--strip", "--prefix", into], check=True)
        extension = into / "hypermile" / f"_hypermile{sysconfig.get_config_var('EXT_SUFFIX')}"
        if not extension.exists():
            sys.exit(f"setup.py: error: {folder} was built for another Python than {sys.executable}; "
                     f"try: cmake -DPython3_EXECUTABLE={sys.executable} {folder}")


# What an earlier version left there would become part of the wheel.
shutil.rmtree(WORK / "package", ignore_errors=True)
(WORK / "package").mkdir(parents=True)
setup(
    version=version(),
    packages=["hypermile"],
    package_dir={"hypermile": "python/hypermile"},
    package_data={"hypermile": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("hypermile._hypermile", [])],
    cmdclass={"build_ext": BuildByCMake},
    options={
        "build": {"build_base": str(WORK / "package")},
        "egg_info": {"egg_base": str(WORK / "package")},
    },
)
