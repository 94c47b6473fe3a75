"""Rummy with another pack than the ordinary one: it is found by name, neither game knows the other."""

from __future__ import annotations

import pytest

from pitboss import OptionError, Random
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss.plugins.packs import STANDARD_PACK
from pitboss.plugins.registry import find_pack
from pitboss.testing import check_game
from pitboss_rummy.game import Rummy
from pitboss_rummy.messages import Discard, Layoff, Meld, Position, Take
from pitboss_rummy.state import RummyState
from tests.games.players import lay_down

GAME = Rummy()
OTHER = "ragamaru"


def set_up_with_pack(written: dict[str, object], pack: str) -> RummyState:
    """Return a game of two at a position, with a pack."""
    options = resolve_options(GAME, 2, None, {"pack": pack})
    return GAME.setup(2, options, convert_value(written, Position, "position"), Random("packs"))


def test_a_meld_of_other_cards() -> None:
    """Red is hearts: R8 R9 R10 are a sequence, 8 9 10 of hearts; K1 is the ace of spades, below the 2.

    Ranks 11 to 13 are court cards.
    """
    position: dict[str, object] = {
        "dealer": 1,
        "hands": [["R8", "R9", "K12", "B12", "Y12", "K13", "K1"], ["B1", "B2"]],
        "stock": ["Y1"],
        "discard": ["R10"],
    }
    state = set_up_with_pack(position, OTHER)
    state.play(Take())

    melds = {action.cards for action in state.legal() if isinstance(action, Meld)}
    assert melds == {("R8", "R9", "R10"), ("K12", "Y12", "B12")}
    state.play(Meld(("R10", "R8", "R9")))
    assert Layoff("R8", 1) not in state.legal()
    state.play(Discard("K13"))
    assert state.view(1).discard == ["K13"]


def test_the_same_game_whatever_is_printed_on_the_cards() -> None:
    """With one seed and the same choices, the faces are those at the same places of the two packs, throughout."""
    rng, other_rng = Random("same"), Random("same")
    faces = dict(zip(STANDARD_PACK.faces, find_pack(OTHER).faces, strict=True))
    state, other = (
        GAME.deal(3, resolve_options(GAME, 3, None, {"pack": pack}), Random("same")) for pack in ("standard", OTHER)
    )

    while state.turn is not None:
        assert other.turn == state.turn
        assert [[faces[card] for card in state.view(seat).hand] for seat in range(3)] == [
            other.view(seat).hand for seat in range(3)
        ]
        state.play(lay_down(state, rng))
        other.play(lay_down(other, other_rng))

    assert other.outcome() == state.outcome()


@pytest.mark.once
@pytest.mark.long
def test_a_whole_game_with_another_pack() -> None:
    """Every promise is kept."""
    options = {"pack": OTHER, "deals": 1}
    assert check_game(GAME, seats=[2], presets=[], options=options, games=1, player=lay_down).failures == []


def test_a_pack_that_nobody_offers() -> None:
    """A pack that nobody offers is refused before a card is dealt, and the error lists the installed packs."""
    with pytest.raises(OptionError, match=r"no pack 'piquet' is installed; there are: .*standard"):
        resolve_options(GAME, 2, None, {"pack": "piquet"})
