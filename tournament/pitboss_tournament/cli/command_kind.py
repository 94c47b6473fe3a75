"""The kind of all commands: help in sections, and an answer to an option that it does not have."""

from __future__ import annotations

from typing import Any, Final

from typer.core import TyperCommand

WITHOUT_SECTION: Final = "Options"
SETTINGS: Final = "settings"  # the parameter of a command that takes `-s KEY=VALUE`
FORMER_OPTIONS: Final = {  # those that are now keys are found by their names
    "--no-pin": "-s pinned=false",
    "--keep-logs": "-s logs.keep=all",
    "--limit": "-s limits.NAME=VALUE, as -s limits.memory_mb=512",
    "--format-option": "-s format.NAME=VALUE, as -s format.rounds=5",
    "--clock": "-s clock.KEY=VALUE, as -s clock.decision_ms=200",
}
FORMER_OF_COMMANDS: Final = {
    "compare": {"--game": "the first word: compare GAME OLD NEW", "-g": "the first word: compare GAME OLD NEW"},
    "ask": {
        **dict.fromkeys(("--record", "-r"), "the first word: ask STORE GAME DECISION"),
        **dict.fromkeys(("--game", "-g"), "the second word: ask STORE GAME DECISION"),
        **dict.fromkeys(("--decision", "-d"), "the third word: ask STORE GAME DECISION"),
    },
    "plan": {"--bots": "behind the game: plan GAME BOT BOT"},
    "init": {"--game": "the second word: league init FOLDER GAME", "-g": "the second word: league init FOLDER GAME"},
}


class PitbossCommand(TyperCommand):
    """A command of Pitboss."""

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 - typer's own click
        """Write arguments and options, in the sections that they name, the plain ones first."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], WITHOUT_SECTION: []}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is not None:
                is_argument = parameter.param_type_name == "argument"
                own = getattr(parameter, "rich_help_panel", None)
                sections.setdefault("Arguments" if is_argument else own or WITHOUT_SECTION, []).append(record)
        plain = sections.pop(WITHOUT_SECTION)
        titles = [title for title, records in sections.items() if records and title != "Arguments"]
        if len(plain) == 1 and titles:  # --help alone
            sections[titles[-1]] += plain
            plain = []
        for title, records in [*sections.items(), (WITHOUT_SECTION, plain)]:
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer's own click
        """Parse the words of the command line."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            option = getattr(error, "option_name", "")  # of NoSuchOption, which typer does not export
            if answer := option and self._answer_option(option):
                error.message = f"{error.message}: {answer}"  # type: ignore[attr-defined]
                error.possibilities = None  # type: ignore[attr-defined]
            raise

    def _answer_option(self, option: str) -> str:
        """Return what is typed now in place of an option that this command does not have; "" if that is not known."""
        if former := FORMER_OF_COMMANDS.get(self.name or "", {}).get(option):
            return f"it is {former}"
        if not any(parameter.name == SETTINGS for parameter in self.params):
            return ""
        if option in FORMER_OPTIONS:
            return f"it is {FORMER_OPTIONS[option]}"
        from pitboss_tournament.plan.setting_keys import match_key  # noqa: PLC0415 - only after an error

        key = match_key(option.lstrip("-"))
        return f"it is -s {key}=VALUE; see `pitboss settings {key}`" if key else ""
