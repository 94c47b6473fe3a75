"""The pages of a lobby: its games and tables, how a table is set up, and the page of a table before its first game.

What the script of these pages keeps up to date has the attribute `data-live`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec
import segno

from pitboss.errors import OptionError
from pitboss.game import AnyGame, resolve_options
from pitboss.loadouts import takes_loadouts
from pitboss.rendering.appearance import CardLook, find_looks
from pitboss.rendering.presentation import find_presentation, order_faces
from pitboss.simulation.game_setup import DEFAULTS
from pitboss.table.randomness import Random
from pitboss.text import format_count, join_words
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.play.lobby.bot_strength import word_strength
from pitboss_tournament.play.lobby.lobby import LeagueOffer
from pitboss_tournament.play.lobby.lobby_table import Guest, LobbySeat, LobbyTable, TableSetup

OPEN_SEAT: Final = "open"  # values of the choice of a seat, beside the names of bots
NAMED_PERSON: Final = "person"
SHOWN_CARDS: Final = 3  # on the tile of a game
MAX_NAME: Final = 40
MEASURE_NOTE: Final = (
    "The per cent of a bot were measured: the share of its opponents that it came in before, where 50 % is even. "
    "house:search thought 50 ms for a decision there. The documentation has all figures, with intervals."
)


class Visitor(NamedTuple):
    """Who looks at a page."""

    is_host: bool
    token: str = ""  # of a guest
    guest: Guest | None = None


# ---- the lobby


def lobby_content(
    games: Iterable[AnyGame], tables: Sequence[LobbyTable], visitor: Visitor, league: Content = None
) -> Iterator[Content]:
    """Yield the lobby: its tables, its `league`, and for the host the games."""
    yield el("h1", "The lobby")
    items = [_table_item(table, visitor) for table in tables]
    none = el("p", "There is no table yet: choose a game.", class_="soft")
    yield el("section", el("h2", "Tables"), el("ul", *items, class_="tables") if items else none, data_live="tables")
    yield league
    if visitor.is_host:
        yield el("section", el("h2", "Open a table"), el("ul", *map(_game_tile, games), class_="tiles"))


def stranger_content() -> Iterator[Content]:
    """Yield what the lobby says to somebody who has no invitation."""
    yield el("h1", "Cards are played here")
    yield el("p", "Each table has an invitation: a link, which is also a QR code. Ask the host for one, and open it.")
    yield el("p", "You are the host? Open the link that `pitboss play --browser` has printed.", class_="soft")


def _table_item(table: LobbyTable, visitor: Visitor) -> Markup:
    number = table.find_seat(visitor.token)
    ways: list[Content] = []
    if number is not None:
        ways.append(el("a", "Your seat", href=f"/table/{table.key}", class_="main"))
        if table.is_of_league and not visitor.is_host:
            ways.append(el("a", "End it", href=f"/table/{table.key}?look"))
    if visitor.is_host:
        ways.append(el("a", "Set up and invite", href=f"/table/{table.key}?look"))
    return el(
        "li",
        el("div", el("b", table.title), _state(table), class_="line"),
        el("ul", *(_sitter(at, seat) for at, seat in enumerate(table.seats)), class_="sitters"),
        el("div", *ways, class_="ways") if ways else None,
    )


def _state(table: LobbyTable) -> Markup:
    return el("span", table.state, class_="state playing" if table.state == "playing" else "state")


def _sitter(number: int, seat: LobbySeat) -> Markup:
    kind = "bot" if seat.bot else "nobody" if seat.is_open else "person"
    name = el("bdi", seat.name, dir="auto") if seat.name else "open"
    return el("li", el("b", f"{number + 1}"), name, " is expected" if seat.is_open and seat.name else None, class_=kind)


def _game_tile(game: AnyGame) -> Markup:
    goal = find_presentation(game).goal
    cards = [_mini_card(look) for look in _choose_looks(game)]
    seats = list(game.seats)
    spread = f"{seats[0]} to {seats[-1]}" if len(seats) > 2 else join_words(seats)
    return el(
        "li",
        el(
            "a",
            el("span", *cards, class_="felt", aria_hidden="true"),
            el("b", game.title),
            el("span", f"{spread} players", class_="soft"),
            el("span", goal[0]) if goal else None,
            href=f"/new/{game.name}",
        ),
    )


def _mini_card(look: CardLook) -> Markup:
    kind = f"{look.colour}{' filled' if look.is_filled else ''}"
    return el("span", el("b", look.corner) if look.corner else None, look.text[:MAX_NAME], class_=f"mini {kind}")


def _choose_looks(game: AnyGame) -> list[CardLook]:
    """Return how a few cards of a game look, from its lowest ones to its highest."""
    seats = game.seats[0]
    deck = game.deal(seats, resolve_options(game, seats), Random("tile")).table.layout.deck
    faces, looks = order_faces(game, deck), find_looks(game, deck)
    part = len(faces) // SHOWN_CARDS
    drawn = Random(f"tile of {game.name}").draw_words(SHOWN_CARDS)
    return [looks[faces[at * part + word % part]] for at, word in enumerate(drawn)]


# ---- a new table


def list_preset_seats(game: AnyGame) -> dict[str, list[int]]:
    """Return the numbers of seats that each preset can be played with, the defaults first."""
    found = {}
    for preset in (None, *game.presets):
        seats = [number for number in game.seats if _is_playable(game, number, preset)]
        if seats:
            found[preset or DEFAULTS] = seats
    return found


def _is_playable(game: AnyGame, seats: int, preset: str | None) -> bool:
    try:
        resolve_options(game, seats, preset)
    except OptionError:
        return False
    return True


def new_table_content(setup: TableSetup, bots: Sequence[str], complaint: str = "") -> Iterator[Content]:
    """Yield the page on which a table is set up: preset and seats are links, who sits where is a form."""
    game, preset = setup.game, setup.preset or DEFAULTS
    setups = list_preset_seats(game)
    yield el("h1", game.title)
    yield el("div", *(el("p", line) for line in find_presentation(game).goal), class_="goal")
    if len(setups) > 1:
        yield el("h2", "Preset")
        yield el("p", *(_pill(game, one, _nearest(setups[one], setup.seats), one == preset) for one in setups))
        yield el("p", _word_changes(game, setup.preset), class_="soft")
    yield el("h2", "Seats")
    yield el("p", *(_pill(game, preset, seats, seats == setup.seats, f"{seats}") for seats in setups[preset]))
    yield el("h2", "Who sits where")
    if complaint:
        yield el("p", complaint, class_="error", role="alert")
    rows = [_seat_row(number, setup, bots) for number in range(setup.seats)]
    button = el("button", "Open the table", class_="main")
    hidden = (
        el("input", type="hidden", name="preset", value=preset),
        el("input", type="hidden", name="seats", value=setup.seats),
    )
    yield el("form", *hidden, el("ol", *rows, class_="seats"), button, method="post", action=f"/new/{game.name}")
    yield el("p", "A person whose name you type has the seat kept. An open seat is for anybody with the invitation.")
    yield el("p", MEASURE_NOTE, class_="soft")


def _word_changes(game: AnyGame, preset: str | None) -> str:
    """Return what a preset changes."""
    usual = msgspec.to_builtins(game.Options())
    own = {} if preset is None else msgspec.to_builtins(game.presets[preset])
    changes = [f"{name.replace('_', ' ')}: {own[name]}" for name in own if own[name] != usual.get(name)]
    return f"Changes {', '.join(changes)}." if changes else "As the rule book has it."


def _nearest(allowed: Sequence[int], wanted: int) -> int:
    return min(allowed, key=lambda seats: (abs(seats - wanted), seats))


def _pill(game: AnyGame, preset: str, seats: int, is_chosen: bool, text: str = "") -> Markup:
    chosen = "true" if is_chosen else None
    return el(
        "a",
        text or preset.replace("_", " "),
        href=f"/new/{game.name}?preset={preset}&seats={seats}",
        class_="pill",
        aria_current=chosen,
    )


def _seat_row(number: int, setup: TableSetup, bots: Sequence[str]) -> Markup:
    name = f"seat{number}"
    kinds = [el("option", "an open seat", value=OPEN_SEAT), el("option", "a person, by name", value=NAMED_PERSON)]
    choices = el(
        "select",
        *kinds,
        el("optgroup", *_bot_options(setup, bots), label="bots"),
        name=name,
        aria_label=f"seat {number + 1}",
    )
    typed = el(
        "input",
        name=f"name{number}",
        maxlength=MAX_NAME,
        placeholder="name",
        aria_label=f"name for seat {number + 1}",
        autocomplete="off",
    )
    return el("li", choices, typed)


def _bot_options(setup: TableSetup, bots: Sequence[str], chosen: str = "") -> Iterator[Markup]:
    for bot in bots:
        strength = word_strength(setup.game.name, setup.seats, bot)
        yield el("option", f"{bot}: {strength}" if strength else bot, value=bot, selected=bot == chosen)


def read_seats(fields: Mapping[str, str], seats: int) -> list[LobbySeat]:
    """Return who sits where, as the form of a new table says."""
    found = []
    for number in range(seats):
        choice, name = fields.get(f"seat{number}", OPEN_SEAT), fields.get(f"name{number}", "").strip()
        found.append(LobbySeat(kept_for=name) if choice in (OPEN_SEAT, NAMED_PERSON) else LobbySeat(choice))
    return found


# ---- a table


class Invitation(NamedTuple):
    """How others come to a table."""

    address: str
    is_local: bool  # only this machine can open it


def table_content(
    table: LobbyTable,
    visitor: Visitor,
    invitation: Invitation,
    bots: Sequence[str],
    complaint: str = "",
    said: str = "",
) -> Iterator[Content]:
    """Yield the page of a table: who sits there, the seats that one may take, and for the host the invitation.

    `said` is the name that the visitor has typed.
    """
    number = table.find_seat(visitor.token)
    yield el("h1", table.title)
    setup = table.setup
    yield el(
        "p",
        f"{format_count(setup.seats, 'seat')}, {(setup.preset or 'the default rules').replace('_', ' ')}",
        class_="soft",
    )
    if complaint:
        yield el("p", complaint, class_="error", role="alert")
    if number is None and table.missing and not table.ended:
        yield _name_form(table, visitor, said)
    seats = el("section", *_seat_list(table, visitor, number, bots), data_live="seats")
    yield el("div", seats, _host_part(table, invitation) if visitor.is_host else None, class_="sides")
    yield el("h2", "The game")
    yield el("div", *(el("p", line) for line in find_presentation(setup.game).goal), class_="goal")


def _name_form(table: LobbyTable, visitor: Visitor, said: str) -> Markup:
    form = {"id": "sit", "method": "post", "action": f"/table/{table.key}/sit"}
    brought = _ask_loadout(table.setup.game)
    if visitor.guest is not None:
        return el("form", el("p", "Choose a seat, ", el("bdi", visitor.guest.name, dir="auto"), "."), brought, **form)
    typed = el("input", id="name", name="name", value=said, maxlength=MAX_NAME, required=True, autocomplete="nickname")
    told = el("p", "Then choose a seat.", class_="soft")
    return el("form", el("label", "Your name", for_="name"), typed, brought, told, **form)


def _ask_loadout(game: AnyGame) -> Markup | None:
    """Return a choice of the game's sample loadouts, such as decks; None if the game takes none."""
    if not takes_loadouts(game):
        return None
    samples = [el("option", name, value=name) for name in game.sample_loadouts]
    choice = el("select", *samples, id="loadout", name="loadout")
    return el("p", el("label", "You bring", for_="loadout"), " ", choice)


