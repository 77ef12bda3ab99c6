# Two commands are enough: `make check` judges the statements, `make test` runs the whole suite.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
JOBS   ?= 2
# One BLAS thread in each worker: the matrices of the tests are small, and the workers fill the cores.
QUIET_BLAS := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1
# Processes of the command are started by the hundred: what the first has compiled, the others read.
COMPILE_ONCE := PYTHONDONTWRITEBYTECODE=
# With plugins found by themselves pytest rewrites the asserts of every module of a package that offers one, as ours does.
PLUGINS := PYTEST_DISABLE_PLUGIN_AUTOLOAD=1

.PHONY: help check proofs test lint types suite bench mutants docs notebooks dist format clean

help:  ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

check: $(VENV)/.installed  ## install (no torch) and judge every statement of the paper
	$(BIN)/krope check
	@echo 'krope is in $(BIN): put it on the PATH with ". $(BIN)/activate"'

proofs: $(VENV)/.installed-test  ## compile the Coq proofs of the statements; what each rests on; the ledger
	$(BIN)/python -m proofs_check.formal --jobs $(JOBS)
	$(BIN)/python -m proofs_check.formal.page
	KROPE_COQ=1 $(BIN)/python -m pytest -q tests/proofs_check/prove/small_model/test_coq_file.py

test: lint types suite  ## install the test extras; lint, types, doctests and tests with coverage

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-test
	$(BIN)/mypy

suite: $(VENV)/.installed-test
	$(QUIET_BLAS) $(COMPILE_ONCE) $(PLUGINS) $(BIN)/python -m pytest -p xdist -p pytest_cov -p hypothesispytest \
		-n $(JOBS) --dist worksteal --cov --cov-report=term:skip-covered

bench: $(VENV)/.installed-bench  ## our solvers against the alternatives, as ratios in one run
	$(BIN)/krope bench

mutants: $(VENV)/.installed-test  ## break formulas one by one; each must turn the suite red
	$(BIN)/python -m tests.mutants.run --jobs $(JOBS)

docs: $(VENV)/.installed-test  ## the documentation as a site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo open site/index.html

notebooks: $(VENV)/.installed-test  ## run docs/notebooks and store what they show
	$(BIN)/python docs/notebook_runner.py

dist: $(VENV)/.installed-test  ## sdist and wheel in dist/, built and checked
	rm -rf dist
	$(PIP) twine
	$(BIN)/python -m build --quiet --outdir dist .
	$(BIN)/python -m twine check --strict dist/*
	rm -rf build

format: $(VENV)/.installed-test  ## sort imports and format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## remove the environment and all caches
	rm -rf $(VENV) build dist site *.egg-info .coverage .coverage.* htmlcov .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "krope-lab needs Python 3.11 or newer; got " + sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml constraints.txt
	@echo "installing into $(VENV) (about a minute the first time)"
	$(PIP) --editable .
	touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(PIP) --editable '.[test]'
	touch $@

$(VENV)/.installed-bench: $(VENV)/.installed
	$(PIP) --editable '.[bench]'
	touch $@
