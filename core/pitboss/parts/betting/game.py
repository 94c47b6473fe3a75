"""`BettingGame`, a base for games of betting: bounds, units, words for models, hand histories, how it looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final, TypeVar, get_args, get_type_hints

from msgspec import Struct

from pitboss.game import GameBounds, PointUnit
from pitboss.options import Action
from pitboss.parts.betting.betting_round import O
from pitboss.parts.betting.board_state import BoardState
from pitboss.parts.betting.messages import BettingPosition, BettingView, HandView
from pitboss.parts.betting.phh_reading import read_hand_histories
from pitboss.parts.betting.phh_writing import write_hand_histories
from pitboss.parts.betting.pots import MAX_PLAYERS
from pitboss.parts.betting.variant import BettingVariant, HandAct, describe_act
from pitboss.records.record import ExportFunction, ImportFunction
from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.instruments import PotAndCall
from pitboss.rendering.model_words import tell_by_seat
from pitboss.rendering.presentation import PartSheet, Presentation, Speech
from pitboss.table_game import TableGame
from pitboss.text import join_words

S = TypeVar("S", bound=BoardState[Any, Any])

SEEN_BETS: Final = 6  # bets and raises of a round that learners see
BETTING_EVENTS: Final[Mapping[str, str]] = {
    "check": "checks",
    "fold": "folds",
    "call": "calls {chips}",
    "bet": "bets {to}",
    "raise": "raises to {to}",
    "small_blind": "small blind {chips}",
    "big_blind": "big blind {chips}",
    "ante": "ante {chips}",
    "all_in": "is all in",
    "return": "gets {chips} back",
    "pot": "{winners!p} wins {shares} of {chips}[ with {hand}]",
    "hand": "hand {hand}",
    "hand_end": "the hand ends",
    "bring_in": "brings in {chips}",
    "keep": "keeps all cards",
    "up": "gets open cards",
}
BOARD_ZONES: Final[Mapping[str, ZoneHint]] = {  # of a `BoardState`
    "stock": ZoneHint("beside"),
    "muck": ZoneHint("hidden"),
    "board": ZoneHint(size=5),
}
BETTING_GOAL: Final = (
    "Win chips.",
    "Check, bet, call, raise or fold, as often as cards are dealt.",
    "The pot goes to the last player left in the hand or, when hands are shown, to the best one.",
)
BETTING_PRESENTATION: Final = Presentation(
    goal=BETTING_GOAL,
    zones={**BOARD_ZONES, "discard": ZoneHint("hidden")},
    events=BETTING_EVENTS,
    retold=("history", "min_raise", "max_raise"),
    sheets={"hand_end": PartSheet("Hand {hand} is over", {"this hand": "won", "in all": "net"}, ("pot",))},
    instruments=(PotAndCall(call="call"),),
)


class BettingGame(TableGame[O, S]):
    """A base for games of betting.

    The phases of its turns, and how many can play, follow from the variants of its options, unless the game says them.
    """

    View: Any = BettingView
    Position: Any = BettingPosition
    seats: Sequence[int] = tuple(range(2, MAX_PLAYERS + 1))
    exports: Mapping[str, ExportFunction] = {"phh": write_hand_histories}
    imports: Mapping[str, ImportFunction] = {"phh": read_hand_histories}
    presentation = BETTING_PRESENTATION
    unlearned: Mapping[str, str] = {
        "history": f"the bets after the {SEEN_BETS}th of a round without a limit, and what follows them",
        "pots": "the side pots, which follow from what was paid",
    }

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "state" not in vars(cls):
            return
        variants = _read_variants(cls.Options)
        for variant in variants:
            _check_events(variant)
            _check_actions(variant, cls.Action, cls.state.__name__)
        if "phases" not in vars(cls):
            cls.phases = tuple(dict.fromkeys(phase for variant in variants for phase in variant.phases))
        if "seats" not in vars(cls):
            cls.seats = tuple(
                seats for seats in cls.seats if any(one.count_cards(seats) <= len(one.deck) for one in variants)
            )

    @staticmethod
    def point_unit(options: O) -> PointUnit | None:
        """Thousandths of a big blind a hand, where all hands are played for the same; without blinds chips a hand."""
        if options.hands is None or options.level_hands is not None:
            return None
        if not options.big_blind:
            return PointUnit("chips a hand", options.hands)
        return PointUnit("mbb a hand", options.big_blind * options.hands / 1000)

    @staticmethod
    def counts_points(options: O) -> bool:
        """Whether chips count: but where all play until one has them all, places do."""
        return options.hands is not None

    @staticmethod
    def view_bounds(seats: int, options: O) -> Mapping[str, Sequence[int]]:
        """Return the rounds of a hand and the most actions of one that learners see, in the view's `history`.

        Without a limit there may be any number of actions, and few rounds have more.
        """
        bets, acts = min(max(options.list_most_bets()), SEEN_BETS), options.find_variant(seats).count_acts()
        return {"history": (len(options.list_most_bets()), seats + bets * (seats - 1) + seats * acts)}

    @staticmethod
    def bounds(seats: int, options: O) -> GameBounds | None:
        """Return the bounds: with stacks that carry there may be any number of hands."""
        hands = options.hands or 1
        largest = max(options.list_stacks(seats))
        lost = options.bound_loss(seats) * hands if options.stacks == "reset" else largest
        decisions = None if options.hands is None else hands * options.bound_decisions(seats)
        return GameBounds(decisions, -lost, lost * (seats - 1), 0)

    @staticmethod
    def tell_model(view: HandView, seat: int, speech: Speech) -> Iterator[str]:
        """Yield what a seat sees: the cards, the pot, and of each seat its chips and its part in the hand."""
        yield f"hand {view.hand}, {view.street}, blinds {view.blinds[0]:,} and {view.blinds[1]:,}"
        yield f"your cards: {' '.join(map(str, view.cards)) or 'none'}"
        yield f"the board: {' '.join(map(str, view.board)) or 'none'}"
        yield f"the pot: {view.pot:,}; to call you pay {view.to_call:,}"
        for pot in view.pots:
            yield f"of which {pot.chips:,} can be won by {', '.join(map(speech.name, pot.seats))}"
        yield "chips left, bet in this round, paid in this hand:"
        for other, chips in enumerate(zip(view.stacks, view.bets, view.paid, strict=True)):
            told = (*(f"{one:,}" for one in chips), *_list_marks(view, other))
            yield f"{speech.name(other)}: {'; '.join(told)}"
        yield f"net of earlier hands: {tell_by_seat(view.net, speech)}"


def _read_variants(options: Any) -> Sequence[BettingVariant]:  # noqa: ANN401 - a class of options
    """Return what the options of a game declare.

    Raises:
        TypeError: they declare nothing, or no mapping of variants.
    """
    name, variants = options.__name__, getattr(options, "variants", None)
    if isinstance(variants, BettingVariant):
        raise TypeError(f'`variants` of {name} is one BettingVariant; it is a mapping of names: {{"usual": VARIANT}}')
    if not variants:
        raise TypeError(f'{name} has no `variants`; it names what is played: variants: ClassVar = {{"usual": VARIANT}}')
    if not isinstance(variants, Mapping) or not all(isinstance(one, BettingVariant) for one in variants.values()):
        raise TypeError(f'`variants` of {name} is {variants!r}; it is a mapping of names: {{"usual": VARIANT}}')
    return [*variants.values()]


def _check_events(variant: BettingVariant) -> None:
    """Check that no street and no act, whose names are events too, is named as an event of betting.

    Raises:
        ValueError: one is.
    """
    named = [f"the street {street.name!r}" for street in variant.streets if street.name in BETTING_EVENTS]
    named += [describe_act(act) for act in variant.list_acts() if act.name in BETTING_EVENTS]
    if named:
        raise ValueError(
            f"{named[0]} has the name of an event of betting; these are {join_words(BETTING_EVENTS, 'and')}"
        )


def _check_actions(variant: BettingVariant, union: Any, state: str) -> None:  # noqa: ANN401 - a union, or a type
    """Check that the actions of the acts, as far as `list_actions` declares them, are in the union of a state.

    Raises:
        TypeError: one is not.
    """
    allowed = [one for one in get_args(union) or (union,) if isinstance(one, type)]
    for act in variant.list_acts():
        for kind in _list_declared_actions(act):
            if not any(issubclass(one, kind) for one in allowed):
                raise TypeError(
                    f"{kind.__name__} is not in the union of actions of {state}, and {describe_act(act)} has it; "
                    f"add it: BettingAction | {kind.__name__}"
                )


def _list_declared_actions(act: HandAct) -> Iterator[type[Any]]:
    """Yield the actions that `list_actions` of an act is declared to return, but for bases of actions."""
    method: Any = type(act).list_actions
    returned: Any = SimpleNamespace(__annotations__={"return": getattr(method, "__annotations__", {}).get("return")})
    try:
        waiting = [get_type_hints(returned, getattr(method, "__globals__", {}))["return"]]
    except (NameError, TypeError, AttributeError, SyntaxError):
        return  # it is declared with names that are imported for a type checker alone
    while waiting:
        one = waiting.pop()
        waiting += get_args(one)
        if isinstance(one, type) and issubclass(one, Struct) and one not in (Struct, Action):
            yield one


def _list_marks(view: HandView, seat: int) -> Iterator[str]:
    """Yield what else there is to know of a seat in this hand."""
    marks = (
        ("button", seat == view.button),
        ("small blind", seat == view.small_blind),
        ("big blind", seat == view.big_blind),
        ("folded", seat in view.folded),
        ("all in", seat in view.all_in),
        ("out of the game", seat in view.out),
    )
    return (word for word, is_so in marks if is_so)
