"""Oh Hell. Bid how many tricks you will take, and take neither more nor fewer; hands shrink to one card and grow again.

The card turned up tells the trump suit. In turn everybody bids a number of tricks; the last bidder may not make the
bids add up to the tricks there are. Suit is followed. Who takes as many tricks as it has bid gets ten points and one
for each trick; all others get nothing.

Numbers in docstrings (O4) are those of the rule book, `RULES.md`; the rules are in `state`, options in `options`,
actions and views in `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pitboss import ZoneHint
from pitboss.parts.trick_match import TrickGame
from pitboss_oh_hell.evaluation import evaluate_state
from pitboss_oh_hell.messages import Position
from pitboss_oh_hell.options import PRESETS, OhHellOptions
from pitboss_oh_hell.position import set_up_deal, write_position
from pitboss_oh_hell.state import OhHellStateBase


class OhHellState(OhHellStateBase):
    """A match of Oh Hell at one moment."""

    evaluate = evaluate_state
    position = write_position
    set_up_deal = set_up_deal


class OhHell(TrickGame[OhHellOptions, OhHellState]):
    """The game: one object without state."""

    state = OhHellState
    name = "oh-hell"
    title = "Oh Hell"
    seats: Sequence[int] = (3, 4, 5, 6, 7)
    Position = Position
    presets: Mapping[str, OhHellOptions] = PRESETS
    zone_hints: Mapping[str, ZoneHint] = {"stock": ZoneHint("beside"), "taken": ZoneHint("beside")}
