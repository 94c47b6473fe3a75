"""Other deals: a seat is shown the same in each deal that it cannot tell from the real one, whatever `imagine` says."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pitboss.game import AnyState, find_public_counts, render_state
from pitboss.records.frames import FrameMaker
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.hidden_fields import find_told_field
from pitboss.testing.framework.other_deals import find_alike_deals
from pitboss.testing.framework.played_game import PlayedGame
from pitboss.testing.framework.snapshot import describe_first_difference
from pitboss.testing.framework.varied_random import DrawChange


@check("played game")
def other_deals_leak_nothing(played_game: PlayedGame) -> None:
    """Dealt again with another lot or two cards exchanged, a seat that observed the same events is shown the same:
    view, rendering, legal list and neutral action.
    """
    found = 0
    for alike in find_alike_deals(played_game):
        found += alike.is_another_deal
        for (what, real), (_, other) in zip(
            *(_show(one, alike.seat) for one in (alike.state, alike.other)), strict=True
        ):
            if real != other:
                raise CheckFailed(
                    f"{what} tells something hidden before decision {alike.number}: "
                    f"{describe_first_difference(real, other)} in another deal with the same events "
                    f"({alike.describe_change()})"
                )
    if not found:
        raise NotApplicable("no other deal was found that gives a seat the same events")


@check("played game")
def sequences_leak_nothing(played_game: PlayedGame) -> None:
    """Dealt again with another lot or two cards exchanged, a seat that observed the same sees the same sequence."""
    change: DrawChange | None = None
    sequences: dict[int, tuple[FrameMaker, FrameMaker]] = {}  # by seat: of the game, and of another deal
    for alike in find_alike_deals(played_game):
        if alike.change is not change:
            change = alike.change
            sequences.clear()
        if alike.seat not in sequences:
            layout = alike.state.table.layout
            sequences[alike.seat] = (FrameMaker(layout, alike.seat), FrameMaker(layout, alike.seat))
        one, other = sequences[alike.seat]
        shown = tuple(
            sequence.follow(state.table, alike.number, find_public_counts(state))
            for sequence, state in ((one, alike.state), (other, alike.other))
        )
        if shown[0] != shown[1]:
            raise CheckFailed(
                f"the sequence of seat {alike.seat} tells something hidden before decision {alike.number}: "
                f"{describe_first_difference(*map(msgspec.json.encode, shown))} in another deal with the same events "
                f"({alike.describe_change()})"
            )
    if change is None:
        raise NotApplicable("no other deal was found that gives a seat the same events")


@check("played game")
def worlds_do_not_hold_hidden_fields(played_game: PlayedGame) -> None:
    """What a state keeps beside its table, and a seat that observed the same events cannot know, is not the truth in
    every world of that seat.
    """
    found, rng = 0, Random(f"{played_game.seed}/hidden fields")
    for alike in find_alike_deals(played_game):
        found += alike.is_another_deal
        if (name := find_told_field(alike.state, alike.other, alike.seat, rng)) is not None:
            raise CheckFailed(
                f"before decision {alike.number} every world of seat {alike.seat} holds the true {name!r}, which is "
                f"another one in a deal with the same events ({alike.describe_change()}); what is hidden belongs on "
                f"the table"
            )
    if not found:
        raise NotApplicable("no other deal was found that gives a seat the same events")


def _show(state: AnyState, seat: int) -> Iterator[tuple[str, bytes]]:
    """Yield (name, JSON) of each thing that a seat is shown besides its events: view, rendering, legal actions."""
    names = [f"player {number}" for number in range(state.table.layout.seats)]
    shown: list[tuple[str, object]] = [
        (f"view({seat})", state.view(seat)),
        (f"render({seat})", render_state(state, seat, names)),
    ]
    if state.turn is not None and state.turn.seat == seat:
        shown += [(f"legal of seat {seat}", list(state.legal())), (f"neutral of seat {seat}", state.neutral())]
    for what, value in shown:
        yield what, msgspec.json.encode(value)
