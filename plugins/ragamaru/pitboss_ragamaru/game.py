"""RAGAMARU. Match the colour, the number or the kind of the top card; first without cards wins, but only number cards
may be the last ones.

Attacks make the next player draw unless he passes them on; other cards skip players, turn play round, move seats, send
a player to rest, let cards be put away, or name the colour. Numbers in docstrings (2.4, D13) are those of the rule
book, `RULES.md`. Its state machine is in `phases` (the decisions), `effects` (of the cards) and `turn_order`; cards are
in `deck`, fitting in `field`, plays in `plays`; options, actions and views are in `messages`.
"""  # noqa: D205 - the first paragraph is printed

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from pitboss import Outcome, Sides, TableGame, ZoneHint, competition_places
from pitboss.game import GameBounds
from pitboss.outcome import spread_over_sides
from pitboss_ragamaru.deck import BOX, CARDS, describe_face
from pitboss_ragamaru.evaluation import evaluate_state
from pitboss_ragamaru.field import threat_message
from pitboss_ragamaru.messages import PRESETS, Action, Phase, Position, RagamaruOptions, View
from pitboss_ragamaru.phases import ACTIONS_BY_PHASE, LEGAL_BY_PHASE
from pitboss_ragamaru.position import set_up_position, write_position
from pitboss_ragamaru.rendering import COLOUR_WORDS, count_threats, render_table
from pitboss_ragamaru.state import RagamaruStateBase, team_sides
from pitboss_ragamaru.turn_order import start_game

WINNER: Final = -1  # stands for the winner's cards left: fewer than any loser's


def outcome_of(left: Sequence[int], sides: tuple[tuple[int, ...], ...], options: RagamaruOptions) -> Outcome:
    """D35, D36: units are ranked by their cards left, the winner's first; every member has the unit's score."""
    units = [WINNER if any(left[seat] == 0 for seat in side) else sum(left[seat] for seat in side) for side in sides]
    ranks, scores = competition_places(units, lowest_wins=True), _unit_scores(units, left, options)
    return Outcome(points=spread_over_sides(scores, sides), places=spread_over_sides(ranks, sides), sides=sides)


def _unit_scores(units: Sequence[int], left: Sequence[int], options: RagamaruOptions) -> list[float]:
    """Return the score of each unit; with `win` and `margin` every unit is one player."""
    match options.scoring:
        case "win":
            first = min(units)
            return [1 / units.count(first) if unit == first else 0.0 for unit in units]
        case "margin":
            return [(sum(left) - len(left) * own) / (len(left) - 1) for own in left]
        case _:
            return [sum((other > unit) + (other == unit) / 2 for other in units) - 0.5 for unit in units]


class RagamaruState(RagamaruStateBase):
    """The state of a game of RAGAMARU: the data of `state`, with the actions and the queries."""

    has_outcome_so_far = True

    start = start_game
    set_up = set_up_position
    render = render_table
    public_counts = count_threats
    evaluate = evaluate_state
    position = write_position

    def legal(self) -> Sequence[Action]:
        """2.3 and section 6: all legal actions."""
        turn = self.turn
        return () if turn is None else LEGAL_BY_PHASE[turn.phase](self, turn.seat)

    def play(self, action: Action) -> None:
        """2.3: play an action, and all that follows up to the next decision."""
        turn = self.turn
        if turn is None or not ACTIONS_BY_PHASE[turn.phase](self, turn.seat, action):
            self.refuse(action)

    def neutral(self) -> Action:
        """D39: the last of the legal list: draw, pass, take, sit, stop; black; 15."""
        self.require_turn()
        return self.legal()[-1]

    def view(self, seat: int) -> View:
        """2.7 and section 6: return the observation of a seat, without what the question to a bot holds anyway."""
        board, zones, turn, places = self.board, self.table.zones, self.turn, self.book.places
        is_player = seat < board.seats
        first = seat if is_player else turn.seat if turn is not None else self.seating.order[0]
        held = zones[board.hands[seat]] if is_player else []
        return View(
            turn_no=self.turn_no,
            hand=[BOX[place] for place in sorted([places[card] for card in held])],
            field=self.top.field,
            pending=threat_message(self.threat),
            order=[first, *self.circle[first][:-1]],
            direction=self.seating.direction,  # type: ignore[arg-type]
            counts=[len(zones[hand]) for hand in board.hands],
            sin=[*self.rests_left],
            stock=len(zones[board.stock]),
            pile=max(0, len(zones[board.pile]) - 1) + len(zones[board.discards]),
            drawn=self.drawn_face if turn is not None and turn == (seat, "drawn") else None,
            discards_left=self.discards_left,
            starter=self.starter,
            team=board.team,
        )

    def outcome(self) -> Outcome:
        """Section 3: places by cards left, the winner's side first; points by the option `scoring`."""
        left = [len(self.table.zones[hand]) for hand in self.board.hands]
        return outcome_of(left, self.board.sides, self.options)


class Ragamaru(TableGame[RagamaruOptions, RagamaruState]):
    """The game of RAGAMARU."""

    state = RagamaruState
    name = "ragamaru"
    title = "RAGAMARU"
    seats = (2, 3, 4, 5, 6, 7, 8, 9, 10)
    phases = get_args(Phase)
    Position = Position
    presets = PRESETS
    zone_hints: Mapping[str, ZoneHint] = {"box": ZoneHint("hidden"), "discards": ZoneHint("beside")}
    describe_face = staticmethod(describe_face)

    def sides(self, seats: int, options: RagamaruOptions) -> Sides:
        """D36: the teams."""
        return team_sides(seats, options.teams)

    def describe_action(self, action: Mapping[str, Any], faces: Mapping[str, str]) -> str:
        """Return the words of a player for the actions whose names alone do not say it."""
        match action:
            case {"do": "colour", "colour": colour}:
                return f"name {COLOUR_WORDS[colour]}"
            case {"do": "number", "number": number}:
                return f"name {number}"
            case {"do": "take"}:
                return "take the cards of the attack"
            case {"do": "sit"}:
                return "rest"
        return ""

    @staticmethod
    def bounds(seats: int, options: RagamaruOptions) -> GameBounds | None:
        """Return the bounds: points are places, a share of the win, or cards."""
        most = {"places": seats - 1, "win": 1, "margin": CARDS}[options.scoring]
        return GameBounds(None, -most if options.scoring == "margin" else 0, most)
