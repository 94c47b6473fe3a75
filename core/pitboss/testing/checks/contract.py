"""The contract of a game object: name, title, version, seats, options and types."""

from __future__ import annotations

import re
from typing import Final, get_args

import msgspec

from pitboss.errors import OptionError
from pitboss.game import AnyGame, has_positions, resolve_options
from pitboss.options import Options
from pitboss.rendering.appearance import zone_stem
from pitboss.rendering.presentation import find_presentation
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.check_runner import fail_on_crash
from pitboss.testing.framework.checked_setup import enumerate_edge_options
from pitboss.testing.framework.project_rule_book import read_project_rule_book
from pitboss.text import suggest_nearest

KEBAB: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@check("game")
def name_can_be_typed(game: AnyGame) -> None:
    """The name is what people type: lower case, digits and single hyphens."""
    if not isinstance(game.name, str) or not KEBAB.fullmatch(game.name):
        raise CheckFailed(f"the name is {game.name!r}; expected something like 'lucky-maker'")


@check("game")
def title_and_version_are_given(game: AnyGame) -> None:
    """The title and the version are one line of text each."""
    for what, text in (("title", game.title), ("version", game.version)):
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            raise CheckFailed(f"the {what} is {text!r}; expected one line of text")


@check("game")
def seats_ascend(game: AnyGame) -> None:
    """The numbers of seats are positive, ascending and each named once."""
    seats = list(game.seats)
    if not seats or any(type(count) is not int or count < 1 for count in seats) or seats != sorted(set(seats)):
        raise CheckFailed(f"seats are {seats!r}; expected positive numbers, ascending, each once")


@check("game")
def options_are_options(game: AnyGame) -> None:
    """`Options` is a frozen subclass of `pitboss.Options` in which every option has a default."""
    if not (isinstance(game.Options, type) and issubclass(game.Options, Options)):
        raise CheckFailed(f"Options is {game.Options!r}; expected a subclass of pitboss.Options")
    if not game.Options.__struct_config__.frozen:
        raise CheckFailed("Options are not frozen; expected class …(Options, frozen=True)")
    game.Options()


@check("game")
def options_are_described(game: AnyGame) -> None:
    """Every option says what it means."""
    _, components = msgspec.json.schema_components([game.Options])
    fields = components[game.Options.__name__].get("properties", {})
    bare = sorted(name for name, schema in fields.items() if not schema.get("description"))
    if bare:
        raise CheckFailed(
            f"no description: {', '.join(bare)}; expected Annotated[…, Meta(description=…)] for each option"
        )


@check("game")
def types_have_schemas(game: AnyGame) -> None:
    """Options, actions, views and positions have a JSON Schema."""
    for what in ("Options", "Action", "View", *(["Position"] if has_positions(game) else [])):
        try:
            msgspec.json.schema(getattr(game, what))
        except TypeError as wrong:
            raise CheckFailed(f"{what} has no JSON Schema: {wrong}") from None


@check("game")
def rule_book_names_actions(game: AnyGame) -> None:
    """The rule book beside the module has a word for each action; that of another game, or of a template, has not."""
    book = read_project_rule_book(game)
    if not book:
        raise NotApplicable("the module of the game lies in no project with a readme")
    kinds = [kind for kind in get_args(game.Action) or (game.Action,) if isinstance(kind, type)]
    unnamed = [kind.__name__ for kind in kinds if not _is_named(kind, book)]
    if unnamed:
        raise CheckFailed(f"the rule book does not speak of {', '.join(unnamed)}: is it that of this game?")


def _is_named(action: type, book: str) -> bool:
    """Whether a text has the wire's word for an action, or begins words with all words of its name, as "hint"."""
    tag = str(getattr(action, "__struct_config__").tag or "")  # noqa: B009 - msgspec's, which mypy does not know
    parts = re.findall(r"[A-Z]?[a-z]+", action.__name__)
    names = [[tag], [tag.replace("_", " ")], parts]
    return any(all(re.search(rf"\b{re.escape(part)}", book, re.IGNORECASE) for part in name) for name in names)


