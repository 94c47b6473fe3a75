"""A person in a seat: what is told and shown, and how an action is chosen. For a match it is a seat like a bot's, but without a clock."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, Final

from pitboss.events import AnyEvent
from pitboss.game import AnyState
from pitboss.record import Decision, Incident
from pitboss.wire import End, Start
from pitboss_tournament.person.adviser import Adviser
from pitboss_tournament.person.menu import Menu
from pitboss_tournament.person.narrow import table_picture
from pitboss_tournament.person.notebook import Notebook
from pitboss_tournament.person.screen import Screen
from pitboss_tournament.person.telling import Teller
from pitboss_tournament.planning.plan import Entrant
from pitboss_tournament.playing.match import BrokenGame
from pitboss_tournament.playing.player import Answer
from pitboss_tournament.showing.words import action_text

REMEMBERED: Final = 6  # sentences that are told again when a game is carried on
HELP: Final = (
    "A number chooses that action. So do words of it, if no other action has them; else the list shrinks to those that have them.",
    "Enter turns the page of a long list, or lists all actions again; - turns it back; . shows the table again.",
    "A choice is played when you press Enter once more. Until then u takes it back, and so does choosing another one.",
    "? asks for advice; q stops, and the game is kept as it stands. In the picture a dot is a card that you do not know, and > marks who is to play.",
)


class Left(Exception):
    """The person has left the table. Never leaves the evening."""


class Person:
    """The person at the table. Also the scribe of the match: what is decided is written down, and told if the person could see it."""

    def __init__(
        self, entrant: Entrant, seat: int, names: Sequence[str], screen: Screen, notebook: Notebook, adviser: Adviser | None
    ) -> None:
        self.entrant = entrant
        self.told = 0
        self.wants_events = True
        self._seat = seat
        self._names = names
        self._screen = screen
        self._notebook = notebook
        self._adviser = adviser
        self._teller = Teller(seat, names)
        self._start: Start | None = None
        self._state: AnyState | None = None
        self._picture: list[str] = []
        self._since: list[str] = []  # what has happened since the last decision
        self._carries_on = False
        self._advice: str | None = None

    # ---- the scribe

    def began(self, state: AnyState) -> None:
        """Tell how the cards were dealt, or what was seen last before the game was broken off."""
        self._tell(state)

    def decided(self, decision: Decision, state: AnyState) -> None:
        """Write a decision down, and tell what the person saw of it."""
        self._notebook.decided(decision)
        self._tell(state)

    def failed(self, incident: Incident) -> None:
        """Write a fault down, and tell of it."""
        self._notebook.failed(incident)
        self._screen.warn(self._teller.wrong(incident))

    # ---- the seat

    async def start(self, start: Start) -> None:
        """Sit down."""
        self._start = start

    def carry_on(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Know that what has happened is not all new."""
        self._carries_on = bool(decisions)

    async def return_to_table(self) -> None:
        """Be there: a person is."""

    def view(self, state: AnyState) -> object:
        """Look at the table."""
        self._picture = self._drawn(state)
        return None

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer:
        """Choose an action.

        Raises:
            Left: the person wants to stop, or the input has ended.
        """
        began = perf_counter()
        self._advice = None
        menu = Menu([action_text(action) for action in legal])
        self._screen.heading(_asked(phase, len(legal)))
        self._screen.say(*self._picture, "")
        self._list(menu)
        choice = await self._chosen(menu, phase, legal)
        self._since.clear()
        return Answer(choice, round((perf_counter() - began) * 1e6), 0, self._advice)

    async def end(self, end: End) -> None:
        """See how it ended."""
        assert self._state is not None
        self._screen.heading("The game is over.")
        self._screen.say(*self._drawn(self._state))
        for seat in sorted(range(len(self._names)), key=end.places.__getitem__):
            forfeited = any(fault.seat == seat and fault.verdict == "forfeit" for fault in end.faults)
            counts = " (it has forfeited, and counts as last)" if forfeited else ""
            points = f"{end.points[seat]:g} {'point' if end.points[seat] == 1 else 'points'}"
            self._screen.say(f"  {end.places[seat]}. {self._teller.player(seat)}: {points}{counts}")

    # ---- within

    def _tell(self, state: AnyState) -> None:
        """Tell what the person has seen since the last time."""
        table = state.table
        sentences = list(self._teller.sentences(table.events(self._seat, self.told), table.layout.zones))
        self.told = len(table.log or ())
        self._state = state
        self._since += sentences
        told = sentences
        if self._carries_on:
            told = sentences[-REMEMBERED:]
            self._carries_on = False
        self._screen.say(*told)

    def _drawn(self, state: AnyState) -> list[str]:
        try:
            return table_picture(state, self._seat, self._names, self._screen.width)
        except Exception as wrong:
            raise BrokenGame(
                f"the plugin failed: {type(wrong).__name__}: {wrong}; in the picture for seat {self._seat}"
            ) from wrong

    async def _chosen(self, menu: Menu, phase: str, legal: Sequence[Any]) -> int:
        """Ask until an action is chosen, and confirmed if it may have been mistyped."""
        choice = 0 if len(legal) == 1 else None
        while True:
            typed = await self._screen.ask(self._question(menu, choice))
            if typed is None:
                raise Left
            match typed.strip().lower():
                case "q" | "quit":
                    raise Left
                case "?":
                    await self._ask_adviser(phase, legal)
                case "h" | "help":
                    self._screen.say(*HELP)
                case ".":
                    self._screen.say(*self._since, "", *self._picture, "")
                    self._list(menu)
                case "" if choice is not None:
                    return choice
                case "u" | "undo" | "\x1b":
                    choice = self._taken_back(menu, choice)
                case "" | "-" as key:
                    self._turn(menu, -1 if key else 1)
                case words:
                    found = menu.find(words)
                    if found.trouble:
                        self._screen.say(found.trouble)
                        continue
                    choice = found.choice
                    if choice is None:
                        self._list(menu)
                    elif not self._screen.confirms:
                        return choice

    def _question(self, menu: Menu, choice: int | None) -> str:
        if choice is None:
            return "Which?"
        if len(menu.texts) == 1:
            return "There is only this. Enter plays it."
        return f"{menu.texts[choice]}? Enter: yes, u: no."

    def _taken_back(self, menu: Menu, choice: int | None) -> int | None:
        if choice is None:
            self._screen.say("Nothing is chosen. What has been played cannot be taken back.")
        elif len(menu.texts) == 1:
            return choice
        else:
            self._screen.say("Taken back.")
        return None

    def _turn(self, menu: Menu, pages: int) -> None:
        width, rows = self._screen.width, self._screen.rows
        if menu.is_narrowed and pages > 0 and menu.page == menu.pages(width, rows) - 1:
            menu.widen()
        else:
            menu.turn(pages, width, rows)
        self._list(menu)

    def _list(self, menu: Menu) -> None:
        """Show a page of the list, and say what else there is."""
        width, rows = self._screen.width, self._screen.rows
        pages = menu.pages(width, rows)
        if menu.is_narrowed:
            self._screen.say(f"{len(menu.listed)} of {len(menu.texts)} actions:")
        self._screen.say(*menu.lines(width, rows))
        if menu.page < pages - 1 or (pages > 1 and not menu.is_narrowed):
            self._screen.say(f"Page {menu.page + 1} of {pages}. Enter turns it; words of an action find it.")
        elif menu.is_narrowed:
            self._screen.say("Enter lists all actions again.")

    async def _ask_adviser(self, phase: str, legal: Sequence[Any]) -> None:
        assert self._state is not None and self._start is not None
        if self._adviser is None:
            self._screen.say("There is nobody to ask: name a bot with --hint.")
            return
        self._screen.say(f"Asking {self._adviser.name} …")
        choice = await self._adviser.advise(self._start, self._state, phase, legal)
        if choice is None:
            self._screen.warn(f"{self._adviser.name} gave no answer.")
            return
        self._advice = f"{self._adviser.name} advised: {action_text(legal[choice])}"[:500]
        self._screen.say(f"{self._adviser.name} would choose {choice + 1}: {action_text(legal[choice])}.")


def _asked(phase: str, actions: int) -> str:
    return f"Your turn ({phase.replace('_', ' ')}): {'one action' if actions == 1 else f'{actions} actions'}"
