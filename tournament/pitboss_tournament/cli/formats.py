"""`pitboss formats`: in which ways a tournament can be played."""

from __future__ import annotations

from pitboss_tournament.cli.output import print_json, print_table
from pitboss_tournament.cli.parameters import Json
from pitboss_tournament.cli.registry import load_registry


def formats(as_json: Json = False) -> None:
    """List the formats, ways to decide who meets whom, with their options.

    With --json: a list of objects with name, summary, static (all rounds are known from the start) and options (a JSON
    Schema).
    """
    import msgspec

    found = load_registry().formats.values()
    if as_json:
        print_json(
            [
                {
                    "name": one.name,
                    "summary": one.summary,
                    "static": one.is_static,
                    "options": msgspec.json.schema(one.Options),
                }
                for one in found
            ]
        )
    else:
        rows = [
            (one.name, ", ".join(field.encode_name for field in msgspec.structs.fields(one.Options)), one.summary)
            for one in found
        ]
        print_table(("Name", "Options", "What it does"), rows)
