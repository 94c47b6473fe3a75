"""Each language: a bot that `pitboss new bot` makes is built, and keeps its promises in every installed game."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss.plugins.registry import Registry
from pitboss_tournament.authoring.templates import load_templates
from tests.languages.template_trial import missing_programs, try_template
from tests.marks import first_rows

pytestmark = pytest.mark.once

TEMPLATES = load_templates()
QUICK = {"bash", "c", "javascript", "perl", "ruby"}


@first_rows(2)(
    "language",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in TEMPLATES],
)
def test_a_new_bot(language: str, tmp_path: Path) -> None:
    """A new bot plays whole games of each kind, and breaks nothing that `pitboss check` looks for on the way; tox's
    `languages` looks for everything.
    """
    template = TEMPLATES[language]
    if lacking := missing_programs(template):
        pytest.skip(
            f"{template.about.title} needs {', '.join(lacking)}: apt-get install {' '.join(template.about.packages)}"
        )

    registry = Registry()
    trial = try_template(template, tmp_path, registry, is_short=True)

    assert trial.complaints == []
    assert [game for verdict in trial.verdicts for game in verdict.games] == list(registry.games)
