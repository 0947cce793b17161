# Short names for what CMake, ctest and the checkers do; `make` alone builds.
#
#   make demo                        the main job, on a simulated cluster (DEMO_CLASS, DEMO_RANKS)
#   make demo-real                   the same on this machine's MPI, which emulates two nodes of two
#                                    kinds (DEMO_REAL_MPI=mpich, DEMO_REAL_CLASS)
#   make demo-steer                  a server with a day of a minute, held at 90 % utilisation
#   make test                        installs what is missing, builds, runs the tests
#   make test-slow                   those that repeat others with larger problems, and take minutes
#   make test-nodes                  jobs over several nodes only, which are namespaces of this
#                                    machine; needs root
#   make test-programs               real MPI programs of Debian, plainly and under hypermile; half an hour.
#                                    (PROGRAMS_ROUNDS, PROGRAMS_ONLY; PROGRAMS_TABLE=docs/programs.md)
#   make bench                       benchmarks
#   make format  format-check  lint  style
#   make sanitize  fuzz              tests under sanitizers; every parser fed with noise (FUZZ_SECONDS)
#   make minimal                     without SimGrid and MPI
#   make test-rack                   two virtual machines with a real kernel and Slurm; as root (docs/rack.md)
#   make release-checks              before a release: what .ci/run leaves out, or does more briefly
#   make install PREFIX=/usr/local
#   make package                     build/release/hypermile_*.deb, for the Debian that it is built on
#   make wheel                       build/release/dist/hypermile-*.whl, the Python module (docs/python.md)
#   make docs                        the documentation as a site, build/docs/index.html
#   make test-package                that package in a Debian without anything else; as root, minutes

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
DEMO_CLASS ?= B
DEMO_RANKS ?= 8
DEMO_REAL_MPI ?= openmpi
DEMO_REAL_CLASS ?= A
FUZZ_SECONDS ?= 10
RACE_SECONDS ?= 60
PROGRAMS_ROUNDS ?= 3
PROGRAMS_ONLY ?=
PROGRAMS_TABLE ?= build/programs.md

RELEASE := build/release
CTEST := ctest --parallel $(JOBS) --output-on-failure --no-tests=error
# What CMake's presets say is read again when they change; the rest CMake looks after itself.
configured = build/$(1)/build.ninja

.PHONY: build build-demo demo demo-real demo-steer test test-slow test-nodes test-programs bench format format-check lint sanitize fuzz minimal test-rack test-package package wheel docs release-checks install clean dependencies
.DELETE_ON_ERROR:

# After `make demo` a build folder may lack MPI, tests and benches: the preset turns them on.
build: dependencies
	cmake --preset release
	cmake --build $(RELEASE) --parallel $(JOBS)

# What the demo runs, and no more, in the same folder: `make build` adds the rest.
build-demo:
	@scripts/install-dependencies --demo
	@[ -e $(RELEASE)/build.ninja ] || cmake --preset release \
	  -DHYPERMILE_MPI=AUTO -DHYPERMILE_TESTS=OFF -DHYPERMILE_BENCH=OFF -DHYPERMILE_HTML=OFF \
	  -DHYPERMILE_PYTHON_MODULE=OFF
	cmake --build $(RELEASE) --parallel $(JOBS) --target demo

dependencies:
	@scripts/install-dependencies

build/%/build.ninja: CMakePresets.json | dependencies
	cmake --preset $*
	@touch $@

demo: build-demo
	@echo "NAS CG class $(DEMO_CLASS) on $(DEMO_RANKS) simulated nodes of four kinds, unscaled and with two choices of gears; class B takes about a minute and a half"
	$(RELEASE)/bin/hypermile simulate --platform table-3.1 -n $(DEMO_RANKS) --compare exact,alg5 --report build/demo -- $(RELEASE)/apps/smpi/cg --class $(DEMO_CLASS)

# Open MPI's mpirun runs nothing as root, and no more ranks than there are cores, unless it is told to.
demo-real: export OMPI_ALLOW_RUN_AS_ROOT = 1
demo-real: export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = 1
demo-real: export OMPI_MCA_rmaps_base_oversubscribe = 1
demo-real: build
	@echo "NAS CG class $(DEMO_REAL_CLASS) on 2 ranks of $(DEMO_REAL_MPI), first in gear 0 and then with gears chosen for at most 3 % more time; this machine behaves like two nodes of two kinds. Class A takes some ten seconds"
	$(RELEASE)/bin/hypermile run --baseline --max-slowdown 3% --backend emulated --platform table-3.1-two-types --report build/demo-real -- mpirun.$(DEMO_REAL_MPI) -n 2 $(RELEASE)/apps/$(DEMO_REAL_MPI)/cg --class $(DEMO_REAL_CLASS)

