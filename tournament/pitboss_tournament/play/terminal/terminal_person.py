"""A person in a seat of the match, without a clock: narration, rendering, the choice of an action, and an adviser.

Legal actions are a menu: numbered from 1, found by number or words, shown in pages; a range of actions is one entry.
On a narrow terminal the table is folded: names are shortened, gaps closed, tables split into parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from math import comb
from time import perf_counter
from typing import Any, Final, NamedTuple

from msgspec import Struct, inspect
from msgspec.structs import replace

from pitboss.action_range import RANGE_TYPES, find_entry
from pitboss.errors import RefusedGame
from pitboss.game import AnyGame, AnyState, FaceDescriber, render_state
from pitboss.open_actions import NOTHING_OPEN, OpenChoices, read_open_action, word_of
from pitboss.protocol.messages import End
from pitboss.records.notation import parse_action
from pitboss.records.record import Decision, Incident
from pitboss.rendering.presentation import Speech, find_presentation, word_phase
from pitboss.table.cards import Deck, Face
from pitboss.table.events import AnyEvent
from pitboss.table.secrets import Secret
from pitboss.table.zones import Zone
from pitboss.text import truncate_text
from pitboss_tournament.match.plugin_calls import PluginCalls
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.play.journal import JournalEntry, PlayJournal
from pitboss_tournament.play.narration import Narrator
from pitboss_tournament.play.person_seat import AdviceError, Adviser, PersonLeft, PersonSeat, TakenBack
from pitboss_tournament.play.play_terminal import UNDO, PlayTerminal
from pitboss_tournament.text.card_signs import read_signs
from pitboss_tournament.text.instrument_panel import InstrumentPanel, price_action
from pitboss_tournament.text.schema_text import allowed_text, description_text, struct_types
from pitboss_tournament.text.terminal_text import AS_PRINTED, count_cells, pad_cells, word_action

RETOLD_SENTENCES: Final = 6  # sentences shown again when a game is resumed
HELP: Final = (
    "A number chooses that action. "
    "Words of an action do so, too, if no other action has them; otherwise the list shrinks to the actions with them. "
    "An action with a range of numbers takes one too: 3 500, or raise 500.",
    "Enter turns the page of a long list, or lists all actions again; - turns it back; . shows the table again.",
    "? asks for advice; q stops, and the game is kept as it stands. "
    "In the picture a dot is a card that you do not know, and > marks the player on turn. "
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

MENU_GAP: Final = 3  # blanks between two columns

COMFORTABLE_WIDTH: Final = 60  # columns that a game's own rendering may take
SHORT_NAME: Final = 8
FOLD_INDENT: Final = 4  # columns


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
        self._narrator = Narrator(seat, names, find_presentation(game))
        self._panel: InstrumentPanel | None = None  # from the first state on
        self._picture: list[str] = []
        self._unread_sentences: list[str] = []  # since the last decision
        self._is_resumed = False
        self._advice: str | None = None
        self._choices: list[tuple[Any, Any]] = []  # the legal actions, each with the action to show for it
        self._beside = NOTHING_OPEN  # what may be done beside them

    # ---- the journal of the match

    def show_state(self, state: AnyState, log_end: int) -> None:
        """Narrate what the person has observed since the last state; the last events, if that was an interruption."""
        table = state.table
        if self._moment is None:
            self._terminal.show_signs(self._game, table.layout.deck, self._names)
        places: list[Zone | Secret] = [*table.layout.zones, *table.layout.secrets]
        events = list(table.events(self._seat, self.log_position, log_end))
        sentences = list(self._narrator.narrate(events, places))
        if self._panel is None:
            speech = Speech(find_presentation(self._game), AS_PRINTED, self._names, self._seat)
            self._panel = InstrumentPanel(self._game, table.layout, speech, self._seat)
        self._panel.follow(events)
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
        self,
        phase: str,
        legal: Sequence[Any],
        view: object,
        events: list[AnyEvent],
        together: Sequence[int] = (),
        beside: OpenChoices = NOTHING_OPEN,
    ) -> Answer:
        """Ask the person for an action.

        Raises:
            PersonLeft: the person wants to stop, or the input has ended.
            TakenBack: the person takes back the decision before this, which nobody has answered.
        """
        self.note_question()
        began = perf_counter()
        self._advice = None
        self._beside = beside
        assert self._state is not None
        self._choices = sort_choices(self._state.table.layout.deck, legal)
        legal = [action for action, _ in self._choices]
        bounds = {index: entry.bounds for index, entry in enumerate(legal) if type(entry) in RANGE_TYPES}
        seen = self._moment or self._state
        prices = ["" if seen is None else price_action(seen, self._game, entry) for entry in legal]
        menu = Menu([self._word_action(entry) + price for entry, price in zip(legal, prices, strict=True)], bounds)
        actions = "one action" if len(legal) == 1 and not bounds else f"{len(legal)} actions"
        actions += "".join(f", or an action {word!r}" for word in beside.words)
        self._terminal.say_heading(f"Your turn ({word_phase(self._game, phase)}): {actions}")
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
            told = [] if self._panel is None else [f"  {line}" for line in self._panel.tell(state)]
            return [*render_for_terminal(state, self._seat, self._names, self._terminal.width), *told]

    async def _choose(self, menu: Menu, phase: str, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - of any game
        """Ask until an action is chosen, and confirmed if standard input is a keyboard."""
        is_forced = len(legal) == 1 and not menu.bounds and not self._beside.kinds
        choice = legal[0] if is_forced else None
        ranged: int | None = None  # the range that was chosen, without a number yet
        while True:
            typed = await self._terminal.ask(
                _prompt(menu, None if choice is None else self._word_action(choice), ranged, is_forced=is_forced)
            )
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
                    self._terminal.say(*describe_open_actions(self._beside))
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
                case words if words.startswith("{") or words.partition(" ")[0] in self._beside.words:
                    action, why = read_typed_action(typed, self._beside)
                    if action is None:
                        self._terminal.say(f"This cannot be played: {why}.")
                        continue
                    choice, ranged = action, None
                    if not self._terminal.needs_confirmation:
                        return choice
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
        if self._beside.kinds:
            self._terminal.say(f"Or type out what is not listed: {'; '.join(map(write_pattern, self._beside.kinds))}.")

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
        self._terminal.say(f"{self.adviser.name} would choose {number + 1}: {self._word_action(answer.action)}.")
        if answer.note:
            self._terminal.say(f"Why: {answer.note}")

    def _word_action(self, action: object) -> str:
        shown = next((shown for legal, shown in self._choices if legal == action), action)
        return word_action(self._game, shown, names=self._names, reader=self._seat)


def write_pattern(kind: type[Struct]) -> str:
    """Return how an action of a kind is typed: "offer books=… hats=…"."""
    return " ".join([word_of(kind), *(f"{name}=…" for name in kind.__struct_encode_fields__)])


def describe_open_actions(beside: OpenChoices) -> Iterator[str]:
    """Yield a line for each kind of action that is not listed, and for each of its fields."""
    for kind in beside.kinds:
        yield f"{write_pattern(kind)} is not in the list: type it, each … a value, or the whole action as JSON."
        for field in struct_types(inspect.type_info(kind))[0].fields:
            yield f"  {field.encode_name}: {allowed_text(field.type)}. {description_text(field.type)}".rstrip()


def read_typed_action(typed: str, beside: OpenChoices) -> tuple[Any, str]:
    """Return the open action that was typed, as notation or JSON, and ""; None and why if it cannot be played."""
    try:
        action, why = read_open_action(parse_action(typed), beside)
    except RefusedGame as refused:
        return None, refused.why
    return action, f"none of {', '.join(beside.words) or 'these'} is meant" if why is None else why


def sort_choices(deck: Deck, legal: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Return the legal actions, each with the action to show for it.

    Where any k of n cards may be chosen, these choices, and the cards within each, stand in the order of the deck, as
    hands do in the picture of the table. All other actions stay where they are, and are shown as they are.
    """
    ranks = {str(face): rank for rank, face in enumerate(dict.fromkeys(deck.faces))}
    found: list[tuple[Any, Any]] = []
    for kind, run in groupby(legal, type):
        actions = list(run)
        field = _find_card_set(kind, actions, ranks) if len(actions) > 1 else None
        if field is None:
            found += [(action, action) for action in actions]
            continue
        pairs = [
            (action, replace(action, **{field: sorted(getattr(action, field), key=lambda face: ranks[str(face)])}))
            for action in actions
        ]
        found += sorted(pairs, key=lambda pair: [ranks[str(face)] for face in getattr(pair[1], field)])
    return found


