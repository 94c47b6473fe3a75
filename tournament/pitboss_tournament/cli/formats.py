"""`pitboss formats`: ways to decide who meets whom."""

from __future__ import annotations

import typer
from msgspec import NODEFAULT
from msgspec.inspect import StructType, type_info
from msgspec.json import schema
from msgspec.structs import fields

from pitboss.plugins.formats import AnyFormat
from pitboss_tournament.cli.output import print_json, print_paragraph, print_table
from pitboss_tournament.cli.registry import load_registry
from pitboss_tournament.formats.selection import find_format
from pitboss_tournament.text.schema_text import allowed_text, description_text, plain_value_text


def formats(name: str | None, as_json: bool) -> None:
    """Run `pitboss formats`."""
    found = list(load_registry().formats.values()) if name is None else [find_format(name, load_registry())]
    if name is not None and not as_json:
        _print_format(found[0])
    elif as_json:
        print_json(
            [
                {"name": one.name, "summary": one.summary, "static": one.is_static, "options": schema(one.Options)}
                for one in found
            ]
        )
    else:
        rows = [(one.name, ", ".join(field.encode_name for field in fields(one.Options)), one.summary) for one in found]
        print_table(("Name", "Options", "What it does"), rows)


def _print_format(one: AnyFormat) -> None:
    """Print a format with its options, each with type, default and meaning."""
    typer.echo(f"{one.name}: {one.summary}")
    options = type_info(one.Options)
    assert isinstance(options, StructType)
    for field in options.fields:
        default = "" if field.default in (NODEFAULT, None) else f" = {plain_value_text(field.default)}"
        typer.echo()
        print_paragraph(f"{field.encode_name}{default}  ({allowed_text(field.type, null=False)})", 2)
        print_paragraph(description_text(field.type), 6)
    typer.echo("\nA match takes it as --format NAME, and options as -s format.OPTION=VALUE.")
