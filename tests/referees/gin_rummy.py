"""A second referee for matches of Gin Rummy, from the text of `plugins/gin_rummy/RULES.md`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, Final, TypeAlias

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.testing import stack_deal
from pitboss_gin_rummy.game import GinRummy
from tests.referees.agreement import (
    Choice,
    FinalRuling,
    ReadDeal,
    Referee,
    Ruling,
    compare_ends,
    draw_options,
    is_pack,
    name_choice,
    rank_totals,
)

RANKS: Final = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS: Final = "SHDC"
OF_RANK: Final = [[suit + rank for suit in SUITS] for rank in RANKS]
OF_SUIT: Final = [[suit + rank for rank in RANKS] for suit in SUITS]
Cards: TypeAlias = frozenset[str]
Family: TypeAlias = tuple[Cards, ...]  # melds that have no card in common
RARE_DEALS: Final = (  # of seats 0 and 1, and the card turned up: melds in two ways, big gin, undercuts, gin alone
    "S4 S5 S6 S7 S8 H8 D8 C8 HA C2 / S9 S10 DA D3 D5 H3 H5 HJ CQ C10 / HK",
    "SA S2 S3 S4 S5 S6 S7 S8 S9 S10 / HA H2 H3 D4 D5 D6 C7 C8 C9 C4 / SJ",
    "S3 S4 S5 S6 S7 H3 D3 C3 HA C2 / S2 SA DA D4 D6 H4 H6 HJ CQ C10 / HK",
    "SA S2 S3 H4 H5 H6 C7 C8 D2 D3 / HA H2 H3 D4 D5 D6 CJ CQ CK DA / C9",
    "SA S2 S3 S4 C6 C7 C8 HA D3 SK / H2 H3 H4 D5 D6 D7 CJ CQ CK C4 / C9",
    "SA S2 S3 S4 S5 S6 S7 S8 S9 HK / H2 H3 H4 D5 D6 D7 CJ CQ CK SJ / S10",
    "S2 S3 S4 H4 H5 H6 C7 C8 C9 DA / HA H2 H3 D5 D6 D7 CJ CQ CK C4 / CA",
    "S2 H2 D2 SA S3 C5 C6 C7 C8 C9 / HA H3 H5 D7 D9 DJ DK SQ SK C2 / HK",
)
PASS, DRAW, TAKE, BIG_GIN = ("pass",), ("draw",), ("take",), ("big_gin",)


def judge_gin_rummy(seats: int, options: Mapping[str, Any], read_deal: ReadDeal) -> Referee:
    """Judge a match: sections 1 to 4 of the rule book. A deal has `hands`, `up_card`, and `stock` from the top."""
    sheet = GinRefereeSheet(seats, options)
    first, second, waiting = 0, 1, list(range(2, seats))
    for _ in range(options["deals"]):
        dealt = read_deal()
        result = yield from judge_deal((first, second), dealt, options, sheet)
        if result is not None:
            winner, points = result
            sheet.write(winner, points * (2 if options["spades_double"] and dealt["up_card"][0] == "S" else 1))
        if sheet.is_over():
            break
        loser = None if result is None else first + second - result[0]
        if seats == 2:
            dealer = second
            if options["next_dealer"] == "turns":
                dealer = first
            elif loser is not None:
                dealer = loser if options["next_dealer"] == "loser" else 1 - loser
            first, second = 1 - dealer, dealer
        elif loser is not None:
            pair = {first + second - loser, waiting.pop(0)}
            waiting.append(loser)
            first, second = sorted(pair, key=lambda seat: (seat - loser) % seats)
    totals = sheet.totals()
    return FinalRuling(totals, [float(total) for total in totals], rank_totals(totals))


def judge_deal(
    players: tuple[int, int], dealt: Mapping[str, Any], options: Mapping[str, Any], sheet: GinRefereeSheet
) -> Any:  # noqa: ANN401 - a part of a referee, which returns the winner and the points, or None
    """Judge a deal: sections 2 to 4."""
    hands = {seat: {*dealt["hands"][seat]} for seat in players}
    stock, pile, limit = [*dealt["stock"]], [dealt["up_card"]], find_limit(dealt["up_card"], options)
    assert is_pack([*hands[players[0]], *hands[players[1]], *stock, *pile]) and len(stock) == 31
    totals, seat, takes = sheet.totals(), players[0], 0
    taken: str | None = None
    for asked in players:
        choice = yield Ruling(asked, {PASS, TAKE}, totals)
        if choice == TAKE:
            seat, taken = asked, pile.pop()
            break
    else:
        yield Ruling(seat, {DRAW}, totals)
    while True:
        if taken is None:
            hands[seat].add(stock.pop(0))
        else:
            hands[seat].add(taken)
        must_knock = taken is not None and len(stock) == 2
        choice = yield Ruling(seat, list_discards(hands[seat], taken, limit, options, must_knock), totals)
        other = sum(players) - seat
        if choice == BIG_GIN:
            return seat, count_loose(hands[other]) + options["big_gin_bonus"]
        what, card = choice
        hands[seat].remove(card)
        pile.append(card)
        if what == "knock":
            return (yield from judge_knock(seat, other, hands, options, totals))
        seat, taken = other, None
        if len(stock) == 2:
            if not options["last_discard"]:
                return None
            with_it = list_discards(hands[seat] | {pile[-1]}, pile[-1], limit, options, must_knock=True)
            choice = yield Ruling(seat, {PASS, TAKE} if with_it else {PASS}, totals)
            if choice == PASS:
                return None
            taken = pile.pop()
        else:
            choice = yield Ruling(seat, {DRAW, TAKE} if takes < 50 else {DRAW}, totals)
            if choice == TAKE:
                taken, takes = pile.pop(), takes + 1


def list_discards(
    hand: set[str], taken: str | None, limit: int, options: Mapping[str, Any], must_knock: bool
) -> set[Choice]:
    """G5, G7 to G9: return what may be done with eleven cards."""
    free = hand - {taken}
    choices: set[Choice] = {("knock", card) for card in free if count_loose(hand - {card}) <= limit}
    if options["big_gin_bonus"] and count_loose(hand) == 0:
        choices.add(BIG_GIN)
    return choices if must_knock else choices | {("discard", card) for card in free}


def judge_knock(
    seat: int, other: int, hands: Mapping[int, set[str]], options: Mapping[str, Any], totals: list[int]
) -> Any:  # noqa: ANN401 - a part of a referee
    """Judge a knock: G10 to G15."""
    loose = count_loose(hands[seat])
    if loose == 0:
        return seat, count_loose(hands[other]) + options["gin_bonus"]
    ways = list_arrangements(frozenset(hands[seat]))
    shown = next(iter(ways))
    if len(ways) > 1:
        named: dict[Choice, Family] = {("arrange", frozenset(map(sort_cards, way))): tuple(way) for way in ways}
        choice = yield Ruling(seat, {*named}, totals)
        shown = frozenset(named[choice])
    left = count_after_layoffs(hands[other], shown)
    if loose < left:
        return seat, left - loose
    return other, loose - left + options["undercut_bonus"]


def find_limit(up_card: str, options: Mapping[str, Any]) -> int:
    """G7: return what a knocker may have loose."""
    if options["oklahoma"] == "no":
        return int(options["knock"])
    return 0 if options["oklahoma"] == "gin" and up_card[1:] == "A" else worth(up_card)


class GinRefereeSheet:
    """The games that are played at once, as they are written down: G16 to G18."""

    def __init__(self, seats: int, options: Mapping[str, Any]) -> None:
        self.options, self.seats = options, seats
        self.games: list[list[tuple[int, int]]] = [[] for _ in range(3 if options["hollywood"] else 1)]  # lines

    def points(self, game: Sequence[tuple[int, int]], seat: int) -> int:
        """Return the points of a seat in a game without bonuses."""
        return sum(points for winner, points in game if winner == seat)

    def find_winner(self, game: Sequence[tuple[int, int]]) -> int | None:
        """G17: return who has won a game, if somebody has."""
        won = [seat for seat in range(self.seats) if self.points(game, seat) >= self.options["target"]]
        return won[0] if won else None

    def write(self, winner: int, points: int) -> None:
        """G16, D5: write a line in each open game that the winner has begun, and in the first that it has not."""
        is_begun = True
        for game in [game for game in self.games if self.find_winner(game) is None]:
            if not is_begun:
                break
            is_begun = any(seat == winner for seat, _ in game)
            game.append((winner, points))

    def is_over(self) -> bool:
        """G17: return whether all games are won."""
        return all(self.find_winner(game) is not None for game in self.games)

    def totals(self) -> list[int]:
        """G18: return the points of all games with their bonuses."""
        totals = [0] * self.seats
        for game in self.games:
            for seat, points in game:
                totals[seat] += points + self.options["line_bonus"]
            winner = self.find_winner(game)
            if winner is not None:
                is_alone = all(seat == winner for seat, _ in game)
                totals[winner] += self.options["game_bonus"] * (2 if is_alone else 1)
        return totals


@cache
def worth(card: str) -> int:
    """G6: return what a loose card counts."""
    return min(10, RANKS.index(card[1:]) + 1)


def sort_cards(cards: Cards) -> tuple[str, ...]:
    """Return cards by suit and rank."""
    return tuple(sorted(cards, key=lambda card: (SUITS.index(card[0]), RANKS.index(card[1:]))))


def iter_melds(cards: Cards) -> Iterator[Cards]:
    """G6: yield all melds of some cards."""
    for of_rank in OF_RANK:
        held = [card for card in of_rank if card in cards]
        for size in range(3, len(held) + 1):
            yield from map(frozenset, combinations(held, size))
    for of_suit in OF_SUIT:
        for low in range(len(RANKS)):
            high = low
            while high < len(RANKS) and of_suit[high] in cards:
                high += 1
                if high - low >= 3:
                    yield frozenset(of_suit[low:high])


@lru_cache(1 << 14)
def list_families(cards: Cards) -> tuple[Family, ...]:
    """Return all choices of melds without a common card, the choice of none too."""
    return tuple(iter_families(tuple(iter_melds(cards)), frozenset()))


def iter_families(melds: Family, used: Cards) -> Iterator[Family]:
    """Yield all choices of melds that use no card in `used`."""
    yield ()
    for number, meld in enumerate(melds):
        if not meld & used:
            for rest in iter_families(melds[number + 1 :], used | meld):
                yield (meld, *rest)


def count_rest(cards: Cards, melds: Family) -> int:
    """Return what counts as loose beside melds."""
    return sum(map(worth, cards.difference(*melds)))


def count_loose(hand: set[str]) -> int:
    """Return the least that can be loose in a hand."""
    return find_least(frozenset(hand))


@lru_cache(1 << 14)
def find_least(cards: Cards) -> int:
    """Return the least that is loose of some cards."""
    return min(count_rest(cards, melds) for melds in list_families(cards))


def list_arrangements(cards: Cards) -> set[frozenset[Cards]]:
    """G10: return the choices of melds that leave least loose, in which no two sequences join."""
    families = list_families(cards)
    least = min(count_rest(cards, melds) for melds in families)
    return {
        frozenset(melds)
        for melds in families
        if count_rest(cards, melds) == least and not any(is_run(one | two) for one, two in combinations(melds, 2))
    }


def is_run(cards: Cards) -> bool:
    """Return whether cards are in sequence of a suit."""
    ranks = sorted(RANKS.index(card[1:]) for card in cards)
    return len({card[0] for card in cards}) == 1 and ranks == [*range(ranks[0], ranks[0] + len(ranks))]


def count_after_layoffs(hand: set[str], shown: frozenset[Cards]) -> int:
    """G11: return the least that is loose in a hand, of which cards are laid off on melds that are shown."""
    cards = frozenset(hand)
    return min(count_after_adding(cards.difference(*melds), shown) for melds in list_families(cards))


def count_after_adding(loose: Cards, shown: frozenset[Cards]) -> int:
    """Return what is loose when every card that fits a meld is added to one: to a sequence, where it fits two.

    A set takes one card and no more; a sequence with the card may take the next one.
    """
    runs, rest = [meld for meld in shown if is_run(meld)], {*loose}
    is_growing = True
    while is_growing:
        is_growing = False
        for number, run in enumerate(runs):
            for card in [card for card in rest if is_run(run | {card})]:
                if is_run(runs[number] | {card}):
                    runs[number] |= {card}
                    rest.remove(card)
                    is_growing = True
    ranks = {min(meld)[1:] for meld in shown if not is_run(meld)}
    return sum(worth(card) for card in rest if card[1:] not in ranks)


def choose_mostly_well(hand: set[str], top: str, choices: Sequence[Choice], patience: int, rng: Random) -> Choice:
    """Return a choice with which deals come to a knock, `patience` of ten times later; random ones hardly ever do."""
    knocks = [choice for choice in choices if choice[0] in ("knock", "big_gin")]
    discards = [choice for choice in choices if choice[0] == "discard"]
    if knocks and (not discards or rng.randbelow(10) >= patience):
        return rng.choice(knocks)
    if rng.randbelow(6) == 0:
        return rng.choice(discards or choices)
    if discards:
        return min(discards, key=lambda choice: count_loose(hand - {str(choice[1])}))
    if TAKE in choices:
        with_top = hand | {top}
        is_better = min(count_loose(with_top - {card}) for card in hand) < count_loose(hand)
        return TAKE if is_better or count_loose(with_top) == 0 else choices[0]
    return rng.choice(choices)


def compare(seed: int) -> int:
    """Play a match of random options; return the number of decisions on which plugin and referee agree.

    In every second match the first deal is one that comes to what is rare; in every fourth one nobody knocks before the
    last discard.

    Raises:
        AssertionError: they differ.
    """
    rng, game = Random(f"referee/gin-rummy/{seed}"), GinRummy()
    seats = rng.choice(game.seats)
    options = draw_options(game, seats, rng) | {"deals": 1 + rng.randbelow(8), "target": 1 + rng.randbelow(120)}
    first, second, up_card = RARE_DEALS[seed // 2 % len(RARE_DEALS)].split(" / ")
    if seed % 2:
        options |= {
            "knock": 10 if up_card[1] == "A" else 9,
            "oklahoma": "gin" if up_card[1] == "A" else "no",
            "spades_double": False,
        }
    patience = 3
    if seed % 4 == 2:
        options, patience = options | {"last_discard": True}, 10
    resolved = resolve_options(game, seats, None, options)
    state: Any
    if seed % 2:
        dealt = {"hand 0": first, "hand 1": second, "discards": up_card}
        state = stack_deal(game, seats, dealt, options=resolved, seed=str(seed))
    else:
        state = game.deal(seats, resolved, rng.spawn("deal"))

    def read_deal() -> Mapping[str, Any]:
        hands = [state.faces(hand) for hand in state.hands]
        return {"hands": hands, "up_card": state.faces(state.discards)[0], "stock": state.faces(state.stock)[::-1]}

    referee, compared = judge_gin_rummy(seats, options, read_deal), 0
    said = next(referee)
    while True:
        actions = {name_choice(action): action for action in state.legal()}
        found = Ruling(state.turn.seat if state.turn else -1, {*actions}, list(state.totals))
        assert len(actions) == len(state.legal()), f"decision {compared}: some of {state.legal()} are one choice"
        assert found == said, f"decision {compared}: the plugin says {found}, the referee {said}"
        hand, pile = {*state.faces(state.hands[found.seat])}, state.faces(state.discards)
        choice = choose_mostly_well(hand, pile[-1] if pile else "", [*actions], patience, rng)
        state.play(actions[choice])
        compared += 1
        try:
            said = referee.send(choice)
        except StopIteration as end:
            compare_ends(state, end.value)
            return compared
