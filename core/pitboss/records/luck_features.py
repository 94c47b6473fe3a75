"""Features of luck: what a chance event did for each seat, in the numbers from which luck is learned.

`pitboss.records.luck` finds the chance events of a game. To add a feature, name it in `FEATURES` and add it up in
`ChanceEvent.add_luck`, or in `pitboss.records.luck`: its expectation must be zero. A store whose luck was measured with
other features is measured again.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import lru_cache
from math import copysign, sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from pitboss.game import AnyState
    from pitboss.table.cards import Face
    from pitboss.table.table import Table
    from pitboss.table.zones import Zone

# All but the last count above the mean of the table. A world is what came of a chance event, or might have come.
# The gain of a seat in a world is its lead over the mean of the table, less the mean of its leads over all worlds;
# the stake is the root of the mean square of all gains.
FEATURES: Final = (
    "value",  # the value of the position, by the game's evaluation
    "sign",  # the sign of the gain: 1, 0 or -1
    "ranks",  # the other cards of the seat that share the rank of a card seen for the first time, times the stake
    "suits",  # the same by suit
    "dice",  # the value of the position after a bot has drawn from its policy: see `policy_corrections`
    "table",  # the mean value of all seats
)
VALUE, SIGN, RANKS, SUITS, DICE, TABLE = range(len(FEATURES))

Values: TypeAlias = Sequence[float]  # by seat: expected points; more is better
Fit: TypeAlias = tuple[int, int]  # how many cards of a seat share the rank of the new ones, and how many their suit
SeatFeatures: TypeAlias = list[list[float]]  # by seat, by feature


class ChanceEvent(NamedTuple):
    """The result of a chance event, and the results that were possible."""

    worlds: Sequence[Values]  # that which came, and others
    fits: Sequence[Sequence[Fit]]  # by world, by seat
    is_exact: bool  # the worlds are all that might have come, in equal parts; else the others are redraws
    value: Values  # of what came, averaged over what nobody has seen since, if the game asks for it

    @property
    def mean_value(self) -> list[float]:
        """By seat: the mean value of what might have come."""
        return [fmean(of_seat) for of_seat in zip(*self.worlds[0 if self.is_exact else 1 :], strict=True)]

    def add_luck(self, total: SeatFeatures) -> None:
        """Add each feature of what came, less its mean over what might have come.

        Gains and stakes treat all worlds alike, that which came too: so the expectation of what is added is zero.
        """
        value, mean_value = self.value, self.mean_value
        _add_to(total, VALUE, _subtract_mean(value), _subtract_mean(mean_value))
        of_table = fmean(value) - fmean(mean_value)
        for of_seat in total:
            of_seat[TABLE] += of_table
        leads = [*map(_subtract_mean, self.worlds)]
        middle = [fmean(of_seat) for of_seat in zip(*leads, strict=True)]
        gains = [[lead - usual for lead, usual in zip(of_world, middle, strict=True)] for of_world in leads]
        stake = sqrt(fmean([gain * gain for of_world in gains for gain in of_world]))
        if stake:
            self._add(total, SIGN, [[_sign(gain / stake) for gain in of_world] for of_world in gains])
            self._add(total, RANKS, [[stake * ranks for ranks, _ in of_world] for of_world in self.fits])
            self._add(total, SUITS, [[stake * suits for _, suits in of_world] for of_world in self.fits])

    def _add(self, total: SeatFeatures, feature: int, worlds: Sequence[Values]) -> None:
        """Add a feature, which is given by world, by seat."""
        came = _subtract_mean(worlds[0])
        others = worlds[0 if self.is_exact else 1 :]
        _add_to(total, feature, came, _subtract_mean([fmean(of_seat) for of_seat in zip(*others, strict=True)]))


def _add_to(total: SeatFeatures, feature: int, came: Values, expected: Values) -> None:
    for of_seat, own, mean in zip(total, came, expected, strict=True):
        of_seat[feature] += own - mean


def _subtract_mean(values: Values) -> list[float]:
    mean = sum(values) / len(values)
    return [value - mean for value in values]


def _sign(gain: float) -> float:
    """Return -1, 0 or 1; a gain that may be a rounding error is none."""
    return copysign(1, gain) if abs(gain) > 1e-9 else 0.0


def evaluate_position(state: AnyState) -> Values:
    """Return by seat the value of a state; more is better."""
    if state.turn is None:
        return state.outcome().signed_points()
    values: Values = state.evaluate()  # type: ignore[attr-defined]
    return values


def count_fits(before: AnyState, after: AnyState) -> list[Fit]:
    """Return by seat how many of its cards share rank and suit with the cards that are seen for the first time."""
    was, now = before.table, after.table
    new = {card for card, seats in enumerate(now.known_by) if seats and not was.known_by[card]}
    total = [(0, 0)] * now.layout.seats
    for zone, cards in zip(now.layout.zones, now.zones, strict=True):
        for card in new.intersection(cards):
            fits = count_fits_of(now, now.layout.deck.faces[card], zone, new)
            total = [(ranks + more, suits + others) for (ranks, suits), (more, others) in zip(total, fits, strict=True)]
    return total


def count_fits_of(table: Table, face: Face, zone: Zone, new: Set[int]) -> list[Fit]:
    """Return by seat how many of its cards share the rank and the suit of a face that lies in a zone.

    A face in a seat's own zone counts for this seat alone, one in a common zone for all. `new` are the cards seen for
    the first time, which count for nobody.
    """
    rank, suit = _split_face(face)
    fits = [[0, 0] for _ in range(table.layout.seats)]
    for other, cards in zip(table.layout.zones, table.zones, strict=True):
        if other.owner is not None and zone.owner in (None, other.owner):
            for card in cards:
                if card >= 0 and card not in new:
                    rank_held, suit_held = _split_face(table.layout.deck.faces[card])
                    fits[other.owner][0] += rank_held == rank
                    fits[other.owner][1] += bool(suit) and suit_held == suit
    return [(ranks, suits) for ranks, suits in fits]


@lru_cache(maxsize=1_000)
def _split_face(face: Face) -> tuple[str, str]:
    """Return what takes the place of rank and suit of any game's cards: "SK" is K of S, a number has no suit."""
    return (face[1:], face[0]) if isinstance(face, str) and len(face) > 1 else (str(face), "")