def _seat_list(table: LobbyTable, visitor: Visitor, own: int | None, bots: Sequence[str]) -> Iterator[Content]:
    yield el("p", _state(table), " ", table.ended or _word_state(table, own), role="status")
    yield el(
        "ol", *(_seat_line(table, visitor, own, number, bots) for number in range(len(table.seats))), class_="seats"
    )
    if table.host is not None and not table.ended:
        yield el("p", el("a", "Watch", href=f"/play/{table.host.find_key(None)}", class_="pill"))
    if own is not None and not table.ended and (table.host is None or table.is_of_league):
        does = "End this table; an unfinished game is kept" if table.is_of_league else "Leave the table"
        yield el("form", el("button", does), method="post", action=f"/table/{table.key}/leave")


def _word_state(table: LobbyTable, own: int | None) -> str:
    if table.host is not None:
        return "" if own is None else "You have a seat here."
    sit = "one more person sits" if table.missing == 1 else f"{table.missing} more people sit"
    waits = f"The {'unfinished game goes on' if table.unfinished else 'game begins'} when {sit} here."
    return waits if own is None else f"You have seat {own + 1}. {waits} Leave this page open."


def _seat_line(table: LobbyTable, visitor: Visitor, own: int | None, number: int, bots: Sequence[str]) -> Markup:
    seat = table.seats[number]
    parts: list[Content] = [_name_sitter(seat, is_own=number == own)]
    if seat.is_open and own is None and not table.ended:
        parts.append(el("button", "Sit here", form="sit", name="seat", value=number, class_="main"))
    if visitor.is_host and not table.ended:
        parts.append(_seat_form(table, seat, number, bots))
    return el("li", *parts, class_="own" if number == own else None)


