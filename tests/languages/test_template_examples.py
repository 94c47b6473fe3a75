"""The example in each template of a bot is right: it is built without a warning, and plays games of every kind."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent, indent
from typing import Final

import pytest

from pitboss.plugins.registry import Registry
from pitboss_tournament.authoring.templates import load_templates
from tests.languages.template_trial import missing_programs, try_code

pytestmark = pytest.mark.once

TEMPLATES: Final = load_templates()
SENTENCE: Final = "else the first of all:\n"  # an example follows, up to a line without code
COMMENT: Final = re.compile(r"\s*(///?|\*|#|--)(?=\s|$)")
NO_CODE: Final = ("", "```", '"""', "*/")
RANDOM: Final = {  # the line of `choose` that draws an action
    "awk": "    return int(lot() * count)\n",
    "bash": "    CHOICE=$(((RANDOM << 15 | RANDOM) % ${#LEGAL[@]}))\n",
    "c": "    return lot(question->count);\n",
    "cpp": "    return table.luck() % question.legal.size();\n",
    "go": "\treturn luck.Intn(len(question.Legal))\n",
    "java": "        return luck.nextInt(question.legal().size());\n",
    "javascript": "  return Math.floor(luck() * question.legal.length);\n",
    "lua": "  return math.random(#question.legal)\n",
    "perl": "    return int rand @{ $question->{legal} };\n",
    "php": "    return mt_rand(0, count($question['legal']) - 1);\n",
    "python": '    return table.luck.randrange(len(question["legal"]))\n',
    "ruby": '    @luck.rand(question["legal"].size)\n',
    "rust": "    table.luck.below(question.legal.len())\n",
    "typescript": "  return Math.floor(luck() * question.legal.length);\n",
}
GO_ACTION: Final = ("type Action = json.RawMessage", "type Action struct { Do string }")
PLAYED: Final = ("eights", "poker")  # cards that are no numbers, and no `play`
QUICK: Final = {"c"}


def put_example(text: str, language: str) -> str:
    """Return a template's text with its example in place of the random choice."""
    lines, drawn = list_example_lines(text.partition(SENTENCE)[2]), RANDOM[language]
    assert lines
    assert text.count(drawn) == 1
    code = indent(dedent("\n".join(lines)), drawn[: len(drawn) - len(drawn.lstrip())])
    return text.replace(drawn, f"{code}\n").replace(*GO_ACTION)


def list_example_lines(text: str) -> list[str]:
    """Return the first block of code in a comment, without the signs of the comment."""
    code: list[str] = []
    for line in text.splitlines():
        bare = COMMENT.sub("", line.removesuffix("*/"), count=1)
        is_code = bare.strip() not in NO_CODE and bare[:1].isspace()
        if code and not is_code:
            break
        if is_code:
            code.append(bare)
    return code


def test_every_template_has_an_example() -> None:
    """Every template has an example, but for bots with a network, which choose by themselves."""
    assert TEMPLATES.keys() - RANDOM.keys() == {"python-learned", "python-torch"}


@pytest.mark.parametrize(
    "language", [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in RANDOM]
)
def test_the_example_of_a_template(language: str, tmp_path: Path) -> None:
    """The example of a template is built without a warning, and plays games to the end."""
    template = TEMPLATES[language]
    if lacking := missing_programs(template):
        pytest.skip(f"{template.about.title} needs {', '.join(lacking)}")
    code = put_example((template.folder / template.about.change).read_text(encoding="utf-8"), language)
    registry = Registry()

    complaints = try_code(template, code, tmp_path, registry, [registry.find_game(name) for name in PLAYED])

    assert complaints == []
