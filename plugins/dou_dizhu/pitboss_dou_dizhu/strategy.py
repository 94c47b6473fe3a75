"""How good a hand of Dou Dizhu is: in how few combinations it can be laid, and how many of these are likely to hold.

A hand is a set of ranks, as `pitboss.parts.climbing` has it. What counts is its *need*: each combination that has to be
laid counts one, less what it is worth as one that nobody beats.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from pitboss.parts.climbing import RANK_BITS, RANK_MASK, ClimbingCombination, find_runs, ranks_by_count
from pitboss_dou_dizhu.combinations import BOTH_JOKERS, CHAINED, COPIES, KIND_BY_NAME, UNITS

LEAD_WORTH: Final = 0.9  # of a combination that nobody beats: it lets one lead another
BOMB_WORTH: Final = 1.0  # more, for what it beats
SOLO_HOLDS: Final = (0, 0, 0, 0, 0, 0, 0, 0.03, 0.06, 0.1, 0.2, 0.4, 0.7, 0.9, 1.0)  # by rank
PAIR_HOLDS: Final = (0, 0, 0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.55, 0.75, 0.95, 0.97, 1.0)  # jokers too
TRIO_HOLDS: Final = tuple(0.25 + 0.06 * rank for rank in range(13))
CHAIN_HOLDS: Final = {1: (0.2, 0.06), 2: (0.5, 0.04), 3: (0.7, 0.025)}  # by copies: of a low one, and more by its rank

# What a landlord wins on average, by what it was dealt; found from 2500 deals that `house:dou-dizhu` played.
LANDLORD_WORTH: Final = -0.48
NEED_WORTH: Final = -0.11
ACE_WORTH: Final = 0.11
TWO_WORTH: Final = 0.18
BLACK_WORTH, RED_WORTH = 0.55, 0.64
BOMB_CHANCE: Final = 0.21

SOLO_NEEDS: Final = tuple(1 - LEAD_WORTH * held for held in SOLO_HOLDS)
PAIR_NEEDS: Final = tuple(1 - LEAD_WORTH * held for held in PAIR_HOLDS)
TRIO_NEEDS: Final = tuple(1 - LEAD_WORTH * held for held in TRIO_HOLDS)
BOMB_NEED: Final = 1 - LEAD_WORTH - BOMB_WORTH
CHAIN_KINDS: Final = tuple(KIND_BY_NAME[name] for name in ("trio chain", "pair chain", "chain"))


def landlord_worth(cards: int, packs: int = 1) -> float:
    """Return what a landlord who was dealt this hand wins on average, before it takes the bottom.

    It is a share of what it wins if it wins and nothing doubles the stake; with two packs it is a rough guess.
    """
    counts = [cards // unit & RANK_MASK for unit in UNITS]
    *_, king, ace, two, black, red = (count / packs for count in counts)
    bombs = sum(count >= COPIES for count in counts) / packs + has_rocket(cards, packs)
    high = ACE_WORTH * (ace + king / 2) + TWO_WORTH * two + BLACK_WORTH * black + RED_WORTH * red
    return LANDLORD_WORTH + NEED_WORTH * need_of(cards, packs=packs) + high + BOMB_CHANCE * bombs


def has_rocket(cards: int, packs: int) -> bool:
    """Return whether a hand has all jokers."""
    return cards & BOTH_JOKERS * packs == BOTH_JOKERS * packs


@lru_cache(1 << 12)  # more saves no time, and 20 MiB in a long tournament
def need_of(cards: int, kickers: int = 0, packs: int = 1) -> float:
    """Return the least need of a hand.

    `kickers`: how many of its single cards or pairs go with trios that are chosen already. With two
    packs pairs alone go with trios.
    """
    least = _need_without_chains(cards, kickers, packs)
    for copies, run, length in _find_chains(cards):
        held = chain_holds(copies, (run.bit_length() - 1) // RANK_BITS)
        rest = need_of(cards - copies * run, kickers + (length if copies == 3 else 0), packs)
        least = min(least, 1 - LEAD_WORTH * held + rest)
    return least


def _find_chains(cards: int) -> Iterator[tuple[int, int, int]]:
    """Yield the chains of a hand: the copies, the ranks and how many these are."""
    by_count = ranks_by_count(cards)
    for kind in CHAIN_KINDS:
        ranks = by_count[kind.copies - 1] & CHAINED
        for length in range(kind.shortest, kind.longest + 1):
            runs = find_runs(ranks, length)
            if not runs:
                break
            for run in runs:
                yield kind.copies, run, length


def _need_without_chains(cards: int, kickers: int, packs: int) -> float:
    """Return the need of a hand of bombs, trios, pairs and single cards; what is needed most goes with the trios."""
    one, two, three, four, *_ = ranks_by_count(cards)
    total = 0.0
    if has_rocket(cards, packs):
        total += BOMB_NEED
        one, two = one & ~BOTH_JOKERS, two & ~BOTH_JOKERS
    total += four.bit_count() * BOMB_NEED
    for unit in find_runs(three & ~four):
        total += TRIO_NEEDS[(unit.bit_length() - 1) // RANK_BITS]
        kickers += 1
    solos = [SOLO_NEEDS[(unit.bit_length() - 1) // RANK_BITS] for unit in find_runs(one & ~two)]
    needs = [PAIR_NEEDS[(unit.bit_length() - 1) // RANK_BITS] for unit in find_runs(two & ~three)]
    if packs == 1:
        needs = solos + needs
    else:
        total += sum(solos)
    if kickers:
        needs.sort()
        free = max(0, len(needs) - kickers)
        needs[free:] = [need for need in needs[free:] if need < 0]
    return total + sum(needs)


def hold_chance(combination: ClimbingCombination) -> float:
    """Return how likely it is that nobody beats a combination, judged by its rank alone."""
    kind, rank = combination.kind, combination.rank
    if combination.power:
        return 1.0
    match kind:
        case "solo":
            return SOLO_HOLDS[rank]
        case "pair":
            return PAIR_HOLDS[rank]
        case "chain":
            return chain_holds(1, rank)
        case "pair chain":
            return chain_holds(2, rank)
    return chain_holds(3, rank) if kind.startswith("trio chain") else TRIO_HOLDS[rank]


def chain_holds(copies: int, rank: int) -> float:
    """Return how likely it is that nobody beats a chain up to a rank."""
    base, more = CHAIN_HOLDS[copies]
    return min(1.0, base + more * rank)
