"""`pitboss schema`: JSON Schema for all that is written or sent."""

from __future__ import annotations

import pytest

from pitboss_tournament.plan.settings import TournamentFile
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    "what", ["protocol", "record", "events", "tournament", "bot", "magpie", "match", "report", "plan", "log", "ask"]
)
def test_every_schema_is_json_schema(what: str) -> None:
    """Each schema is one JSON document of a draft that it names."""
    found = run_pitboss("schema", what).json_value

    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert "$defs" in found


def test_without_a_name_all_are_listed() -> None:
    """Each schema has a line, the installed games too."""
    names = [line.split()[0] for line in run_pitboss("schema").out.splitlines()]

    assert names[:6] == ["Schema", "protocol", "record", "events", "tournament", "bot"]
    assert "magpie" in names


def test_no_such_schema() -> None:
    """The nearest name is offered."""
    ran = run_pitboss("schema", "turnament")

    assert ran.status == 2
    assert ran.err.startswith(
        "pitboss: there is no schema 'turnament' (did you mean 'tournament'?); there are protocol, "
    )


def test_a_tournament_file_has_meanings_and_no_unknown_keys() -> None:
    """An editor that knows the schema marks a mistyped key and shows what a key means."""
    found = run_pitboss("schema", "tournament").json_value

    file = found["$defs"]["TournamentFile"]
    assert file["additionalProperties"] is False
    assert file["required"] == ["game"]
    assert file["properties"]["deals"]["description"] == (
        "Duplicate deals for each table: their number, or a file that gives them (boards.pbn, hands.phh, notation as "
        ".txt, cards as .json)."
    )
    assert set(file["properties"]) == set(TournamentFile.__struct_encode_fields__)
