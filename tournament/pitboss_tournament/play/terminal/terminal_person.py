"""A person in a seat of the match, without a clock: narration, rendering, the choice of an action, and an adviser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Final

from pitboss.action_range import RANGE_TYPES, find_entry
from pitboss.game import AnyGame, AnyState, FaceDescriber
from pitboss.protocol.messages import End
from pitboss.records.record import Decision, Incident
from pitboss.table.cards import Face
from pitboss.table.events import AnyEvent
from pitboss.table.secrets import Secret
from pitboss.table.zones import Zone
from pitboss_tournament.match.plugin_calls import PluginCalls
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.play.adviser import AdviceError, Adviser
from pitboss_tournament.play.journal import JournalEntry, PlayJournal
from pitboss_tournament.play.narration import Narrator
from pitboss_tournament.play.person_seat import PersonLeft, PersonSeat, TakenBack
from pitboss_tournament.play.play_terminal import UNDO, PlayTerminal
from pitboss_tournament.play.terminal.menu import Menu, MenuMatch
from pitboss_tournament.play.terminal.narrow_table import render_for_terminal
from pitboss_tournament.text.card_signs import read_signs
from pitboss_tournament.text.terminal_text import action_text

RETOLD_SENTENCES: Final = 6  # sentences shown again when a game is resumed
HELP: Final = (
    "A number chooses that action (the list counts from 1, `choose` of a bot from 0). "
    "So do words of it, if no other action has them; else the list shrinks to those that have them. "
    "An action with a range of numbers takes one too: 3 500, or raise 500.",
    "Enter turns the page of a long list, or lists all actions again; - turns it back; . shows the table again.",
    "? asks for advice; q stops, and the game is kept as it stands. "
    "In the picture a dot is a card that you do not know, and > marks who is to play. "
    "h and a card, as it is written, tells what that card does; h cards tells it of all cards that you see; "
    "h rules shows the rule book.",
)


HOW_TO_CONFIRM: Final = (
    "A choice is played when you press Enter once more. Until then u takes it back, and so does choosing another one. "
    "With --quick it is played at once."
)
HOW_QUICK: Final = "A choice is played at once."
HOW_TO_TAKE_BACK: Final = (
    "What you have played u takes back until the next player has answered it, also while that player thinks, unless it "
    "has shown you a card or a roll."
)


class TerminalPerson(PersonSeat):
    """The person's seat, and the match's journal: it narrates what the person observes and writes the journal file."""

    def __init__(
        self,
        game: AnyGame,
        entrant: Entrant,
        seat: int,
        names: Sequence[str],
        terminal: PlayTerminal,
        journal: PlayJournal,
        adviser: Adviser | None,
        read_rules: Callable[[], str],
    ) -> None:
        super().__init__(game, entrant, seat, adviser)
        self._names = names
        self._terminal = terminal
        self._journal = journal
        self._read_rules = read_rules
        self._narrator = Narrator(seat, names)
        self._picture: list[str] = []
        self._unread_sentences: list[str] = []  # since the last decision
        self._is_resumed = False
        self._advice: str | None = None

    # ---- the journal of the match

    def show_state(self, state: AnyState, log_end: int) -> None:
        """Narrate what the person has observed since the last state; the last events, if that was an interruption."""
        table = state.table
        if self._moment is None:
            self._terminal.show_signs(self._game, table.layout.deck, self._names)
        places: list[Zone | Secret] = [*table.layout.zones, *table.layout.secrets]
        sentences = list(self._narrator.narrate(table.events(self._seat, self.log_position, log_end), places))
        self.log_position = log_end
        self.keep_state(state)
        self._unread_sentences += sentences
        told = sentences
        if self._is_resumed:
            told = sentences[-RETOLD_SENTENCES:]
            self._is_resumed = False
        self._terminal.say(*told)

    def record_decision(self, decision: Decision) -> None:
        """Journal a decision.

        Raises:
            TakenBack: it is another player's, and the person has taken back what it answers.
        """
        if decision.seat != self._seat:
            self._close_taking_back()
        self._journal.write(JournalEntry(decision=decision))
        if decision.seat == self._seat:
            self.note_decision()
            self.can_take_back &= self._terminal.is_interactive

    def record_incident(self, incident: Incident) -> None:
        """Journal a fault and announce it.

        Raises:
            TakenBack: as for a decision.
        """
        self._close_taking_back()
        self._journal.write(JournalEntry(incident=incident))
        self._terminal.warn(self._narrator.describe_fault(incident))

    # ---- the seat

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Note whether the game is resumed: then only the last events are narrated."""
        self._is_resumed = bool(decisions)

    def observe(self, state: AnyState) -> object:
        """Render the table for the person; there is no view to send."""
        self._picture = self._render_table(state)
        return super().observe(state)

    async def decide(
        self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent], together: Sequence[int] = ()
    ) -> Answer:
        """Ask the person for an action.

        Raises:
            PersonLeft: the person wants to stop, or the input has ended.
            TakenBack: the person takes back the decision before this, which nobody has answered.
        """
        self.note_question()
        began = perf_counter()
        self._advice = None
        bounds = {index: entry.bounds for index, entry in enumerate(legal) if type(entry) in RANGE_TYPES}
        menu = Menu([action_text(entry) for entry in legal], bounds)
        actions = "one action" if len(legal) == 1 and not bounds else f"{len(legal)} actions"
        self._terminal.say_heading(f"Your turn ({phase.replace('_', ' ')}): {actions}")
        self._terminal.say(*self._picture, "")
        self._show_menu(menu)
        action = await self._choose(menu, phase, legal)
        self._unread_sentences.clear()
        return Answer(action, round((perf_counter() - began) * 1e6), 0, self._advice)

    async def end(self, end: End) -> None:
        """Show the final table and the places."""
        assert self._state is not None
        self._terminal.say_heading("The game is over.")
        self._terminal.say(*self._render_table(self._state))
        for seat in sorted(range(len(self._names)), key=end.places.__getitem__):
            forfeited = any(fault.seat == seat and fault.is_forfeit for fault in end.faults)
            counts = " (it has forfeited, and counts as last)" if forfeited else ""
            points = f"{end.points[seat]:g} {'point' if end.points[seat] == 1 else 'points'}"
            self._terminal.say(f"  {end.places[seat]}. {self._narrator.player_name(seat)}: {points}{counts}")

    # ---- within

    def _render_table(self, state: AnyState) -> list[str]:
        with PluginCalls(self._game, lambda: f"in the picture for seat {self._seat}"):
            return render_for_terminal(state, self._seat, self._names, self._terminal.width)

    async def _choose(self, menu: Menu, phase: str, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - of any game
        """Ask until an action is chosen, and confirmed if standard input is a keyboard."""
        is_forced = len(legal) == 1 and not menu.bounds
        choice = legal[0] if is_forced else None
        ranged: int | None = None  # the range that was chosen, without a number yet
        while True:
            typed = await self._terminal.ask(_prompt(menu, choice, ranged, is_forced=is_forced))
            if typed is None:
                raise PersonLeft
            typed = read_signs(typed)
            if ranged is not None and typed.strip().isdecimal():
                typed = f"{ranged + 1} {typed}"
            match typed.strip().lower():
                case "q" | "quit":
                    raise PersonLeft
                case "?":
                    await self._ask_adviser(phase, legal)
                case "h" | "help":
                    how = HOW_TO_CONFIRM if self._terminal.needs_confirmation else HOW_QUICK
                    self._terminal.say(*HELP, how, *([HOW_TO_TAKE_BACK] if self._terminal.is_interactive else []))
                case "h rules":
                    await self._terminal.show_long_text(self._read_rules())
                case "h cards":
                    self._terminal.say(*self._describe_faces(self._list_known_faces()))
                case question if question.startswith(("h ", "help ")):
                    self._terminal.say(self._describe_card(typed.strip().partition(" ")[2].strip()))
                case ".":
                    self._terminal.say(*self._unread_sentences, "", *self._picture, "")
                    self._show_menu(menu)
                case "" if choice is not None:
                    return choice
                case undo if undo in UNDO:
                    self._undo((choice is not None and not is_forced) or ranged is not None)
                    choice, ranged = (choice if is_forced else None), None
                case "" | "-" as key:
                    self._turn_page(menu, -1 if key else 1)
                case words:
                    found = menu.find(words)
                    if found.complaint:
                        self._terminal.say(found.complaint)
                        continue
                    ranged, choice = _read_match(found, legal)
                    if found.choice is None:
                        self._show_menu(menu)
                    elif choice is not None and not self._terminal.needs_confirmation:
                        return choice

    def _describe_card(self, word: str) -> str:
        """Return what a card is, by its face in capitals or small letters."""
        assert self._state is not None
        faces = {str(face).lower(): face for face in self._state.table.layout.deck.faces}
        if word.lower() not in faces:
            return f"No card here is called {word!r}."
        return self._describe_faces([faces[word.lower()]])[0]

    def _list_known_faces(self) -> list[Face]:
        """Return the faces on the table that the person knows, in the order of the deck."""
        assert self._moment is not None
        table = self._moment.table
        known = {face for zone in table.layout.zones for face in table.faces_known_to(zone, self._seat)}
        return [face for face in dict.fromkeys(table.layout.deck.faces) if face in known]

    def _describe_faces(self, faces: Sequence[Face]) -> list[str]:
        """Return a line for each face that the game describes, or that it describes none."""
        with PluginCalls(self._game, lambda: "in the descriptions of the cards"):
            told = [
                f"{face}: {words}"
                for face in faces
                if isinstance(self._game, FaceDescriber) and (words := self._game.describe_face(face))
            ]
        return told or [f"{self._game.title} does not describe its cards one by one; h rules shows its rule book."]

    def _undo(self, is_chosen: bool) -> None:
        """Say that the choice is taken back; without one, raise TakenBack for the last decision if that can be."""
        if is_chosen:
            self._terminal.say("Taken back.")
        elif self.can_take_back:
            raise TakenBack
        else:
            self._terminal.say(
                "Nothing is chosen, and nothing that was played can be taken back: somebody has answered it, or it has "
                "shown you something."
            )

    def _close_taking_back(self) -> None:
        """Raise TakenBack if the person has asked for it in time: the decision is about to be answered."""
        if self.can_take_back and self._terminal.was_undo_typed():
            raise TakenBack
        self.can_take_back = False

    def _turn_page(self, menu: Menu, pages: int) -> None:
        width, rows = self._terminal.width, self._terminal.rows
        if menu.is_narrowed and pages > 0 and menu.page == menu.count_pages(width, rows) - 1:
            menu.widen()
        else:
            menu.turn_page(pages, width, rows)
        self._show_menu(menu)

    def _show_menu(self, menu: Menu) -> None:
        """Show a page of the menu and how to reach the others."""
        width, rows = self._terminal.width, self._terminal.rows
        pages = menu.count_pages(width, rows)
        if menu.is_narrowed:
            self._terminal.say(f"{len(menu.visible)} of {len(menu.texts)} actions:")
        self._terminal.say(*menu.lines(width, rows))
        if menu.page < pages - 1 or (pages > 1 and not menu.is_narrowed):
            self._terminal.say(f"Page {menu.page + 1} of {pages}. Enter turns it; words of an action find it.")
        elif menu.is_narrowed:
            self._terminal.say("Enter lists all actions again.")

    async def _ask_adviser(self, phase: str, legal: Sequence[Any]) -> None:
        if self.adviser is None:
            self._terminal.say("There is nobody to ask: name a bot with --hint.")
            return
        self._terminal.say(f"Asking {self.adviser.name} …")
        try:
            answer = await self._ask(self.adviser, phase, legal)
        except AdviceError as error:
            self._terminal.warn(str(error))
            return
        self._advice = self.adviser.note(answer.action)
        number = find_entry(answer.action, legal)
        assert number is not None
        self._terminal.say(f"{self.adviser.name} would choose {number + 1}: {action_text(answer.action)}.")
        if answer.note:
            self._terminal.say(f"Why: {answer.note}")


def _read_match(found: MenuMatch, legal: Sequence[Any]) -> tuple[int | None, Any]:
    """Return the range that was chosen without a number, and the action that was chosen."""
    if found.choice is None:
        return None, None
    entry = legal[found.choice]
    if type(entry) not in RANGE_TYPES:
        return None, entry
    return (found.choice, None) if found.number is None else (None, entry.action_with(found.number))


def _prompt(menu: Menu, choice: object, ranged: int | None, *, is_forced: bool) -> str:
    if ranged is not None:
        return f"{menu.texts[ranged]}: which number?"
    if choice is None:
        return "Which?"
    return "There is only this. Enter plays it." if is_forced else f"{action_text(choice)}? Enter: yes, u: no."
