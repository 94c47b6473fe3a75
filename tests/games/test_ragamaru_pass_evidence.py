"""Evidence from a free pass (D9), compared with every possible deal of small tables.

It is forgotten once a card leaves the hand: see the rule book.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import pytest

from pitboss import Random
from pitboss.table.events import LogEntry
from pitboss_ragamaru.messages import Action, Field, Pass, Play
from pitboss_ragamaru.rules import DRAW, PASS
from pitboss_ragamaru.state import RagamaruState
from tests.games.ragamaru_reference import list_plays
from tests.games.ragamaru_states import hand_cards, set_up_game
from tests.marks import first_rows

pytestmark = pytest.mark.once

FACES: Final = (
    "R1",
    "R2",
    "R3",
    "Y1",
    "Y2",
    "Y3",
    "B1",
    "B2",
    "B3",
    "K1",
    "R-ADV",
    "Y-ADV",
    "B-RET",
    "R-PG",
    "SIN",
    "RAG",
)
SAMPLED_WORLDS: Final = 20  # at each decision looked at
Hands = tuple[frozenset[str], ...]


class HiddenDeal(NamedTuple):
    """A way in which the cards may lie: what each seat holds, the last card drawn.

    All other hidden cards are the stock. `refuted` has the seats of whose passes one, since a card last left the hand,
    was not allowed in this deal.
    """

    hands: Hands
    drawn: str | None = None
    refuted: frozenset[int] = frozenset()


class WorldTracker:
    """The hidden deals that are possible for a seat, or the spectator, by what is seen and by the rules."""

    def __init__(self, state: RagamaruState, seat: int) -> None:
        self.seat = seat
        self.seats = state.board.seats
        self.hidden = frozenset(face for owner in range(self.seats) for face in hand_cards(state, owner)) | _stock(
            state
        )
        counts = [len(hand_cards(state, owner)) for owner in range(self.seats)]
        known = {seat: frozenset(hand_cards(state, seat))} if seat < self.seats else {}
        self.worlds = {HiddenDeal(hands) for hands in _enumerate_hands(self.hidden, counts, known)}

    def update(self, entry: LogEntry, faces: list[str], had_to_play_drawn: bool) -> None:
        """Follow one entry of the log: cards that are drawn, that leave a hand, or that are shuffled."""
        if entry.event == "draw" and entry.target is not None:
            self.worlds = set(self._worlds_after_draw(entry.target.owner or 0, faces[0]))
        elif entry.event in ("play", "discard") and entry.source is not None:
            self.worlds = set(self._worlds_after_play(entry.source.owner or 0, frozenset(faces), had_to_play_drawn))
            self.hidden -= frozenset(faces)
        elif entry.event == "reshuffle":
            self.hidden |= frozenset(faces)

    def update_on_pass(self, owner: int, field: Field) -> None:
        """D9: who passes at once has a play."""
        self.worlds = {
            way if list_plays([*way.hands[owner]], field) else way._replace(refuted=way.refuted | {owner})
            for way in self.worlds
        }

    def _worlds_after_draw(self, owner: int, face: str) -> Iterator[HiddenDeal]:
        for hands, _, refuted in self.worlds:
            stock = self.hidden.difference(*hands)
            for card in stock & {face} if owner == self.seat else stock:
                yield HiddenDeal(_replace_hand(hands, owner, hands[owner] | {card}), card, refuted)

    def _worlds_after_play(self, owner: int, faces: frozenset[str], had_to_play_drawn: bool) -> Iterator[HiddenDeal]:
        for hands, drawn, refuted in self.worlds:
            if faces <= hands[owner] and (drawn in faces or not had_to_play_drawn):
                yield HiddenDeal(_replace_hand(hands, owner, hands[owner] - faces), refuted=refuted - {owner})

    @property
    def possible_hands(self) -> set[Hands]:
        """All hands that are possible."""
        return {way.hands for way in self.worlds if not way.refuted}


def _replace_hand(hands: Hands, owner: int, cards: frozenset[str]) -> Hands:
    return (*hands[:owner], cards, *hands[owner + 1 :])


def _enumerate_hands(cards: frozenset[str], counts: list[int], known: dict[int, frozenset[str]]) -> Iterator[Hands]:
    """Yield all hands of so many cards."""
    ways: list[Hands] = [()]
    for owner, count in enumerate(counts):
        free = [cards.difference(*hands, *known.values()) for hands in ways]
        some = [[known[owner]] if owner in known else _subsets(sorted(rest), count) for rest in free]
        ways = [(*hands, held) for hands, each in zip(ways, some, strict=True) for held in each]
    yield from ways


def _subsets(cards: list[str], count: int) -> list[frozenset[str]]:
    if count == 0:
        return [frozenset()]
    return [rest | {card} for at, card in enumerate(cards) for rest in _subsets(cards[at + 1 :], count - 1)]


def _stock(state: RagamaruState) -> frozenset[str]:
    return frozenset(map(str, state.table.faces(state.board.stock)))


def all_hands(state: RagamaruState) -> Hands:
    """Return what everybody holds."""
    return tuple(frozenset(hand_cards(state, owner)) for owner in range(state.board.seats))


def play_and_observe(state: RagamaruState, action: Action, watchers: Iterable[WorldTracker]) -> None:
    """Play, and let the watchers see what there is to see."""
    turn, field, logged = state.turn, state.top.field, len(state.table.log or ())
    assert turn is not None
    is_told = isinstance(action, Pass) and turn.phase == "play" and state.can_draw()
    has_to = state.options.after_draw == "drawn" and turn.phase == "drawn"
    state.play(action)
    for watcher in watchers:
        if is_told:
            watcher.update_on_pass(turn.seat, field)
        for entry in (state.table.log or [])[logged:]:
            watcher.update(entry, [state.book.faces[card] for card in entry.cards], has_to)


def check_worlds(state: RagamaruState, watcher: WorldTracker, rng: Random) -> None:
    """Check that every imagined world is possible by the watcher, and that the real one is, too."""
    possible = watcher.possible_hands
    for _ in range(SAMPLED_WORLDS):
        assert all_hands(state.imagine(watcher.seat, rng)) in possible
    assert all_hands(state) in possible


def small_table(seed: str, seats: int, after_draw: str) -> RagamaruState:
    """Return a table with a few cards, some of them drawn and played before long."""
    rng = Random(seed)
    order = [*range(len(FACES))]
    rng.shuffle(order)
    faces = [FACES[number] for number in order]
    size = 2 if seats > 2 else 2 + rng.randbelow(2)
    hands = [[faces.pop() for _ in range(size)] for _ in range(seats)]
    stock = [faces.pop() for _ in range(2 + rng.randbelow(2))]
    written: dict[str, object] = {"hands": hands, "stock": stock, "field": {"card": "R4"}, "turn": rng.randbelow(seats)}
    return set_up_game(written, seats, decline="free", after_draw=after_draw, max_turns=100)


def choose_reluctantly(state: RagamaruState, rng: Random) -> Action:
    """Pass, draw and play; hands are to stay small, and not to run out."""
    legal = state.legal()
    passes = [one for one in legal if isinstance(one, Pass)]
    if passes and state.turn is not None and state.turn.phase == "play" and rng.randbelow(5) < 2:
        return passes[0]
    return rng.choice(legal)


def play_observed(
    seed: str, seats: int, after_draw: str, decisions: int
) -> Iterator[tuple[RagamaruState, list[WorldTracker]]]:
    """Yield a table and those who watch it, after each of so many random decisions of which any tells something."""
    state, rng = small_table(seed, seats, after_draw), Random(f"{seed}/play")
    watchers = [WorldTracker(state, seat) for seat in range(seats + 1)]
    for _ in range(decisions):
        if state.turn is None:
            return
        play_and_observe(state, choose_reluctantly(state, rng), watchers)
        yield state, watchers


@pytest.mark.parametrize("after_draw", ["any", "drawn"])
@first_rows(1)("seats", [2, pytest.param(3, marks=pytest.mark.long)])
def test_sampled_worlds_are_possible(seats: int, after_draw: str) -> None:
    """After any passes, plays, draws and reshuffles each seat and the spectator imagine possible worlds only."""
    looked = 0
    for number in range(10):
        rng = Random(f"{number}/worlds")
        for state, watchers in play_observed(f"small/{number}", seats, after_draw, 40):
            if state.pass_evidence and not rng.randbelow(3):
                looked += 1
                for watcher in watchers:
                    check_worlds(state, watcher, rng)
    assert looked > 25


def imagined_hands_after(
    hands: list[list[str]], stock: list[str], field: str, *actions: Action, after_draw: str = "any"
) -> set[frozenset[str]]:
    """Return what seat 0 holds in 80 worlds of seat 1, each of which is possible."""
    top = {"card": field, "colour": "R"} if field == "KO" else {"card": field}
    state = set_up_game({"hands": hands, "stock": stock, "field": top}, decline="free", after_draw=after_draw)
    watcher = WorldTracker(state, 1)
    for action in actions:
        play_and_observe(state, action, [watcher])
    rng = Random("worlds")
    worlds = {all_hands(state.imagine(1, rng)) for _ in range(80)}
    assert worlds <= watcher.possible_hands
    return {hands[0] for hands in worlds}


def test_cards_that_were_there() -> None:
    """One of the cards held at the pass fits, not one that was drawn later."""
    held = imagined_hands_after([["R1", "K2"], ["R2", "B3"]], ["Y5", "R6", "Y7"], "R9", PASS, Play(("R2",)), DRAW, PASS)

    assert held and all("R1" in cards or "R6" in cards for cards in held)


@pytest.mark.parametrize(("played", "after_draw"), [("R1", "any"), ("R6", "any"), ("R6", "drawn")])
def test_any_card_that_leaves(played: str, after_draw: str) -> None:
    """Whether it was held at the pass or drawn later: the rest may be anything."""
    stock, actions = ["Y5", "R6", "Y7", "B8"], (PASS, DRAW, PASS, DRAW, Play((played,)))
    held = imagined_hands_after([["R1", "K2"], ["R2", "B3"]], stock, "R9", *actions, after_draw=after_draw)

    unseen = {"R1", "K2", "R6", "Y7", "B8"} - {played}
    assert held == {frozenset(pair) for pair in itertools.combinations(unseen, 2)}


def test_pass_after_a_card_has_left() -> None:
    """A second pass, after a card has left the hand, tells as much as the first pass."""
    actions = (PASS, DRAW, PASS, DRAW, Play(("R5",)), DRAW, PASS, PASS)

    held = imagined_hands_after([["R1"], ["B3", "B4"]], ["B5", "R5", "B6", "K7", "R8"], "KO", *actions)

    assert held == {frozenset({"R1"}), frozenset({"R8"})}


def test_two_passes_with_one_card() -> None:
    """One card explains both passes, on red 12 and on yellow 3."""
    hands, stock = [["Y12"], ["R3", "Y3", "K3", "B8"]], ["K12", "Y5", "R8", "B12"]

    held = imagined_hands_after(hands, stock, "R12", PASS, Play(("R3", "Y3")), PASS)

    assert held == {frozenset({"Y12"})}


def test_worlds_do_not_depend_on_a_secret() -> None:
    """A card that leaves may have been held at the pass or drawn after it: the others imagine the same worlds."""
    cards = {"pile": ["B12", "Y14", "K1"], "field": {"card": "R4"}, "turn": 1}
    imagined = []
    for held, drawn in (("R7", "R11"), ("R11", "R7")):
        hands = [["R2", "Y9", "B1"], ["K5", "Y3", held]]
        state = set_up_game({**cards, "hands": hands, "stock": [drawn, "K9", "B8"]}, decline="free")
        for action in (PASS, PASS, DRAW, Play(("R11",))):
            state.play(action)
        rng = Random("worlds")
        worlds = [frozenset(hand_cards(state.imagine(0, rng), 1)) for _ in range(600)]
        imagined.append(sum("R7" in hand for hand in worlds) / len(worlds))

    assert abs(imagined[0] - imagined[1]) < 0.1
    assert max(imagined) < 0.9


def test_table_without_a_log() -> None:
    """Everybody knows the same of the hands where no log is written."""
    for number in range(8):
        rng = Random(f"{number}/worlds")
        for state, watchers in play_observed(f"quiet/{number}", 2, "any", 40):
            state.table.chance_events = None
            if state.pass_evidence and not rng.randbelow(3):
                check_worlds(state, watchers[1], rng)
