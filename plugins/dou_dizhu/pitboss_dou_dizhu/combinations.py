"""The combinations of Dou Dizhu: which there are, which of them a hand holds, and what cards are read as.

Section 3 of the rule book. A set of cards is a number, as `pitboss.parts.climbing` has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from pitboss import Deck
from pitboss.parts.climbing import RANK_BITS, RANK_MASK, ClimbingCombination, find_runs, ranks_by_count
from pitboss_dou_dizhu.messages import RANK_NUMBERS, RANKS, Play

COPIES: Final = 4  # of a rank, in one pack
PLAIN_RANKS: Final = len(RANKS) - 2  # without the jokers


def make_deck(packs: int) -> Deck:
    """L1: return the cards of a number of packs."""
    copies = [COPIES] * PLAIN_RANKS + [1] * (len(RANKS) - PLAIN_RANKS)
    return Deck(rank for rank, count in zip(RANKS, copies, strict=True) for _ in range(packs * count))


DECK: Final = make_deck(1)
TWO_PACKS: Final = make_deck(2)
UNITS: Final = tuple(1 << RANK_BITS * number for number in range(len(RANKS)))  # a card of each rank
BOTH_JOKERS: Final = UNITS[-2] + UNITS[-1]  # one of each
CHAINED: Final = sum(UNITS[: RANK_NUMBERS["A"] + 1])  # D3: ranks that chains can have
ROCKET_POWER: Final = 6  # more than a bomb of eight cards has


class Kind(NamedTuple):
    """A kind of combination: its core is some cards of a rank, or of several ranks in a row, and may have kickers."""

    name: str
    copies: int  # of each rank of the core
    shortest: int = 1  # ranks of the core
    longest: int = 1
    kicker: int = 0  # cards of a kicker: one, or a pair
    kickers: int = 1  # for each rank of the core

    @property
    def unit(self) -> int:
        """How many cards there are for each rank of the core."""
        return self.copies + self.kicker * self.kickers

    @property
    def power(self) -> int:
        """What a bomb beats: what has less; a bomb of more cards has more."""
        return self.copies - COPIES + 1 if self.name == "bomb" else 0


KINDS: Final = (
    Kind("solo", 1),
    Kind("pair", 2),
    Kind("trio", 3),
    Kind("trio with solo", 3, kicker=1),
    Kind("trio with pair", 3, kicker=2),
    Kind("chain", 1, 5, 12),
    Kind("pair chain", 2, 3, 10),
    Kind("trio chain", 3, 2, 6),
    Kind("trio chain with solos", 3, 2, 5, kicker=1),
    Kind("trio chain with pairs", 3, 2, 4, kicker=2),
    Kind("quad with solos", 4, kicker=1, kickers=2),
    Kind("quad with pairs", 4, kicker=2, kickers=2),
    Kind("bomb", COPIES),
)
KIND_BY_NAME: Final = {kind.name: kind for kind in KINDS}
KINDS_WITHOUT_QUADS: Final = tuple(kind for kind in KINDS if not kind.name.startswith("quad"))
BOMBS: Final = tuple(Kind("bomb", copies) for copies in range(COPIES, 2 * COPIES + 1))
KINDS_OF_TWO_PACKS: Final = (
    Kind("solo", 1),
    Kind("pair", 2),
    Kind("trio", 3),
    Kind("trio with pair", 3, kicker=2),
    Kind("chain", 1, 5, 12),
    Kind("pair chain", 2, 3, 12),
    Kind("trio chain", 3, 2, 11),
    Kind("trio chain with pairs", 3, 2, 6, kicker=2),
    *BOMBS,
)  # L13


class Rules(NamedTuple):
    """What the options say about combinations."""

    are_alike: bool = False  # D4: kickers that are single cards may be of one rank
    has_quads: bool = True  # D5
    packs: int = 1

    def kinds(self) -> Iterable[Kind]:
        """Return the kinds that can be laid."""
        if self.packs == 2:
            return KINDS_OF_TWO_PACKS
        return KINDS if self.has_quads else KINDS_WITHOUT_QUADS

    @property
    def rocket(self) -> int:
        """All jokers."""
        return BOTH_JOKERS * self.packs


def code_cards(cards: Iterable[int], deck: Deck = DECK) -> int:
    """Return cards of a deck as a set of ranks."""
    return sum(map(units_of(deck).__getitem__, cards))


@lru_cache
def units_of(deck: Deck) -> tuple[int, ...]:
    """Return each card of a deck as a set of ranks."""
    return tuple(UNITS[RANK_NUMBERS[str(face)]] for face in deck.faces)


def code_faces(faces: Iterable[str]) -> int:
    """Return printed cards as a set of ranks.

    Raises:
        KeyError: there is no such card.
    """
    return sum(UNITS[RANK_NUMBERS[face]] for face in faces)


@lru_cache(1 << 15)
def play_of(cards: int) -> Play:
    """Return the play of a set of cards: made once, and shared by all legal lists."""
    return Play(tuple(rank for rank, unit in zip(RANKS, UNITS, strict=True) for _ in range(cards // unit & RANK_MASK)))


@lru_cache(1 << 15)
def read_play(cards: int, rules: Rules) -> tuple[ClimbingCombination, ...]:
    """Return what a set of cards can be read as; () if it is no combination. The first is what it is when it leads."""
    if cards == rules.rocket:
        return (ClimbingCombination("rocket", 2 * rules.packs, len(RANKS), ROCKET_POWER),)
    size, by_count = sum(cards // unit & RANK_MASK for unit in UNITS), ranks_by_count(cards)
    found = []
    for kind in rules.kinds():
        length, rest = divmod(size, kind.unit)
        if not rest and kind.shortest <= length <= kind.longest:
            runs = [
                run for run in find_runs(_core_ranks(by_count, kind), length) if _is_complete(cards, kind, run, rules)
            ]
            if runs:
                rank = (runs[-1].bit_length() - 1) // RANK_BITS
                found.append(ClimbingCombination(kind.name, size, rank, kind.power))
    return tuple(found)


def list_leads(held: int, rules: Rules) -> list[Play]:
    """Return all that a hand can lead."""
    found: list[int] = []
    by_count = ranks_by_count(held)
    for kind in rules.kinds():
        ranks = _core_ranks(by_count, kind)
        length, runs = kind.shortest, find_runs(ranks, kind.shortest) if ranks else ()
        while runs:
            found += complete_cores(held, kind, runs, rules)
            length += 1
            runs = find_runs(ranks, length) if length <= kind.longest else ()
    if held & rules.rocket == rules.rocket:
        found.append(rules.rocket)
    return [*map(play_of, dict.fromkeys(found))]


def list_beating(held: int, top: ClimbingCombination, rules: Rules) -> list[Play]:
    """Return all of a hand that beats a combination."""
    if top.power == ROCKET_POWER:
        return []
    found: list[int] = []
    by_count = ranks_by_count(held)
    kind, lowest = BOMBS[top.size - COPIES] if top.power else KIND_BY_NAME[top.kind], UNITS[top.rank] << 1
    ranks = _core_ranks(by_count, kind)
    if ranks >= lowest:
        runs = [run for run in find_runs(ranks, top.size // kind.unit) if run >= lowest]
        found = complete_cores(held, kind, runs, rules)
    for bomb in BOMBS[top.power :]:
        if not by_count[bomb.copies - 1]:
            break
        found += complete_cores(held, bomb, find_runs(by_count[bomb.copies - 1]), rules)
    if held & rules.rocket == rules.rocket:
        found.append(rules.rocket)
    return [*map(play_of, dict.fromkeys(found) if kind.kicker else found)]


def count_higher_cores(held: int, top: ClimbingCombination) -> int:
    """Return how many higher cores of the same kind and size a hand has than a combination, bombs excluded."""
    kind, lowest = KIND_BY_NAME[top.kind], UNITS[top.rank] << 1
    return sum(run >= lowest for run in find_runs(_core_ranks(ranks_by_count(held), kind), top.size // kind.unit))


def complete_cores(held: int, kind: Kind, runs: Sequence[int], rules: Rules) -> list[int]:
    """Return the combinations with some cores, of one length, that a hand holds; one of two readings comes twice."""
    copies = kind.copies
    if not kind.kicker:
        return [copies * run for run in runs]
    return [copies * run + kickers for run in runs for kickers in list_kickers(held, kind, run, rules)]


def list_kickers(held: int, kind: Kind, run: int, rules: Rules) -> Sequence[int]:
    """D4: return the sets of kickers that a hand has for a core: none of its ranks."""
    one, two, three, *_ = ranks_by_count(held & ~(RANK_MASK * run))
    count = kind.kickers * run.bit_count()
    if kind.kicker == 2:
        return _choose_kickers(two, 0, 0, count, 2)
    return _choose_kickers(one, two, three, count) if rules.are_alike else _choose_kickers(one, 0, 0, count)


def _core_ranks(by_count: Sequence[int], kind: Kind) -> int:
    """Return the ranks for cores of a kind, of those of which a hand has at least one, two, three and four cards."""
    ranks = by_count[kind.copies - 1]
    return ranks if kind.longest == 1 else ranks & CHAINED


def _is_complete(cards: int, kind: Kind, run: int, rules: Rules) -> bool:
    """Return whether cards are a core of a kind and its kickers."""
    rest = cards - kind.copies * run
    return rest in list_kickers(cards, kind, run, rules) if kind.kicker else not rest


@lru_cache(1 << 12)
def _choose_kickers(one: int, two: int, three: int, count: int, worth: int = 1) -> tuple[int, ...]:
    """D4: choose kickers of some ranks, up to three alike, and not both kinds of jokers."""
    if count == 1:
        return tuple(worth * unit for unit in find_runs(one))
    units = [unit for ranks in (one, two, three) for unit in find_runs(ranks)]
    chosen = {*map(sum, combinations(units, count))}
    return tuple(worth * some for some in sorted(chosen) if some & BOTH_JOKERS != BOTH_JOKERS)
