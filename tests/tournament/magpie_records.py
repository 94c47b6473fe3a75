"""Recorded games of Magpie for three, with whatever their bots do wrong."""

from __future__ import annotations

import msgspec

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.records.record import Decision, Incident, Record
from pitboss_magpie.magpie import Magpie
from pitboss_tournament.showing.replay_pages import ReplayPage, ReplayPages

NAMES = ["ann", "bob", "cid"]
GAME = Magpie()


def make_magpie_record(seed: str, *incidents: Incident) -> Record:
    """Return a random game with a note at each decision; where an incident says so, the neutral action is played."""
    options = resolve_options(GAME, 3, None, {"graves": True})
    state, rng = GAME.deal(3, options, Random(seed)), Random(seed + "/players")
    verdicts = {(one.fault.seat, one.fault.decision): one.fault.verdict for one in incidents}
    forfeited = {seat for (seat, question) in verdicts if question == 0}
    asked, decisions = [0] * 3, list[Decision]()
    while state.turn is not None:
        seat = state.turn.seat
        asked[seat] += seat not in forfeited
        verdict = "forfeit" if seat in forfeited else verdicts.get((seat, asked[seat]))
        if verdict == "forfeit":
            forfeited.add(seat)
        action = rng.choice(state.legal()) if verdict is None else state.neutral()
        plain = msgspec.to_builtins(action)
        decisions.append(
            Decision(seat=seat, action=plain, us=1500, note=f"I am seat {seat}")
            if verdict is None
            else Decision(seat=seat, action=plain, forced=True)
        )
        state.play(action)
    return Record(
        game="magpie",
        game_version="1",
        options={"graves": True, "hand": options.hand},
        seed=seed,
        players=NAMES,
        decisions=decisions,
        outcome=state.outcome(),
        incidents=list(incidents),
    )


def make_pages(
    record: Record, seat: int | None = None, *, width: int | None = None, with_legal: bool = False
) -> list[ReplayPage]:
    """Return all pages."""
    return list(ReplayPages(record, GAME, seat, width=width, with_legal=with_legal))