@check("game")
def defaults_resolve(game: AnyGame) -> None:
    """The default options can be played with every number of seats."""
    for seats in game.seats:
        try:
            resolve_options(game, seats)
        except OptionError as wrong:
            raise CheckFailed(f"with {seats} seats the defaults are refused: {wrong}") from None


@check("game")
def presets_resolve(game: AnyGame) -> None:
    """Every preset is a set of the game's options that some number of seats can play with."""
    for name, options in game.presets.items():
        if not isinstance(options, game.Options):
            raise CheckFailed(f"preset {name!r} is {options!r}; expected {game.Options.__name__}")
        refused = [wrong for seats in game.seats if (wrong := _find_refusal(game, seats, name)) is not None]
        if len(refused) == len(list(game.seats)):
            raise CheckFailed(f"preset {name!r} is refused for every number of seats: {refused[0]}")
    if not game.presets:
        raise NotApplicable("the game has no presets")


@check("game")
def resolved_options_are_settled(game: AnyGame) -> None:
    """Resolved options, written as JSON, read and resolved again, are the same, so that a record can keep them."""
    for seats in game.seats:
        for preset in (None, *game.presets):
            if _find_refusal(game, seats, preset) is not None:
                continue
            once = resolve_options(game, seats, preset)
            again = resolve_options(game, seats, overrides=msgspec.json.decode(msgspec.json.encode(once)))
            if again != once:
                raise CheckFailed(f"{seats} seats, preset {preset!r}: resolved {once!r}; resolved again {again!r}")


@check("game")
def unknown_option_is_refused(game: AnyGame) -> None:
    """An option that does not exist is refused."""
    for seats in game.seats:
        if _find_refusal(game, seats, None, {"no_such_option": 1}) is None:
            raise CheckFailed(f"with {seats} seats the option 'no_such_option' was accepted")


@check("game")
def other_numbers_of_seats_are_refused(game: AnyGame) -> None:
    """A number of seats that the game does not name is refused."""
    named = list(game.seats)
    for seats in {-1, 0, min(named) - 1, max(named) + 1, 1000} - set(named):
        if _find_refusal(game, seats, None) is None:
            raise CheckFailed(f"{seats} seats were accepted; the game names {named}")


@check("game")
def presentation_names_zones(game: AnyGame) -> None:
    """Every zone that the `presentation` names is there; it is named without the number of its owner."""
    if not (named := find_presentation(game).zones):
        raise NotApplicable("the presentation of the game names no zone")
    variants = [(seats, preset) for seats in game.seats for preset in (None, *game.presets)]
    stems = {
        zone_stem(zone)
        for seats, preset in variants
        if _find_refusal(game, seats, preset) is None
        for zone in game.deal(seats, resolve_options(game, seats, preset), Random("conformance")).table.layout.zones
    }
    for name in named:
        if name not in stems:
            raise CheckFailed(
                f"there is no zone {name!r}{suggest_nearest(name, sorted(stems))}; zones: {sorted(stems)}"
            )


@check("game")
def every_option_is_dealt_or_refused(game: AnyGame) -> None:
    """Every value of an option is either refused with an `OptionError` or can be dealt."""
    tried = 0
    for name, value in enumerate_edge_options(game):
        for seats in game.seats:
            what = f"{seats} seats, {name}={value!r}"
            try:
                with fail_on_crash(f"{what}: expected the options or an OptionError; got ", OptionError):
                    options = resolve_options(game, seats, overrides={name: value})
            except OptionError:
                continue
            with fail_on_crash(f"{what} was accepted, and then: "):
                list(game.deal(seats, options, Random("conformance/options")).legal())
            tried += 1
    if not tried:
        raise NotApplicable("the game has no options with bounds or few values")


def _find_refusal(
    game: AnyGame, seats: int, preset: str | None, given: dict[str, object] | None = None
) -> OptionError | None:
    try:
        resolve_options(game, seats, preset, given)
    except OptionError as wrong:
        return wrong
    return None
