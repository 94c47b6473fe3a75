"""A table of Lucky Maker at which a case is played: a position, the actions, and all that can be asked then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import to_builtins
from msgspec.structs import asdict

from pitboss import IllegalAction, PositionError, Random
from pitboss.game import resolve_options
from pitboss.options import convert_value
from pitboss.table.events import Tell
from pitboss_lucky_maker.game import LuckyMaker
from pitboss_lucky_maker.messages import LuckyMakerOptions, Play, Position
from tests.rules.case_input import CaseError
from tests.rules.comparison import CaseFacts

GAME: Final = LuckyMaker()
SeatedOptions = tuple[int, LuckyMakerOptions]


def seated_options(players: int | None, given: dict[str, object]) -> SeatedOptions:
    """Return the number of seats, which a case may write among the options, and the options resolved for it.

    Four play by default.

    Raises: OptionError: they are not allowed.
    """
    seats = given.get("players", players if players is not None else 4)
    if not isinstance(seats, int):
        raise CaseError(f"players is {seats!r}, not a number")
    others = {name: value for name, value in given.items() if name not in ("players", "preset")}
    preset = given.get("preset")
    if preset is not None and not isinstance(preset, str):
        raise CaseError(f"the preset is {preset!r}, not a name")
    options: LuckyMakerOptions = resolve_options(GAME, seats, preset, others)
    return seats, options


class CaseTable:
    """A game that begins at a position, and plays the actions of a case until one is refused."""

    def __init__(
        self, seated: SeatedOptions, position: dict[str, object], actions: Sequence[str | dict[str, object]]
    ) -> None:
        self.seats, self.options = seated
        written = convert_value(position, Position, "position", PositionError)
        self.game = GAME.setup(self.seats, self.options, written, Random("case"))
        self.refused = ""
        for number, action in enumerate(actions, 1):
            if not self.refused:
                self._play_action(number, {"do": "play", "card": action} if isinstance(action, str) else action)

    def _play_action(self, number: int, written: dict[str, object]) -> None:
        before = self.game.position()
        listed = written in to_builtins(self.game.legal())
        try:
            self.game.play(convert_value(written, Play, "action", IllegalAction))
        except IllegalAction as wrong:
            self.refused = f"action {number}, {written!r}, was refused: {wrong}"
        if listed == bool(self.refused):
            raise CaseError(f"action {number}, {written!r}: in the legal list: {listed}; refused: {bool(self.refused)}")
        if self.refused and self.game.position() != before:
            raise CaseError(f"{self.refused}; but it changed the table")

    def card_rows(self, name: str) -> list[Any]:
        """Return the cards of a part of the table, as its position names it."""
        row = getattr(self.game.position(), name)
        return row if isinstance(row, list) else [] if row is None else [row]

    def ranking(self) -> dict[str, object]:
        """Section 3: return the totals of the series so far, and what follows from them."""
        outcome = self.game.outcome()
        ranks = outcome.places
        half_beaten = [sum((other > own) + 0.5 * (other == own) for other in ranks) - 0.5 for own in ranks]
        return {"totals": [int(points) for points in outcome.points], "ranks": list(ranks), "places": half_beaten}

    def last_trick(self) -> dict[str, object]:
        """Return how the last trick was decided, as everybody was told."""
        told = [
            event.facts
            for event in self.game.table.events(self.seats)
            if isinstance(event, Tell) and event.event == "trick"
        ]
        if not told:
            raise CaseError(f"no trick was finished; {self.refused}")
        facts: dict[str, Any] = dict(told[-1])
        master = self.game.view(0).history[-1].master
        pair = [letter for letter in master if letter in "RBGY"]
        return {**facts, "counts": dict(zip(pair, facts["counts"], strict=True))}

    def facts(self) -> dict[str, object]:
        """Return all that a case can ask about the table."""
        game = self.game
        legal = to_builtins(list(game.legal()))
        faces = [one["card"] for one in legal]
        history = to_builtins(game.view(0).history)
        position: dict[str, object] = to_builtins(game.position())
        views = {f"obs{seat}": self._observation(seat) for seat in range(self.seats)}
        plain = {
            key: position.get(key, [] if key in ("trick", "history") else None) for key in Position.__struct_fields__
        }
        return {
            **plain,
            **self._trick_facts(history),
            **views,
            "void": position.get("void", [None] * self.seats),
            "history": history,
            "scores": game.scores[:],
            "totals": game.totals[:],
            "trick_no": game.view(0).trick_no,
            "game_no": game.game_no,
            "turn": game.turn.seat if game.turn else None,
            "over": game.turn is None,
            "next_lead": game.lead,
            "legal": faces,
            "neutral": faces[0] if legal else None,
            "removed": [str(face) for face in game.table.faces(game.board.removed)],
            "won": [[str(face) for face in game.table.faces(pile)] for pile in game.board.won],
            "players": self.seats,
            "options": asdict(self.options),
            "illegal": bool(self.refused),
            "refused": self.refused or None,
        }

    @staticmethod
    def _trick_facts(history: list[dict[str, Any]]) -> dict[str, object]:
        """Return what is said of each finished trick, one after another."""
        names = {"winners": "winner", "leads": "lead", "follows": "follow", "points": "points", "rules": "rules"}
        return {name: [trick[key] for trick in history] for name, key in names.items()}

    def _observation(self, seat: int) -> CaseFacts:
        """Section 6: return what a seat is shown: its view, and what the wire says."""
        view: dict[str, object] = to_builtins(self.game.view(seat))
        turn = self.game.turn
        legal = to_builtins(list(self.game.legal())) if turn and turn.seat == seat else []
        wire = {"game": GAME.name, "seat": seat, "players": self.seats, "legal": legal}
        return {**view, **wire, "phase": "play", "options": asdict(self.options)}
