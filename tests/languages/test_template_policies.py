"""Bots made from templates state policies: those that they drew from, and only to a runner that takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss_tournament.authoring.templates import NewBot, load_templates, make_bot
from pitboss_tournament.bot_checks.bot_under_test import resolve_bot
from pitboss_tournament.bot_checks.suite import check_bot
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox
from tests.languages.template_trial import NAME, missing_programs
from tests.languages.test_template_examples import RANDOM

pytestmark = pytest.mark.once

TEMPLATES: Final = load_templates()
STATED: Final = {  # a draw of all actions alike, with its policy, in place of the line that draws
    "javascript": "  const count = question.legal.length;\n"
    "  const policy = question.legal.map((action, at) => [at, 1 / count]);\n"
    "  return { choose: Math.floor(luck() * count), policy };\n",
    "lua": "  local chances = {}\n"
    "  for place = 1, #question.legal do chances[place] = 1 / #question.legal end\n"
    "  return math.random(#question.legal), chances\n",
    "perl": "    my $count = @{ $question->{legal} };\n"
    "    return { choose => int rand $count, policy => [map { [$_, 1 / $count] } 0 .. $count - 1] };\n",
    "python": '    count = len(question["legal"])\n'
    '    return {"choose": table.luck.randrange(count), "policy": [[at, 1 / count] for at in range(count)]}\n',
    "ruby": '    count = question["legal"].size\n'
    "    { choose: @luck.rand(count), policy: (0...count).map { |at| [at, 1.0 / count] } }\n",
}


@pytest.mark.parametrize(
    "language", [pytest.param(name, marks=() if name == "python" else pytest.mark.long) for name in STATED]
)
def test_a_template_that_states_its_policy(language: str, tmp_path: Path) -> None:
    """Games without policies go well, and in games with them it draws as it says."""
    template = TEMPLATES[language]
    if lacking := missing_programs(template):
        pytest.skip(f"{template.about.title} needs {', '.join(lacking)}")
    bot = NewBot(name=NAME, into=tmp_path)
    make_bot(bot, template)
    program, registry = bot.folder / template.about.change, Registry()
    code = program.read_text(encoding="utf-8")
    program.write_text(code.replace(RANDOM[language], STATED[language]), encoding="utf-8")

    clock = Clock(start_ms=60_000, decision_ms=60_000)
    found = resolve_bot(str(bot.folder), registry, tmp_path, (registry.find_game("eights"),), clock)
    found = replace(found, sandbox=resolve_sandbox("auto")[0], game_seconds=1.0, seats=(2,))
    report = check_bot(found, registry, ("draws-as-it-states",))

    assert report.results_with("failed") == []
    assert report.checks[-1].detail.endswith(" policies")
