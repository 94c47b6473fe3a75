# make       sets everything up and plays a demonstration tournament
# make quick sets everything up and runs ruff, deno, mypy and the fast tests: a minute or two
# make test  sets everything up and runs every check
# make siege attacks what is promised: hostile bots, uploads, model servers, nodes; twenty minutes
# make pictures makes the pictures of README and docs again: it needs chromium
# make soak  runs what takes hours and judges the machine too: kills, resumes, load, billing of time, simulations
PYTHON ?= python3
BIN := .venv/bin
NEW := .venv.new
SET_PATHS := from pathlib import Path; [f.write_bytes(f.read_bytes().replace(b"/$(NEW)", b"/.venv")) for f in Path("$(NEW)/bin").iterdir() if not f.is_symlink()]
SOAKS := zoo endings deaths kills resumes cluster load billing throughput calibration copies stop_rule comparison worlds conformance foreign_bytes damage league_class bare_machine
SOURCES := pyproject.toml constraints.txt distribution/pyproject.toml $(wildcard plugins/*/pyproject.toml)

# Pythons that pyenv keeps are found too
export PATH := $(PATH):$(subst $() ,:,$(wildcard $(HOME)/.pyenv/versions/3.1[1-9]*/bin))

.PHONY: always demo setup environment quick test soak siege pictures clean

demo: setup
	$(BIN)/python bots/demo.py

setup: .venv/ready
	@echo "Pitboss is installed in .venv: \`. .venv/bin/activate\` makes \`pitboss\` a command of this shell"

quick: .venv/dev
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/deno fmt --check --quiet
	$(BIN)/deno lint --quiet
	$(BIN)/mypy core engines house_bots tournament plugins tests bench bots examples
	$(BIN)/pytest --quiet --numprocesses auto --dist worksteal -m "not once"

test: setup
	$(BIN)/tox run-parallel --parallel-no-spinner -e py311,plugins,docs,types,lint
	$(BIN)/tox run -e newest

soak: .venv/dev
	$(BIN)/pytest --numprocesses auto --dist worksteal -m long
	$(BIN)/tox run -e newest -- -m "not once"
	$(BIN)/pytest --numprocesses auto --dist worksteal -m "hypothesis and not long" --hypothesis-profile fresh
	for command in $(SOAKS); do $(BIN)/python -m tests.soak.$$command || failed="$$failed $$command"; done; test -z "$$failed"

siege: .venv/dev
	$(BIN)/python -m tests.soak.siege

pictures: .venv/dev
	$(BIN)/python -m tests.pictures

# `ready` holds the checksum of what was installed. Checksums decide, not times: a file that git has written again,
# unchanged, needs no network, and a change within one tick of the clock is seen.
.venv/ready: always
	@[ "$$(cat $(SOURCES) | cksum)" = "$$(cat $@ 2>/dev/null)" ] || $(MAKE) environment

# A new environment is made beside the old one, which stays as it is if that fails. Scripts in it name their Python by
# its path: the path that it has at the end.
environment:
	@command -v $(PYTHON) >/dev/null || \
		{ echo "make: there is no program $(PYTHON); on Debian and Ubuntu: apt install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "make: $(PYTHON) is no Python 3.11 or newer; name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "make: $(PYTHON) has no venv with pip; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@command -v git >/dev/null || \
		echo "make: git is not installed: pitboss queue and some tests need it; on Debian and Ubuntu: apt install git" >&2
	rm -rf $(NEW)
	$(PYTHON) -m venv --prompt .venv $(NEW)
	$(NEW)/bin/pip install --quiet --constraint constraints.txt hatchling editables tox
	$(NEW)/bin/pip install --quiet --constraint constraints.txt --no-build-isolation --editable '.[models,web]' --editable ./distribution $(addprefix --editable ,$(dir $(wildcard plugins/*/pyproject.toml)))
	$(NEW)/bin/python -c '$(SET_PATHS)'
	cat $(SOURCES) | cksum > $(NEW)/ready
	rm -rf .venv.old
	test ! -e .venv || mv .venv .venv.old
	mv $(NEW) .venv
	rm -rf .venv.old

# pip knows dependency groups from 25.1 on; of axe-playwright-python only the script of axe-core is used, no Playwright
.venv/dev: .venv/ready
	$(BIN)/pip install --quiet "pip>=25.1"
	$(BIN)/pip install --quiet --constraint constraints.txt --group dev
	$(BIN)/pip install --quiet --constraint constraints.txt --no-deps axe-playwright-python
	touch $@

clean:
	rm -rf .venv .venv.new .venv.old .tox .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/*/build bots/*/build tournament/pitboss_tournament/templates/*/build demo.pitboss*
