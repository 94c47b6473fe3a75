"""The host of one person at the terminal."""

from __future__ import annotations

from collections.abc import Callable

from pitboss_tournament.play.play_session import FinishedTable, NewTable, NextGame, PlayRequest, SeatedPeople
from pitboss_tournament.play.play_terminal import PlayTerminal
from pitboss_tournament.play.terminal.terminal_person import TerminalPerson
from pitboss_tournament.text.event_text import YOU


class TerminalHost:
    """Seats the person at the terminal, and asks there."""

    def __init__(self, terminal: PlayTerminal, request: PlayRequest, read_rules: Callable[[], str]) -> None:
        self._read_rules = read_rules
        self._terminal = terminal
        self._request = request
        self._is_first = True
        self._game_id: int | None = None  # of the game that was announced last

    def seat_people(self, table: NewTable) -> SeatedPeople:
        """Announce a game, and return its person."""
        [seat] = table.people
        self._announce(table, seat)
        names = table.names
        adviser = table.advisers.get(seat)
        person = TerminalPerson(
            table.game, table.entrants[seat], seat, names, self._terminal, table.journal, adviser, self._read_rules
        )
        return SeatedPeople({seat: person}, person)

    def show_end(self, finished: FinishedTable) -> None:
        """Show nothing more: the session has said it all."""

    async def ask_next(self, *, has_same: bool) -> NextGame | None:
        """Ask what to play next, unless the number of games is given."""
        if self._request.games is not None:
            return "new"
        offer = ", s: the same cards in the next seat" if has_same else ""
        if self._terminal.needs_confirmation:
            offer += ", f: new cards, without Enter from now on"
        while True:
            answer = await self._terminal.ask(f"Another game? y: new cards{offer}, n: no.")
            if answer is None:
                self._terminal.say("")
                return None
            match answer.strip().lower():
                case "y" | "yes":
                    return "new"
                case "f" if self._terminal.needs_confirmation:
                    self._terminal.needs_confirmation = False
                    return "new"
                case "s" if has_same:
                    return "same"
                case "n" | "no" | "q" | "quit":
                    return None

    def _announce(self, table: NewTable, own: int) -> None:
        if table.scheduled.game_id == self._game_id:
            self._terminal.say("Taken back. What you saw last:")
            return
        self._game_id = table.scheduled.game_id
        names = [YOU if seat == own else name for seat, name in enumerate(table.names)]
        sits = ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
        self._terminal.say_heading(f"{table.game.title}, game {table.scheduled.game_id}. In the seats: {sits}.")
        if table.unfinished is not None:
            if self._request.seat not in (None, own):
                self._terminal.say("--seat does not count for a game that has begun: who sat where stays.")
            decisions = len(table.unfinished.past.decisions)
            self._terminal.say(f"Carried on after {decisions} decisions. What you saw last:")
        elif self._is_first:
            self._terminal.say(
                "To choose an action, type its number or some of its words. h is for help, ? for advice, q to stop."
            )
        self._is_first = False
