"""Every language's template, built and played in every installed game through `pitboss check`, as a table.

python -m tests.languages [--short] [--install] [LANGUAGE...]

--short: only whole games, and what they build upon. --install: what is missing is installed from Debian's packages, if
root does this and there is apt-get. The exit status is 1 if a check was broken or a bot could not be built.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss_tournament.authoring.templates import Template, find_template, load_templates
from pitboss_tournament.text.columns import format_table
from tests.languages.debian_packages import can_install, install_packages
from tests.languages.template_trial import TemplateTrial, missing_programs, try_template


def main() -> int:
    """Try the languages, and print what came of it."""
    asked = argparse.ArgumentParser(
        prog="python -m tests.languages", description="Try the templates of `pitboss new bot`."
    )
    asked.add_argument("languages", nargs="*", metavar="LANGUAGE")
    asked.add_argument("--short", action="store_true")
    asked.add_argument("--install", action="store_true")
    given = asked.parse_args()
    known = load_templates()
    chosen = [find_template(word, known) for word in given.languages or known]
    if given.install and can_install():
        lacking = [package for one in chosen if missing_programs(one) for package in one.about.packages]
        if lacking:
            install_packages(lacking)
    registry = Registry()
    rows, complaints = [], []
    for one in chosen:
        row, wrong = _table_row(one, registry, in_short=given.short)
        rows.append(row)
        complaints += wrong
        print(f"{len(rows)} of {len(chosen)}: {' '.join(row)}", file=sys.stderr, flush=True)
    header = ("language", "tool", "start ms", *(_table_header(registry, in_short=given.short)))
    print("\n".join([*(line.text for line in format_table(header, rows, right=("start ms",))), *complaints]))
    return 1 if complaints else 0


def _table_header(registry: Registry, *, in_short: bool) -> list[str]:
    return [f"{', '.join(registry.games)} (in short)"] if in_short else list(registry.games)


def _table_row(one: Template, registry: Registry, *, in_short: bool) -> tuple[Sequence[str], list[str]]:
    lacking = missing_programs(one)
    if lacking:
        return (
            one.about.title,
            "-",
            "-",
            f"skipped: no {', '.join(lacking)}; apt-get install {' '.join(one.about.packages)}",
        ), []
    try:
        with tempfile.TemporaryDirectory(prefix="pitboss-languages-") as place:
            trial: TemplateTrial = try_template(one, Path(place), registry, is_short=in_short)
    except ConfigError as wrong:
        return (one.about.title, "-", "-", "CANNOT BE BUILT"), [f"{one.about.title}: {wrong}"]
    row = (one.about.title, trial.tool, f"{trial.start_ms:.0f}", *map(str, trial.verdicts))
    return row, [f"{one.about.title}: {text}" for text in trial.complaints]


if __name__ == "__main__":
    sys.exit(main())
