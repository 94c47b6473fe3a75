"""Strategy of `house:ragamaru`: the turns that a hand still takes, and the effect of a play on the others.

A hand is the mask of its cards' places in the box; see `field`. Costs are in turns: a card that goes in a turn of its
own costs 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from pitboss_ragamaru.cards import COLOURS, HIGHEST, KINDS, Colour
from pitboss_ragamaru.field import (
    ALL_NUMBERS,
    ALWAYS_FIT,
    BASE_DRAWS,
    BITS,
    CONVERSION_DRAWS,
    FACE_MASKS,
    OF_COLOUR,
    OF_KIND,
    OF_NUMBER,
    RESTS_A_SIN_BIN,
    Top,
    count_stuck,
    top_of,
)
from pitboss_ragamaru.plays import Combination, playbook

CARD: Final = 0.2  # turns that every card costs, as it counts at the end
COLOURED: Final = 0.4  # more for a kind that cannot be the last card
WILD_COST: Final = 0.6  # for a card that always fits
FINISHER_COST: Final = -3.5  # for a RAGAMARU: after it any number card can be played as the last one
STUCK_COST: Final = 1.6  # for a card that goes only in answer to an attack, or by an Advantage
NO_WAY_OUT_COST: Final = 0.9  # for a hand without a number card
WAITING: Final = 0.4  # for each turn of waiting, on average, until a card fits
SHIELD: Final = 0.12  # saved by each kind that answers an attack, if the hand has more than `most` cards
DRAWN_CARD_COST: Final = 0.75  # turns that a drawn card costs
TEMPO: Final = 1.0  # worth of another turn at once
FOLLOWING: Final = 0.3  # worth of a field that all cards of the rest fit
BY_COLOUR: Final = 0.22  # the chance that a colour is the field's
BY_NUMBER: Final = 0.03  # the chance that a card fits by its number or kind
LOST: Final = 8.0  # cost of another seat going out
GOING_OUT_CHANCES: Final = {1: 0.35, 2: 0.08, 3: 0.03}  # by cards in a hand: the chance of going out in a turn
FEAR_DECAY: Final = 0.85  # factor on the expected loss for each seat that plays before
WON_WORTH: Final = 100.0
ANSWERED: Final = 0.85  # expected part of an attack that is not answered
DEPTH: Final = 3  # own turns in a row that are searched
CACHED_COSTS: Final = 1 << 14  # hands of which the cost is kept

COLOURED_KINDS: Final = tuple(OF_KIND[kind] for kind in KINDS)
ANSWERS: Final = tuple(OF_KIND[kind] for kind in (*BASE_DRAWS, "TMO"))


class PlayEffect(NamedTuple):
    """Effect of a play on the others: seats that play before the next own turn, cards drawn and turns lost, by seat."""

    seats_before: Sequence[int]
    draws: Mapping[int, int] = {}  # by seat
    rests: Mapping[int, int] = {}  # by seat: turns that it loses


def mask_of_hand(faces: Sequence[str]) -> int:
    """Return the mask of a hand; of copies the first ones."""
    held = 0
    for face in faces:
        held |= _lowest(FACE_MASKS[face] & ~held)
    return held


def _lowest(mask: int) -> int:
    return mask & -mask


@lru_cache(CACHED_COSTS)
def hand_cost(held: int, most: int) -> float:
    """Return an estimate of the turns that a hand takes; at most `most` cards of one family go together."""
    if not held:
        return 0.0
    turns = CARD * held.bit_count() + sum([_count_plays(held & same, most) for same in OF_NUMBER.values()])
    kinds = sum([_count_plays(held & same, most) for same in COLOURED_KINDS])
    wild, finishers = (held & (OF_KIND["RES"] | OF_KIND["SIN"])).bit_count(), (held & OF_KIND["RAG"]).bit_count()
    turns += (1 + COLOURED) * kinds + WILD_COST * wild + FINISHER_COST * finishers + STUCK_COST * count_stuck(held)
    if not held & ALL_NUMBERS:
        turns += NO_WAY_OUT_COST
    turns += WAITING * (1 / _fit_chance(held) - 1)
    shields = sum((held & answer) != 0 for answer in ANSWERS)
    return turns - SHIELD * shields * (1 if held.bit_count() > most else 0)


def _fit_chance(held: int) -> float:
    """Return an estimate of the chance that a field fits some card of a hand."""
    if held & ALWAYS_FIT and held.bit_count() > 1:
        return 1.0
    colours = sum((held & colour) != 0 for colour in OF_COLOUR.values())
    return min(1.0, BY_COLOUR * max(1, colours) + BY_NUMBER * held.bit_count())


def _count_plays(family: int, most: int) -> int:
    return -(-family.bit_count() // most)


class PlayEvaluator:
    """Evaluation of plays at one decision of one seat: costs of hands, and effects on the others."""

    def __init__(self, view: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        self.book: Final = playbook(
            options["conversion"], options["loop"], options["max_same"], options["advantage"] == "wild"
        )
        self.max_same: Final[int] = options["max_same"]
        self.counts: Final[list[int]] = view["counts"]
        self.sin: Final[list[int]] = view["sin"]
        self.order: Final[list[int]] = view["order"]
        self.seats: Final = len(self.order)
        pending = view["pending"] or {}
        self.draw_due: Final[int] = pending.get("draw", 0)
        self.rests_due: Final[int] = pending.get("sin", 0)
        self.weight: Final = self._weights(view["team"])

    def _weights(self, team: Sequence[int] | None) -> dict[int, float]:
        """Return the weight of each other seat's turns, relative to the bot's own.

        A seat with fewer cards weighs more; a partner's weight is negative.
        """
        me, *others = self.order
        near = {seat: 1 / (2 + self.counts[seat]) for seat in others}
        friends = [seat for seat in others if team is not None and team[seat] == team[me]]
        whole = sum(near[seat] for seat in others if seat not in friends)
        return {seat: -0.7 if seat in friends else near[seat] / whole for seat in others}

    # ---- the hand

    def cost(self, held: int) -> float:
        """Return an estimate of the turns that a hand still takes."""
        return hand_cost(held, self.max_same)

    def remove_play(self, held: int, played: Combination) -> int:
        """Return what is left of a hand after a play."""
        for face in played.action.cards:
            held &= ~_lowest(held & FACE_MASKS[face])
        return held

    def discard_worst(self, held: int, cards: int) -> int:
        """Return what is left of a hand after up to `cards` discards, each the one that saves most; one card stays."""
        for _ in range(min(cards, held.bit_count() - 1)):
            rest = min((held ^ bit for bit in BITS if held & bit), key=self.cost)
            if self.cost(rest) >= self.cost(held):
                break
            held = rest
        return held

    def best_colour(self, held: int) -> Colour:
        """Return the colour of which a hand holds most (a number card among them breaks ties, then black)."""
        return max(COLOURS, key=lambda colour: (self._fit_worth(held & OF_COLOUR[colour]), colour == "K"))

    def best_number(self, held: int, colour: Colour | None) -> int:
        """Return the number of which a hand holds most in other colours, as those of the field's colour fit anyway."""
        others = held & ~OF_COLOUR[colour] if colour is not None else held
        return max(
            range(1, HIGHEST + 1),
            key=lambda n: ((others & OF_NUMBER[n]).bit_count(), (held & OF_NUMBER[n]).bit_count(), n),
        )

    def _fit_worth(self, cards: int) -> float:
        """Return the worth of cards that fit: their number, and 0.5 more if there is a number card."""
        return cards.bit_count() + (0.5 if cards & ALL_NUMBERS else 0)

    # ---- plays

    def play_worth(self, held: int, played: Combination, colour: Colour | None, depth: int = DEPTH) -> float:
        """Return what a play from a hand is worth; `colour` is the field's."""
        rest = self.remove_play(held, played)
        if not rest:
            return WON_WORTH
        if played.kind == "ADV":
            rest = self.discard_worst(rest, played.kind_count)
        top, after = self._top_after(played, rest, colour), self.effect_of(played)
        happens = self._harm(after)
        if not after.seats_before:
            return happens + self._next_turn_worth(rest, top, depth - 1)
        wait = len(after.seats_before)
        tempo = TEMPO * (1 - wait / max(1, self.seats - 1))  # the next turn comes sooner than after all other seats
        fit = FOLLOWING * self._fit_worth(rest & top.fits) / rest.bit_count() / wait  # if the field stays as it is
        return happens - self.cost(rest) + tempo + fit

    def _top_after(self, played: Combination, rest: int, colour: Colour | None) -> Top:
        """Return the field after a play, with what the bot would name."""
        if played.kind == "CV":
            return top_of("CV", self.book.wild_advantage, colour)
        if played.kind not in ("RES", "SIN", "TMO"):
            return played.top
        named = self.best_colour(rest)
        number = self.best_number(rest, named) if played.kind == "RES" else None
        return top_of(played.kind, self.book.wild_advantage, named, number)

    def _next_turn_worth(self, held: int, top: Top, depth: int) -> float:
        """Return the worth of an extra turn that follows at once: the best play, or else a drawn card."""
        least = TEMPO / 2 - self.cost(held) - DRAWN_CARD_COST
        plays = self.book.plays(held, top.fits) if depth else ()
        worths = [self.play_worth(held, self.book.combinations[play.cards], top.field.colour, depth) for play in plays]
        return max(least, max(worths, default=least))

    def attack_sum(self, played: Combination) -> int:
        """Return how many cards an attack comes to after a play; 0 if it is none."""
        if played.kind == "CV":
            return self.draw_due + CONVERSION_DRAWS
        if played.kind not in BASE_DRAWS:
            return 0
        return self.draw_due + BASE_DRAWS[played.kind] * played.kind_count + CONVERSION_DRAWS * played.has_conversion

    def effect_of(self, played: Combination) -> PlayEffect:
        """Return the effect of a play on the other seats, up to this seat's next turn."""
        order, others, times = self.order, self.order[1:], played.kind_count
        match played.kind:
            case "RAG":
                return PlayEffect((), draws=dict.fromkeys(others, 2 * times))
            case "SIN":
                rests = self.rests_due + RESTS_A_SIN_BIN * times
                return PlayEffect(self._seats_awake(others[1:]), rests={others[0]: rests})
            case "CUT":
                return PlayEffect(self._seats_from(1 + times))
            case "KICK":
                return PlayEffect(self._seats_from(1 + 2 * times))
            case "RET":
                return PlayEffect(self._seats_from(-times))
            case "TO" if times % 2:
                return PlayEffect(self._seats_awake(others[::-1]))
            case "LOOP":
                return PlayEffect(self._seats_awake(order[1 : times + 1]))
            case _:
                due = self.attack_sum(played)
                return PlayEffect(self._seats_awake(others), draws={others[0]: due} if due else {})

    def _seats_from(self, steps: int) -> list[int]:
        """Return the seats that play, from the one `steps` further on, before this seat's next turn."""
        at = steps % self.seats
        return self._seats_awake(self.order[at:]) if at else []

    def _seats_awake(self, seats: Sequence[int]) -> list[int]:
        return [seat for seat in seats if not self.sin[seat]]

    def _harm(self, after: PlayEffect) -> float:
        """Return the expected loss to opponents, minus the chance that the next players go out."""
        hits = ANSWERED if after.seats_before else 1.0
        harm = sum(hits * DRAWN_CARD_COST * cards * self.weight[seat] for seat, cards in after.draws.items())
        harm += sum(TEMPO * rests * self.weight[seat] for seat, rests in after.rests.items())
        return harm - self._expected_loss(after.seats_before, after.draws)

    def _expected_loss(self, before: Sequence[int], draws: Mapping[int, int]) -> float:
        """Return the expected cost of others going out in this order.

        Later seats count less, since earlier ones may stop them.
        """
        return sum(FEAR_DECAY**place * self.danger(seat, draws.get(seat, 0)) for place, seat in enumerate(before))

    def danger(self, seat: int, more: int = 0) -> float:
        """Return the expected cost of another seat's turn, after it draws `more` cards; negative for a partner."""
        chance = GOING_OUT_CHANCES.get(self.counts[seat] + more, 0.0)
        return LOST * chance * (1 if self.weight[seat] > 0 else -1)

    def others_turn_worth(self) -> float:
        """Return minus the expected cost of the other seats' next turns."""
        return -self._expected_loss(self._seats_awake(self.order[1:]), {})