def _name_sitter(seat: LobbySeat, *, is_own: bool) -> Markup:
    if seat.is_open:
        return (
            el("span", "kept for ", el("bdi", seat.kept_for, dir="auto"))
            if seat.kept_for
            else el("span", "open", class_="soft")
        )
    return el("b", el("bdi", seat.name, dir="auto"), " (you)" if is_own else None)


def _seat_form(table: LobbyTable, seat: LobbySeat, number: int, bots: Sequence[str]) -> Content:
    """Return what the host may do with a seat."""
    action = f"/table/{table.key}/seat"
    hidden = el("input", type="hidden", name="seat", value=number)
    if table.host is not None:
        is_free = seat.bot or seat.guest is None
        told = "The seat is kept; the link so far ends."
        again = el("button", "Let them in again", title=told, class_="plain")
        return None if is_free else el("form", hidden, again, method="post", action=action)
    options = [el("option", "open", value=""), *_bot_options(table.setup, bots, seat.bot)]
    choice = el("select", *options, name="bot", aria_label=f"who gets seat {number + 1}")
    return el("form", hidden, choice, el("button", "Change"), method="post", action=action)


def _host_part(table: LobbyTable, invitation: Invitation) -> Markup:
    close = el("form", el("button", "Close this table"), method="post", action=f"/table/{table.key}/close")
    return el("section", el("h2", "Invitation"), *_show_invitation(invitation), close)


