# make       sets everything up and plays a demonstration tournament
# make test  sets everything up and runs every check
PYTHON ?= python3
BIN := .venv/bin
SOURCES := pyproject.toml constraints.txt $(wildcard plugins/*/pyproject.toml)

# Pythons that pyenv keeps are found too
export PATH := $(PATH):$(subst $() ,:,$(wildcard $(HOME)/.pyenv/versions/3.1[1-9]*/bin))

.PHONY: demo setup test clean

demo: setup
	$(BIN)/python bots/demo.py

setup: .venv/ready

test: setup
	$(BIN)/tox run

.venv/ready: $(SOURCES)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt hatchling editables tox
	$(BIN)/pip install --quiet --constraint constraints.txt --no-build-isolation $(addprefix --editable ,. $(dir $(wildcard plugins/*/pyproject.toml)))
	touch $@

clean:
	rm -rf .venv .tox .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/*/build bots/*/build tournament/pitboss_tournament/templates/*/build demo.pitboss*
