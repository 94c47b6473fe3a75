"""The cases of Rack-O about who deals: S5, S10. The dealer is looked up in games that are really dealt and played."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import Random, StackedRandom
from pitboss_racko.messages import Discard, Draw, Position, RackoOptions
from pitboss_racko.state import RackoState
from tests.rules.case_input import CaseError, CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.racko_case_options import GAME, RackoCaseOptions


class DealerInput(CaseInput, frozen=True):
    """The cards that the seats drew, or who dealt the round before; `round` asks who deals that round of the game."""

    draws: list[int] | None = None  # by seat
    last_dealer: int | None = None
    players: int | None = None
    round: int = 1


def find_dealer(given: DealerInput, asked: RackoCaseOptions) -> CaseFacts:
    """S5: the highest card deals first; S10: the deal passes to the left."""
    players = given.players or (len(given.draws) if given.draws else None)
    options = asked.resolve(players)
    if players is None or (given.last_dealer is not None and given.draws):
        raise CaseError("a dealer follows from the cards drawn, or from the last dealer and the number of players")
    if given.last_dealer is not None:
        dealer = next_dealer(given.last_dealer, players)
    else:
        dealer = first_dealer(given.draws or [], players, options)
    for _ in range(1, given.round):
        dealer = next_dealer(dealer, players)
    return {"dealer": dealer, "turn": first_turn_after_deal(dealer, players)}


def first_dealer(draws: Sequence[int], players: int, options: RackoOptions) -> int:
    """Return the first dealer of a game in which the seats draw these cards."""
    if not draws and options.first_dealer == "draw":
        raise CaseError("in.draws is missing: which cards did the seats draw?")
    top = [card - 1 for card in draws]
    deck = range(options.deck_size or 0)
    if len(set(top)) != len(top) or not set(top) <= set(deck) or len(top) not in (0, players):
        raise CaseError(
            f"in.draws must be a different card of 1..{len(deck)} for each of {players} players; it is {draws!r}"
        )
    order = [*(card for card in deck if card not in top), *reversed(top)]
    stacked = StackedRandom("cut", [order] if options.first_dealer == "draw" else [])
    return GAME.deal(players, options, stacked).dealer


def next_dealer(dealer: int, players: int) -> int:
    """Return who deals after a round, by playing its last turn."""
    state = _set_up(Position(dealer=dealer, turn=dealer, turns_done=players - 1), players)
    state.play(Draw())
    state.play(Discard())
    return state.dealer


def first_turn_after_deal(dealer: int, players: int) -> int | None:
    """S9: return who takes the first turn after a deal."""
    turn = _set_up(Position(dealer=dealer, deck=list(range(1, 10 * players + 21))), players).turn
    return turn.seat if turn else None


def _set_up(position: Position, players: int) -> RackoState:
    if not 0 <= position.dealer < players:
        raise CaseError(f"dealer {position.dealer} is no seat; {players} play")
    options = RackoOptions(max_turns=1, target=10_000, deck_size=10 * players + 20).resolve(players)
    return GAME.setup(players, options, position, Random("dealer"))