def _show_invitation(invitation: Invitation) -> Iterator[Content]:
    address = invitation.address
    picture = segno.make(address, error="m").svg_inline(omitsize=True, border=2, svgclass="code", lineclass=None)
    yield el("div", Markup(picture), class_="qr", role="img", aria_label="QR code of the invitation")
    yield el("p", el("a", address, href=address))
    if invitation.is_local:
        note = "Only this machine can open this link: start with --host 0.0.0.0 to let others in."
        yield el("p", note, class_="error")


# ---- a league


def league_part(name: str, results: Content, invitation: Invitation | None) -> Markup:
    """Return what the lobby shows of its league: results and, for the host, the invitation."""
    how = "Whoever follows this invitation plays against the best bots of the league."
    shown = el("div", el("p", how), *_show_invitation(invitation)) if invitation else None
    return el("section", el("h2", "The league ", name), el("div", el("div", results), shown, class_="sides"))


def league_content(
    name: str,
    setup: TableSetup,
    offers: Sequence[LeagueOffer],
    action: str,
    visitor: Visitor,
    results: Content,
    complaint: str = "",
    said: str = "",
) -> Iterator[Content]:
    """Yield the page on which a guest chooses the bots of a league to play against.

    The form goes to `action`; `said` is the name that the visitor has typed.
    """
    yield el("h1", f"{setup.game.title} against the bots of {name}")
    yield el("div", *(el("p", line) for line in find_presentation(setup.game).goal), class_="goal")
    if complaint:
        yield el("p", complaint, class_="error", role="alert")
    if offers:
        you = visitor.guest.name if visitor.guest is not None else "you"
        seats = [el("li", el("b", el("bdi", you, dir="auto")), class_="own")]
        seats += [_offer_row(number, offers) for number in range(1, setup.seats)]
        button = el("button", "Play", class_="main")
        yield el(
            "form", _ask_name(visitor, said), el("ol", *seats, class_="seats"), button, method="post", action=action
        )
        if setup.seats > 2:
            yield el("p", "After each game everybody moves on by one seat.", class_="soft")
    else:
        yield el("p", "No bot of the league plays yet: come back later.")
    yield results


def _ask_name(visitor: Visitor, said: str) -> Markup | None:
    if visitor.guest is not None:
        return None
    typed = el("input", id="name", name="name", value=said, maxlength=MAX_NAME, autocomplete="nickname")
    told = "The league shows your results under this name. Leave it empty to stay without a name."
    return el("div", el("label", "Your name", for_="name"), " ", typed, el("p", told, class_="soft"))


def _offer_row(number: int, offers: Sequence[LeagueOffer]) -> Markup:
    first = offers[(number - 1) % len(offers)].name
    options = [el("option", f"{one.name}: {one.told}", value=one.name, selected=one.name == first) for one in offers]
    return el("li", el("select", *options, name=f"seat{number}", aria_label=f"bot in seat {number + 1}"))
