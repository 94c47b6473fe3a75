"""Loadouts: samples are legal and can be played, and what others have brought is not seen where it is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from pitboss.loadouts import LoadoutGame, LoadoutParts, takes_loadouts
from pitboss.table.randomness import Random
from pitboss.testing.framework.check import CheckFailed, NotApplicable, check
from pitboss.testing.framework.checked_setup import CheckedSetup

DRAWN_LOADOUTS: Final = 20
SEEDS: Final = ("conformance/loadouts/0", "conformance/loadouts/1")


@check("setup")
def loadouts_are_legal(setup: CheckedSetup) -> None:
    """The sample loadouts of a game and those that it draws are legal; read again from JSON they are the same."""
    game = _require_loadouts(setup)
    if not game.sample_loadouts:
        raise CheckFailed("the game has no sample loadouts; a bot without a loadout plays with the first of them")
    for name, loadout in game.sample_loadouts.items():
        _expect_legal(game, loadout, setup.options, f"the sample {name!r}")
    parts: object = game
    if isinstance(parts, LoadoutParts):
        rng = Random("conformance/loadouts")
        for number in range(DRAWN_LOADOUTS):
            drawn = parts.draw_loadout(setup.options, rng)
            _expect_legal(game, drawn, setup.options, f"loadout {number} that the game has drawn")
            if any(count < 0 for count in parts.count_parts(drawn).values()):
                raise CheckFailed(f"{drawn!r} has a part less than no times: {parts.count_parts(drawn)!r}")


@check("setup")
def loadouts_leak_nothing(setup: CheckedSetup) -> None:
    """Where loadouts are hidden a seat is shown the same deal whatever the others have brought: view, events, turn."""
    game = _require_loadouts(setup)
    if game.loadout_sight(setup.options) == "public":
        raise NotApplicable("all seats know all loadouts with these options")
    samples = [*game.sample_loadouts.values()]
    for seat in range(setup.seats):
        for seed in SEEDS:
            first: bytes | None = None
            for other in samples:
                brought = [samples[0] if owner == seat else other for owner in range(setup.seats)]
                shown = _show_deal(setup, brought, seat, seed)
                if first is not None and shown != first:
                    raise CheckFailed(
                        f"seat {seat} is shown another deal if the others bring another loadout: {other!r} in place of "
                        f"{samples[0]!r}, seed {seed!r}"
                    )
                first = shown


def _require_loadouts(setup: CheckedSetup) -> LoadoutGame:
    game: object = setup.game
    if not takes_loadouts(game):
        raise NotApplicable("the game takes no loadouts")
    return game


def _expect_legal(game: LoadoutGame, loadout: Any, options: Any, what: str) -> None:  # noqa: ANN401 - the game's own
    if faults := list(game.check_loadout(loadout, options)):
        raise CheckFailed(f"{what} is not legal: {'; '.join(faults)}")
    again = msgspec.json.decode(msgspec.json.encode(loadout), type=game.Loadout)
    if again != loadout:
        raise CheckFailed(f"{what} is {loadout!r}, and read again from JSON {again!r}")


def _show_deal(setup: CheckedSetup, brought: Sequence[Any], seat: int, seed: str) -> bytes:
    """Return what a seat is shown of a deal, as bytes."""
    options = replace(setup.options, loadouts=tuple(brought))
    state = setup.game.deal(setup.seats, options, Random(seed))
    turn = state.turn
    legal = state.legal() if turn is not None and turn.seat == seat else ()
    return msgspec.json.encode([state.view(seat), state.table.events(seat), turn, legal])