def _find_card_set(kind: type, actions: Sequence[Any], ranks: dict[str, int]) -> str | None:
    """Return the field by which the actions are all choices of k of n cards, two at least; None if there is none."""
    if not issubclass(kind, Struct):
        return None
    for field in kind.__struct_fields__:
        lists = [getattr(action, field) for action in actions]
        if not all(isinstance(cards, list | tuple) and all(str(card) in ranks for card in cards) for cards in lists):
            continue
        sizes, known = {len(cards) for cards in lists}, {str(card) for cards in lists for card in cards}
        combinations = {frozenset(map(str, cards)) for cards in lists}
        if len(sizes) == 1 and (size := sizes.pop()) > 1 and len(combinations) == len(lists) == comb(len(known), size):
            return field
    return None


def _read_match(found: MenuMatch, legal: Sequence[Any]) -> tuple[int | None, Any]:
    """Return the range that was chosen without a number, and the action that was chosen."""
    if found.choice is None:
        return None, None
    entry = legal[found.choice]
    if type(entry) not in RANGE_TYPES:
        return None, entry
    return (found.choice, None) if found.number is None else (None, entry.action_with(found.number))


def _prompt(menu: Menu, told: str | None, ranged: int | None, *, is_forced: bool) -> str:
    """Return the prompt; `told` is the chosen action in words, None if there is none."""
    if ranged is not None:
        return f"{menu.texts[ranged]}: which number?"
    if told is None:
        return "Which?"
    return "There is only this. Enter plays it." if is_forced else f"{told}? Enter: yes, u: no."


