"""Every installed game can be followed from every seat, and what is known then is what the real table knows."""

from __future__ import annotations

import pytest

from pitboss import AnyGame, AnyState, OptionError, Random, Table
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss_hearts.game import Hearts
from pitboss_racko.bot import choose
from pitboss_racko.messages import Wait
from tests.core.tracked_games import describe_knowledge, is_tracked_correctly, make_question, track_game
from tests.marks import first_rows

pytestmark = pytest.mark.once

GAMES = Registry().games
MAX_DECISIONS = 70  # decisions of a game


def options_by_table(game: AnyGame) -> dict[tuple[str | None, int], object]:
    """Return the options of the defaults and each preset, for each number of seats that they allow."""
    found: dict[tuple[str | None, int], object] = {}
    for preset in (None, *game.presets):
        for seats in game.seats:
            try:
                options = resolve_options(game, seats, preset)
            except OptionError:
                continue
            if options not in [other for (_, count), other in found.items() if count == seats]:
                found[preset, seats] = options
    return found


MOSTLY_FOLLOWED = {"fireworks"}  # hints about a hand that its owner does not see: `tests/core/test_pointed_out.py`
TABLES = [
    pytest.param(
        *(name, preset, seats, options),
        id=f"{name}-{preset}-{seats}",
        marks=[] if seats in (min(game.seats), max(game.seats)) else pytest.mark.long,
    )
    for name, game in GAMES.items()
    for (preset, seats), options in options_by_table(game).items()
    if name not in MOSTLY_FOLLOWED
]


@first_rows(4)(("name", "preset", "seats", "options"), TABLES)
def test_a_random_game(name: str, preset: str | None, seats: int, options: object) -> None:
    """Each decision is followed: turn, legal list and view are those of the wire.

    Who knows which card, and what was mixed with what, is as on the real table.
    """
    game = GAMES[name]

    for seat in {0, seats - 1}:
        are_clear = True
        for one in track_game(game, seats, options, f"{preset}", seat, MAX_DECISIONS):
            assert is_tracked_correctly(one)
            assert one.tracked is not None
            table = one.state.table
            are_clear = are_clear and are_copies_interchangeable(table) and are_hidden_cards_alike(table, seat)
            if are_clear:
                assert describe_knowledge(one.tracked.table, seat) == describe_knowledge(one.state.table, seat)


def test_copies_that_cannot_be_told_apart() -> None:
    """Which of two equal cards was played may show much later.

    Then what was imagined since is imagined anew, from the state of an earlier decision.
    """
    game, seats = GAMES["ragamaru"], 9

    for number in range(2):
        found = [
            is_tracked_correctly(one)
            for one in track_game(game, seats, resolve_options(game, seats), f"copies {number}", number, 350)
        ]
        assert all(found)
        assert len(found) > 30


def test_the_likely_actions_are_tried_first() -> None:
    """Of dozens of legal actions the one that has the words of the event is found at once."""
    game, seats = GAMES["rummy"], 6

    for one in track_game(game, seats, resolve_options(game, seats), "likely", 0, 200, time_limit_s=0.006):
        assert one.tracked is not None


def test_a_secret_that_the_others_keep() -> None:
    """In Rack-O a player who could declare may wait, and nobody sees it.

    Nor can the followed state tell, and goes on.
    """
    game = GAMES["racko"]
    secrets = 0

    def patiently(state: AnyState, rng: Random) -> object:
        nonlocal secrets
        assert state.turn is not None
        wait = [action for action in state.legal() if isinstance(action, Wait)]
        secrets += bool(wait) and state.turn.seat != 0
        return wait[0] if wait else well(state, rng)

    def well(state: AnyState, rng: Random) -> object:
        assert state.turn is not None
        legal = list(state.legal())
        told = make_question(game, state, 2, options, 0)
        chosen = choose(told)
        return legal[chosen] if isinstance(chosen, int) else legal[told.legal.index(chosen)]

    options = resolve_options(game, 2, "duel_ja")
    found = [is_tracked_correctly(one) for one in track_game(game, 2, options, "secret", 0, 300, choose=patiently)]

    assert all(found)
    assert secrets > 5


def are_copies_interchangeable(table: Table) -> bool:
    """Tell whether copies of a card have all been mixed together.

    Where they were not, nobody can tell which of them was shown.
    """
    deck = table.layout.deck
    return all(len({table.shuffle_group_of[card] for card in deck.copies(face)}) == 1 for face in deck.faces)


def are_hidden_cards_alike(table: Table, seat: int) -> bool:
    """Tell whether the cards of each hand that a seat does not know are known to the same others, and mixed with all.

    Where one player has passed cards to another, nobody else can tell which of that hand's cards they are. Where one
    has laid a card away unseen, nobody else can tell which cards were in that hand.
    """
    hidden = [card for cards in table.zones for card in cards if card >= 0 and not table.known_by[card] >> seat & 1]
    if not table.has_only_public_groups and len({table.shuffle_group_of[card] for card in hidden}) > 1:
        return False
    return all(
        len({table.known_by[card] for card in table.zones[zone] if not table.known_by[card] >> seat & 1}) <= 1
        for zone in table.layout.zones
        if zone.hides_places
    )


@first_rows(1)("seats", [3, 4, 5])
def test_several_cards_that_all_pass_at_the_same_time(seats: int) -> None:
    """Hearts, with cards passed to every side: the search goes straight to the one of some 286 ways that happened."""
    game = Hearts()
    options = resolve_options(game, seats)

    for seat in range(seats):
        decisions = track_game(game, seats, options, f"hearts {seat}", seat, 200, time_limit_s=0.06)
        assert all(map(is_tracked_correctly, decisions))
