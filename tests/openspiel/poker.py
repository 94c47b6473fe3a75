"""Poker against OpenSpiel's `kuhn_poker`, `leduc_poker` and `universal_poker` (the dealer of the ACPC).

Each function plays a hand in both, with the same cards and actions: legal actions and pots are compared at every step,
returns at the end.

What differs there: a pot that cannot be shared in whole chips is shared in fractions (D9). After a short all-in the
dealer lets everybody raise, and from the last full raise on (B7, D8); it also lets a player raise what no opponent can
match (B10, D11). Such decisions are counted apart, and an action that both allow is played. With limit
`universal_poker` lists an action twice in its full game; its abstraction `fcpa` has the right actions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import pyspiel

from pitboss import ActionRange, Random
from pitboss.action_range import RANGE_TYPES, draw_action
from pitboss.game import resolve_options
from pitboss.parts.betting.high_hands import HAND_RANKS
from pitboss_poker.game import Poker
from pitboss_poker.messages import Action, Bet, Call, Check, Fold, Raise
from pitboss_poker.state import PokerState

GAME: Final = Poker()
SUITS: Final = "CDHS"  # in OpenSpiel's order
LIMIT_STACK: Final = 1_000  # more than a hand can cost
FOLD, CALL, RAISE = range(3)

compared_apart = 0  # decisions after a short all-in, or where nobody can match a raise: their legal actions differ


@lru_cache
def load(name: str, **parameters: Any) -> Any:  # noqa: ANN401 - a game of OpenSpiel
    """Return a game of OpenSpiel."""
    return pyspiel.load_game(name, parameters)


def deal_ours(players: int, number: int, preset: str, **options: object) -> PokerState:
    """Return one hand of ours."""
    resolved = resolve_options(GAME, players, preset, {"hands": 1, **options})
    return GAME.deal(players, resolved, Random(f"openspiel/{preset}/{number}"))


def compare_kuhn(number: int) -> int:
    """Play Kuhn poker for 2 to 10 players; return the number of decisions compared."""
    players = 2 + number % 9
    ours, theirs = deal_ours(players, number, "kuhn"), load("kuhn_poker", players=players).new_initial_state()
    for hand in ours.hands:
        theirs.apply_action(ours.table.zones[hand][0])
    return play_small(ours, theirs, number, {FOLD: 0, CALL: 0, RAISE: 1}, is_kuhn=True)


def compare_leduc(number: int) -> int:
    """Play Leduc poker for 2 to 10 players; return the number of decisions compared."""
    players = 2 + number % 9
    ours, theirs = deal_ours(players, number, "leduc"), load("leduc_poker", players=players).new_initial_state()
    for hand in ours.hands:
        theirs.apply_action(leduc_card(ours, ours.table.zones[hand][0]))
    return play_small(ours, theirs, number, {FOLD: FOLD, CALL: CALL, RAISE: RAISE}, is_kuhn=False)


def leduc_card(ours: PokerState, card: int) -> int:
    """Return the number of a card in OpenSpiel's deck, in which the two cards of a rank are neighbours."""
    ranks = len(ours.variant.deck.faces) // 2
    return card % ranks * 2 + card // ranks


def play_small(ours: PokerState, theirs: Any, number: int, actions: dict[int, int], *, is_kuhn: bool) -> int:  # noqa: ANN401
    """Play a hand of Kuhn or Leduc at random.

    OpenSpiel's Kuhn has one action to bet or call, and one to check or fold.
    """
    rng, compared = Random(f"small/{number}"), 0
    while ours.turn is not None:
        assert theirs.current_player() == ours.turn.seat, (theirs, ours.turn)
        legal = ours.legal()
        codes = [kuhn_code(one) if is_kuhn else actions[code_of(one)] for one in legal]
        assert sorted(codes) == sorted(theirs.legal_actions()), (legal, str(theirs))
        chosen = rng.randbelow(len(legal))
        action, street = legal[chosen], ours.street
        assert not isinstance(action, ActionRange)
        ours.play(action)
        theirs.apply_action(codes[chosen])
        if theirs.is_chance_node():
            theirs.apply_action(leduc_card(ours, ours.table.zones[ours.board][0]))
        assert ours.turn is None or ours.street - street in (0, 1)
        compared += 1
    check_returns(ours, theirs)
    return compared


def kuhn_code(action: object) -> int:
    """Return the action of OpenSpiel's Kuhn poker: 0 to pass, 1 to bet."""
    return int(isinstance(action, Bet | Call))


def code_of(action: object) -> int:
    """Return 0 to fold, 1 to check or call, 2 to bet or raise."""
    return FOLD if isinstance(action, Fold) else CALL if isinstance(action, Check | Call) else RAISE


def compare_acpc_limit(number: int) -> int:
    """Play limit Hold'em with the stakes of the ACPC for 2 to 4 players: OpenSpiel 2.0.2 cannot load it for more."""
    players = 2 + number % 3
    options = {"betting": "limit", "raiseSize": "10 10 20 20", "maxRaises": "3 4 4 4"}
    theirs = universal(players, (5, 10), [LIMIT_STACK] * players, **options)
    return play_universal(deal_ours(players, number, "acpc-limit", stack=LIMIT_STACK), theirs, number)


def compare_acpc_no_limit(number: int) -> int:
    """Play no-limit Hold'em with the stakes of the ACPC for 2 and 3 players."""
    players = 2 + number % 2
    theirs = universal(players, (50, 100), [20_000] * players, betting="nolimit")
    return play_universal(deal_ours(players, number, "acpc-no-limit"), theirs, number)