demo-steer: build
	@echo "A server of 2 threads: arrivals follow a day of 40 s, its work doubles from 30 to 50 s; gears are emulated. 70 s"
	$(RELEASE)/bin/hypermile steer --utilisation 0.9 --backend emulated --verbose -- $(RELEASE)/apps/server --threads 2 --rate 120 --swing 0.5 --day 40 --work 2000 --phases 0:1,30:2,50:1 --duration 70

test: build
	$(CTEST) --test-dir $(RELEASE) --label-exclude '^slow$$'

test-slow: build
	$(CTEST) --test-dir $(RELEASE) --label-regex '^slow$$'

# Debian's python3 is named, because another one would not find Debian's mpi4py.
test-programs: build
	@scripts/install-dependencies --programs
	/usr/bin/python3 -B tests/programs/packaged/test_programs.py --build $(RELEASE) --rounds $(PROGRAMS_ROUNDS) --only "$(PROGRAMS_ONLY)" --table $(PROGRAMS_TABLE) --keep build/programs

test-nodes: build
	$(CTEST) --test-dir $(RELEASE) --label-regex nodes

bench: build
	@set -e; for program in $(RELEASE)/bench/bench_*; do if [ -x "$$program" ]; then echo "$$program"; "$$program"; fi; done

format:
	scripts/format

format-check:
	scripts/format --check

lint: dependencies $(call configured,release)
	scripts/lint $(RELEASE) $(JOBS)

# Threads are in some tests of the runtime, in calibration and in programs that have them: nowhere else
# has the thread sanitizer anything to find. RACE_SECONDS: how long a program of 8 threads is watched.
sanitize: $(call configured,asan-ubsan) $(call configured,tsan)
	cmake --build build/asan-ubsan --parallel $(JOBS) --target unit_tests
	$(CTEST) --test-dir build/asan-ubsan --label-regex unit
	cmake -DHYPERMILE_RACE_SECONDS=$(RACE_SECONDS) build/tsan
	cmake --build build/tsan --parallel $(JOBS) --target test_calibrate test_runtime_threads races
	$(CTEST) --test-dir build/tsan --label-regex 'unit|races'

fuzz: $(call configured,asan-ubsan)
	cmake --build build/asan-ubsan --parallel $(JOBS) --target fuzzers
	FUZZ_SECONDS=$(FUZZ_SECONDS) $(CTEST) --test-dir build/asan-ubsan --label-regex fuzz

# The command and its own tests. The unit tests without SimGrid and MPI are those of `sanitize`.
minimal:
	@scripts/install-dependencies --minimal
	cmake --preset minimal
	cmake --build build/minimal --parallel $(JOBS) --target hypermile hypermile_guard hypermile_progress hypermile_openmp test_cli_machine test_cli_restore test_cli_select test_cli_steer
	$(CTEST) --test-dir build/minimal --label-regex command

# Installs what it needs into build/rack, nowhere else. RACK: names of tests, or options.
test-rack: build
	tests/rack/run $(RACK)

release-checks: minimal
	$(MAKE) test-slow
	$(MAKE) sanitize RACE_SECONDS=60
	$(MAKE) fuzz FUZZ_SECONDS=60
	$(MAKE) test-programs
	$(MAKE) test-package
	$(MAKE) test-rack

install: build
	cmake --install $(RELEASE) --prefix $(PREFIX)

package: build
	@rm -f $(RELEASE)/hypermile_*.deb
	cd $(RELEASE) && cpack

wheel: dependencies $(call configured,release)
	cmake --build $(RELEASE) --parallel $(JOBS) --target wheel
	@ls $(RELEASE)/dist/hypermile-*.whl

docs: dependencies $(call configured,release)
	cmake --build $(RELEASE) --parallel $(JOBS) --target hypermile
	docs/sphinx/build $(RELEASE)/bin/hypermile build/docs
	@echo "open build/docs/index.html"

# Installs what it needs.
test-package: package
	tests/package/bare $(RELEASE)/hypermile_*.deb
	tests/package/containers $(RELEASE)/hypermile_*.deb

clean:
	cmake -E rm -rf build