class MenuMatch(NamedTuple):
    """The chosen entry, or the reason why the input chose none."""

    choice: int | None = None
    number: int | None = None  # of a range, if it was typed too
    complaint: str | None = None  # None: there is a choice, or the list has been narrowed


class Menu:
    """The actions of one decision by their texts; `visible` are those listed: all, or those with the words typed.

    `bounds` are the bounds of those entries that are ranges, by index.
    """

    def __init__(self, texts: Sequence[str], bounds: Mapping[int, tuple[int, int]] | None = None) -> None:
        self.texts = texts
        self.bounds = bounds or {}
        self.visible: Sequence[int] = range(len(texts))
        self.page = 0

    @property
    def is_narrowed(self) -> bool:
        """Whether not all actions are listed."""
        return len(self.visible) < len(self.texts)

    def find(self, typed: str) -> MenuMatch:
        """Choose an action by its number or by words that only it has; other words narrow the list.

        Of a range both may be followed by a number: "3 500", "raise 500".
        """
        if typed.isdecimal():
            return self._match_number(typed)
        words = typed.lower().split()
        if (match := self._match_range(words)) is not None:
            return match
        found = self._match_words(words, self.visible) or self._match_words(words, range(len(self.texts)))
        if not found:
            return MenuMatch(complaint=f"No action has {typed!r} in it.")
        if len(found) == 1:
            return MenuMatch(found[0])
        self._show_only(found)
        return MenuMatch()

    def widen(self) -> None:
        """List all actions again."""
        self._show_only(range(len(self.texts)))

    def turn_page(self, pages: int, width: int, rows: int) -> None:
        """Turn `pages` pages, back if negative; the first page follows the last."""
        self.page = (self.page + pages) % self.count_pages(width, rows)

    def count_pages(self, width: int, rows: int) -> int:
        """Return the number of pages of the listed actions."""
        return -(-len(self.visible) // self._actions_per_page(width, rows))

    def lines(self, width: int, rows: int) -> list[str]:
        """Return the current page as lines of aligned cells, numbered along the lines."""
        per_page, wide = self._actions_per_page(width, rows), self._cell_width()
        columns = max(1, (width + MENU_GAP) // (wide + MENU_GAP))
        shown = self.visible[self.page * per_page : (self.page + 1) * per_page]
        cells = [f"{choice + 1:>{self._number_width()}} {self.texts[choice]}" for choice in shown]
        rows_of_cells = [cells[first : first + columns] for first in range(0, len(cells), columns)]
        return [(" " * MENU_GAP).join(pad_cells(cell, wide) for cell in row).rstrip() for row in rows_of_cells]

    def _match_number(self, typed: str) -> MenuMatch:
        if len(typed) <= self._number_width() and 1 <= int(typed) <= len(self.texts):
            return MenuMatch(int(typed) - 1)
        return MenuMatch(complaint=f"There is no action {typed}: they are numbered 1 to {len(self.texts)}.")

    def _match_range(self, words: Sequence[str]) -> MenuMatch | None:
        """Choose a range and a number in it; None if no range is named so, or more than one."""
        if len(words) < 2 or not words[-1].isdecimal():
            return None
        *named, number = words
        is_counted = len(named) == 1 and named[0].isdecimal() and len(named[0]) <= self._number_width()
        found = [int(named[0]) - 1] if is_counted else self._match_words(named, [*self.bounds])
        if len(found) != 1 or found[0] not in self.bounds:
            return None
        lowest, highest = self.bounds[found[0]]
        if len(number) > len(str(highest)) or not lowest <= int(number) <= highest:
            return MenuMatch(complaint=f"The number may be {lowest} to {highest}, not {number}.")
        return MenuMatch(found[0], int(number))

    def _match_words(self, words: Sequence[str], among: Sequence[int]) -> list[int]:
        """Return the actions that contain all the words: as whole words, else as prefixes, else as substrings."""
        for fits in _WORD_MATCHERS:
            found = [choice for choice in among if all(fits(word, self.texts[choice].lower()) for word in words)]
            if found:
                return [choice for choice in found if self.texts[choice].lower().split() == list(words)] or found
        return []

    def _show_only(self, choices: Sequence[int]) -> None:
        self.visible = choices
        self.page = 0

    def _actions_per_page(self, width: int, rows: int) -> int:
        return max(1, (width + MENU_GAP) // (self._cell_width() + MENU_GAP)) * rows

    def _cell_width(self) -> int:
        return self._number_width() + 1 + max(count_cells(self.texts[choice]) for choice in self.visible)

    def _number_width(self) -> int:
        return len(str(len(self.texts)))


_WORD_MATCHERS: Final[tuple[Callable[[str, str], bool], ...]] = (
    lambda word, text: word in text.split(),
    lambda word, text: any(part.startswith(word) for part in text.split()),
    lambda word, text: word in text,
)


def render_for_terminal(state: AnyState, seat: int, names: Sequence[str], width: int) -> list[str]:
    """Return the game's rendering for a seat, fitted to `width`."""
    if width >= COMFORTABLE_WIDTH:
        return render_state(state, seat, names, width)
    short = [truncate_text(name, SHORT_NAME) for name in names]
    return list(narrow_lines(render_state(state, seat, short, width), width))


def narrow_lines(lines: Sequence[str], width: int) -> Iterator[str]:
    """Yield lines of at most `width`: rows of a table keep their columns, other lines are folded."""
    for is_wide, run in groupby(lines, lambda line: len(line) > width):
        block = list(run)
        yield from _fit_block(block, width) if is_wide else block


def _fit_block(lines: Sequence[str], width: int) -> Iterator[str]:
    """Fit adjacent lines that are all too wide; some of them may be a table."""
    begin = 0
    while begin < len(lines):
        end = next((end for end in range(len(lines), begin + 1, -1) if _is_table(lines[begin:end])), begin)
        if end > begin:
            yield from _split_table(_drop_empty_columns(lines[begin:end]), width)
        else:
            yield from _fold_line(lines[begin], width)
        begin = max(end, begin + 1)


def _is_table(lines: Sequence[str]) -> bool:
    """Whether the lines are a heading row and named rows whose columns align."""
    empty = _find_empty_columns(lines)
    head = _head_width(lines, empty)
    gaps = (gap for line in lines for gap in re.finditer(r"(?<=[^ ]) +(?=[^ ])", line) if gap.start() >= head)
    return (
        not lines[0][:head].strip()
        and all(line[:head].strip() for line in lines[1:])
        and all(any(empty[gap.start() : gap.end()]) for gap in gaps)
    )


def _fold_line(line: str, width: int) -> Iterator[str]:
    """Yield a line in pieces of whole words; later pieces are indented to its last column, if that leaves room."""
    columns = [gap.end() for gap in re.finditer(r"(?<=[^ ])  +(?=[^ ])", line)]
    indent = columns[-1] if columns and columns[-1] <= width // 2 else FOLD_INDENT
    first = len(line) - len(line.lstrip())
    piece = line[:first] if first <= width // 2 else " " * FOLD_INDENT
    for gap, word in re.findall(r"( *)([^ ]+)", line[first:]):
        if piece.strip() and len(piece) + len(gap) + len(word) > width:
            yield piece
            piece, gap = " " * indent, ""
        piece += gap + word
    yield piece


def _drop_empty_columns(lines: Sequence[str]) -> list[str]:
    """Return the lines with each gap that they share closed to one blank."""
    empty = _find_empty_columns(lines)
    begin = empty.index(False)
    kept = [column for column in range(len(empty)) if column < begin or not (empty[column] and empty[column - 1])]
    return ["".join(line.ljust(len(empty))[column] for column in kept).rstrip() for line in lines]


def _split_table(lines: Sequence[str], width: int) -> Iterator[str]:
    """Yield a table that is too wide in parts, one below the other, each with the row names before it."""
    empty = _find_empty_columns(lines)
    head = _head_width(lines, empty)
    cuts = [*(column for column in range(head, len(empty)) if empty[column]), len(empty)]
    if len(empty) <= width or len(lines) == 1 or head > width // 2:
        yield from lines
        return
    begin = head
    while begin < len(empty):
        end = max((column for column in cuts if begin < column <= begin + width - head), default=len(empty))
        yield from (f"{line[:head].ljust(head)}{line[begin:end]}".rstrip() for line in lines)
        begin = end


def _head_width(lines: Sequence[str], empty: Sequence[bool]) -> int:
    """Return the width of the column of row names."""
    indent = max(len(line) - len(line.lstrip()) for line in lines)
    return max((column for column in range(indent) if empty[column]), default=0)


def _find_empty_columns(lines: Sequence[str]) -> list[bool]:
    """Return for each column whether it is empty in all lines."""
    longest = max(map(len, lines))
    return [all(line[column : column + 1] in ("", " ") for line in lines) for column in range(longest)]