def compare_short_stacks(number: int) -> int:
    """Play no-limit Hold'em for 2 to 6 players whose stacks are 2 to 40 big blinds."""
    players, rng = 2 + number % 5, Random(f"stacks/{number}")
    stacks = [20 + 10 * rng.randbelow(39) + rng.randbelow(10) for _ in range(players)]
    options = resolve_options(GAME, players, "no-limit", {"hands": 1, "small_blind": 5, "big_blind": 10, "stack": 20})
    ours = PokerState.create(players, options, rng.spawn("deal"))
    ours.set_up(GAME.Position(stacks=stacks))
    return play_universal(ours, universal(players, (5, 10), stacks, betting="nolimit"), number)


def universal(players: int, blinds: tuple[int, int], stacks: list[int], **parameters: str) -> Any:  # noqa: ANN401
    """Return a hand of `universal_poker`; of two players the second has the button and the small blind."""
    posted = [blinds[1], blinds[0]] if players == 2 else [*blinds, *[0] * (players - 2)]
    return pyspiel.load_game(
        "universal_poker",
        {
            "bettingAbstraction": "fullgame" if parameters["betting"] == "nolimit" else "fcpa",
            "numPlayers": players,
            "numRounds": 4,
            "blind": " ".join(map(str, posted)),
            "firstPlayer": f"{2 if players == 2 else 3} 1 1 1",
            "numSuits": 4,
            "numRanks": 13,
            "numHoleCards": 2,
            "numBoardCards": "0 3 1 1",
            "stack": " ".join(map(str, stacks)),
            **parameters,
        },
    ).new_initial_state()


def play_universal(ours: PokerState, theirs: Any, number: int) -> int:  # noqa: ANN401
    """Play a hand of Hold'em at random; return the number of decisions compared."""
    global compared_apart
    rng, compared, faces = Random(f"universal/{number}"), 0, ours.variant.deck.faces
    cards = [card for hand in ours.hands for card in ours.table.zones[hand]]
    for card in cards:
        theirs.apply_action(universal_card(str(faces[card])))
    board = [*ours.table.zones[ours.stock][:-6:-1]]
    is_short = False
    while ours.turn is not None:
        seat, legal = ours.turn.seat, ours.legal()
        assert theirs.current_player() == seat, (str(theirs), ours.turn)
        assert pot_of(theirs) == sum(ours.paid), (str(theirs), ours.paid)
        allowed = theirs.legal_actions()
        if bounds_of(ours, legal) != their_bounds(ours, allowed):
            assert is_short or not ours.can_match_more(seat), (legal, allowed[:4], str(theirs))
            compared_apart += 1
            legal = [entry for entry in legal if code_of(entry) != RAISE]
        action, counted = choose_action(legal, rng), ours.bet_count
        code, street = code_of(action), ours.street
        sent = code
        if isinstance(action, Bet | Raise) and not ours.bet_sizes:
            sent = action.to + ours.paid[seat] - ours.bets[seat]
        ours.play(action)
        theirs.apply_action(sent)
        is_short |= code == RAISE and ours.turn is not None and ours.street == street and ours.bet_count == counted
        while theirs.is_chance_node():
            theirs.apply_action(universal_card(str(faces[board.pop(0)])))
        compared += 1
    check_returns(ours, theirs)
    return compared


def choose_action(legal: Any, rng: Random) -> Action:  # noqa: ANN401
    """Return a random action; a third of the bets is the least one, so that hands do not end at once."""
    entry = rng.choice(legal)
    if type(entry) in RANGE_TYPES and rng.randbelow(3) == 0:
        return entry.lowest  # type: ignore[no-any-return]
    return draw_action(entry, rng.randbelow)  # type: ignore[no-any-return]


def bounds_of(ours: PokerState, legal: Any) -> tuple[object, ...]:  # noqa: ANN401
    """Return the codes of our legal actions, a bet or raise with its lowest and highest size in the hand."""
    assert ours.turn is not None
    before = ours.paid[ours.turn.seat] - ours.bets[ours.turn.seat]
    codes: list[object] = [code_of(entry) for entry in legal if isinstance(entry, Fold | Call | Check)]
    if len(codes) == len(legal):
        return tuple(codes)
    if ours.bet_sizes:
        return (*codes, RAISE)
    return (*codes, ours.min_to + before, ours.max_to + before)


def their_bounds(ours: PokerState, allowed: list[int]) -> tuple[object, ...]:
    """Return the same of theirs, all sizes between being legal."""
    codes = [code for code in allowed if code in (FOLD, CALL)]
    sizes = [code for code in allowed if code not in (FOLD, CALL)]
    if not sizes or ours.bet_sizes:
        return (*codes, *sizes)
    assert sizes == [*range(sizes[0], sizes[-1] + 1)]
    return (*codes, sizes[0], sizes[-1])


def universal_card(face: str) -> int:
    """Return the number of a card in OpenSpiel's deck, by rank and then suit."""
    return HAND_RANKS.index(face[1:]) * 4 + SUITS.index(face[0])


def pot_of(theirs: Any) -> int:  # noqa: ANN401
    """Return all chips in the pot."""
    spent = str(theirs).split("Spent: [")[1].split("]")[0].split()
    return sum(int(word) for word in spent[1::2])


def check_returns(ours: PokerState, theirs: Any) -> None:  # noqa: ANN401
    """Compare the chips won; where a pot was shared by several, to less than a chip a pot."""
    assert theirs.is_terminal(), str(theirs)
    shared = [pot for pot in ours.last_pots if pot.chips % len(pot.winners)]
    for won, returned in zip(ours.net, theirs.returns(), strict=True):
        assert abs(won - returned) < max(len(shared), 1e-9), (ours.net, theirs.returns(), str(theirs))
