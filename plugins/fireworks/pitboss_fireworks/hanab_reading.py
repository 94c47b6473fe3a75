"""Games of hanab.live, read from its JSON: each move is played again, by the rules of this game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, NoReturn

from msgspec import Struct, ValidationError, convert, to_builtins
from msgspec.structs import replace

from pitboss import AnyGame, Random
from pitboss.errors import OptionError, RefusedGame
from pitboss.foreign_input import InputRefused, read_json, read_json_at
from pitboss.game import resolve_options
from pitboss.records.record import BrokenGame, Decision, Record, StoppedGame, read_each
from pitboss.text import join_words
from pitboss_fireworks.cards import RAINBOW, SPECIAL_LETTERS, UNNAMED, write_seed
from pitboss_fireworks.messages import DISCARDS, HINTS, PLAYS, FireworksAction

LAST_SUITS: Final = {  # what the last colour is: the rainbow or `special`, and whether it has each number once
    "Rainbow": ("rainbow", False), "Dark Rainbow": ("rainbow", True), "Black": (None, True),
    "White": ("colourless", False), "Gray": ("colourless", True), "Pink": ("pink", False), "Dark Pink": ("pink", True),
    "Brown": ("brown", False), "Dark Brown": ("brown", True), "Omni": ("omni", False), "Dark Omni": ("omni", True),
    "Null": ("null", False), "Dark Null": ("null", True), "Prism": ("prism", False), "Dark Prism": ("prism", True),
    "Light Pink": ("light_pink", False), "Gray Pink": ("light_pink", True),
    "Muddy Rainbow": ("muddy_rainbow", False), "Cocoa Rainbow": ("muddy_rainbow", True),
}  # fmt: skip
VARIANT: Final = re.compile(rf"No Variant|([3-6]) Suits|({'|'.join(LAST_SUITS)}) \(([3-6]) Suits\)")
IDLE_OPTIONS: Final = frozenset({  # of the site, which change no rule
    "numPlayers", "timed", "timeBase", "timePerTurn", "speedrun", "cardCycle", "tableName", "name", "maxPlayers",
})  # fmt: skip
LETTERS: Final = "RYGBWP"  # by the number of a suit; six plain ones have their purple as fifth
SIX_LETTERS: Final = "RYGBPW"
GAP: Final = re.compile(r"[\s,]*")
ENDINGS: Final = {3: "the time of a player", 4: "a player", 6: "the server, as nobody played", 10: "a vote"}
PLAY, DISCARD, COLOUR_HINT, NUMBER_HINT, END = range(5)


class ExportedCard(Struct, frozen=True, rename="camel"):
    """A card of the deck."""

    suit_index: int
    rank: int


class ExportedMove(Struct, frozen=True):
    """A move: a card by its number in the deck, or a hint to a player."""

    type: int
    target: int
    value: int = 0


class ExportedOptions(Struct, frozen=True, kw_only=True, rename="camel"):
    """The options that change the rules; others, such as clocks, do not matter."""

    variant: str = "No Variant"
    starting_player: int = 0
    deck_plays: bool = False
    empty_clues: bool = False
    one_extra_card: bool = False
    one_less_card: bool = False
    all_or_nothing: bool = False
    detrimental_characters: bool = False


class ExportedGame(ExportedOptions, frozen=True, kw_only=True):
    """A game as the site exports it; older files have the options beside the players."""

    players: list[str]
    deck: list[ExportedCard]
    actions: list[ExportedMove]
    options: dict[str, Any] = {}
    characters: list[Any] | None = None
    id: int | None = None


class FoundGame(NamedTuple):
    """A game of a text, and where it stands."""

    line: int
    number: int
    live: ExportedGame


def read_games(game: AnyGame, lines: Iterable[str]) -> Iterator[Record | RefusedGame]:
    """Yield the record of each game of a text: one JSON object, an array of them, or one a line; of others why not."""
    yield from read_each(_find_games(lines), lambda found: ExportReader(found).replay(game))


def _find_games(lines: Iterable[str]) -> Iterator[FoundGame | RefusedGame]:
    rows = [line.removeprefix("\ufeff").rstrip("\r\n") for line in lines]
    for number, (line, piece) in enumerate(_split_values(rows), 1):
        try:
            yield FoundGame(line, number, read_json(piece, ExportedGame))
        except InputRefused as refused:
            yield RefusedGame(line, f"this is no game of hanab.live: {refused}")


def _split_values(rows: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the values of a text, each with the line in which it begins."""
    text = "\n".join(rows)
    first = next((row for row in rows if row.strip()), "")
    if text.lstrip().startswith("["):
        yield from _split_array(text)
    elif _is_whole(first):
        yield from ((line, row) for line, row in enumerate(rows, 1) if row.strip())
    else:
        yield 1, text


def _split_array(text: str) -> Iterator[tuple[int, str]]:
    """Yield the values of an array; what follows one that is no JSON is one more."""
    at, line = text.index("[") + 1, 1 + text.count("\n", 0, text.index("["))
    while gap := GAP.match(text, at):
        line += text.count("\n", at, gap.end())
        at = gap.end()
        if text.startswith("]", at) and not text[at + 1 :].strip():
            return
        try:
            _, end = read_json_at(text, at)
        except InputRefused:
            end = len(text)
        yield line, text[at:end]
        line += text.count("\n", at, end)
        at = end
        if at >= len(text):
            return


def _is_whole(row: str) -> bool:
    try:
        return isinstance(read_json(row, object), dict)
    except InputRefused:
        return False


class ExportReader:
    """One game, played again."""

    def __init__(self, found: FoundGame) -> None:
        self.line, self.live = found.line, found.live
        name = "" if found.live.id is None else f" (id {found.live.id})"
        self.where = f"game {found.number}{name}"
        self.options = self.merge_options()
        self.first = self.options.starting_player

    def fail(self, what: str) -> NoReturn:
        """Raise RefusedGame."""
        raise RefusedGame(self.line, f"{self.where}: {what}")

    def merge_options(self) -> ExportedOptions:
        """Return the options, given among `options` or beside the players.

        Raises:
            RefusedGame: an option is given in both places, and differs; or one is unknown, so that it may change rules.
        """
        usual, given, written = ExportedOptions(), dict[str, Any](), dict(self.live.options)
        if "variantName" in written:
            written.setdefault("variant", written.pop("variantName"))
        known = IDLE_OPTIONS.union(ExportedOptions.__struct_encode_fields__)
        if unknown := sorted(written.keys() - known):
            self.fail(f"the option {unknown[0]!r} is unknown, and may change the rules")
        try:
            nested = convert(written, ExportedOptions)
        except ValidationError as wrong:
            self.fail(f"options: {wrong}")
        for name in ExportedOptions.__struct_fields__:
            said = {getattr(place, name) for place in (nested, self.live)} - {getattr(usual, name)}
            if len(said) > 1:
                self.fail(f"{name.replace('_', ' ')} is given twice, as {' and as '.join(sorted(map(repr, said)))}")
            if said:
                [given[name]] = said
        return ExportedOptions(**given)

    def replay(self, game: AnyGame) -> Record:
        """Return the record. A game that went on when no card could fit was played before the site ended these.

        Raises:
            RefusedGame: something is wrong with it.
            StoppedGame: it was broken off.
        """
        seats, given = len(self.live.players), self.read_options()
        try:
            options = resolve_options(game, seats, None, {**given, "early": True})
        except OptionError as error:
            self.fail(str(error))
        if not 0 <= self.first < seats:
            self.fail(f"startingPlayer is {self.first}; {seats} play")
        letters = self.list_letters()
        record, left = self.play_moves(game, options, letters)
        if left:
            record, left = self.play_moves(game, resolve_options(game, seats, None, {**given, "early": False}), letters)
        if left:
            self.fail(f"{left} moves come after the end of the game")
        return record

    def read_options(self) -> dict[str, object]:
        """Return the options of our game."""
        given, seats = self.options, len(self.live.players)
        found = VARIANT.fullmatch(given.variant)
        if found is None:
            known = join_words([*LAST_SUITS], "and")
            self.fail(f"variant is {given.variant!r}; what can be read is No Variant, 3 to 6 Suits, {known}")
        for name in ("deck_plays", "detrimental_characters"):
            if getattr(given, name):
                self.fail(f"{name.replace('_', ' ')} change the rules, and are not read")
        if self.live.characters:
            self.fail("characters change the rules, and are not read")
        kind, is_single = LAST_SUITS.get(found[2], (None, False))
        return {
            "colours": int(found[1] or found[3] or 5),
            "rainbow": kind == "rainbow",
            "special": None if kind == "rainbow" else kind,
            "single": is_single,
            "hand": (5 if seats < 4 else 4) + given.one_extra_card - given.one_less_card,
            "empty_hints": given.empty_clues,
            "end": "play_on" if given.all_or_nothing else "deck",
        }

    def list_letters(self) -> str:
        """Return our letters of its suits."""
        options = self.read_options()
        letters = SIX_LETTERS if self.options.variant == "6 Suits" else LETTERS
        letters = letters[: int(str(options["colours"]))]
        last = RAINBOW if options["rainbow"] else SPECIAL_LETTERS.get(str(options["special"]), letters[-1])
        return letters[:-1] + last

    def play_moves(self, game: AnyGame, options: Any, letters: str) -> tuple[Record, int]:  # noqa: ANN401 - of our game
        """Return the record of the moves up to the end of the game, and how many are left then."""
        live, seats, size = self.live, len(self.live.players), options.hand
        faces = [self.read_card(card, letters) for card in live.deck]
        order = [  # seat 0 begins, and cards are dealt one at a time to each seat
            (self.first + seat) % seats * size + row for row in range(size) for seat in range(seats)
        ]
        order += range(seats * size, len(faces))
        if len(faces) <= seats * size:
            self.fail(f"the deck has {len(faces)} cards")
        seed = write_seed([faces[card] for card in order])
        state: Any = game.deal(seats, options, Random(seed))
        if sorted(faces) != sorted(map(str, state.table.layout.deck.faces)):
            self.fail(f"the {len(faces)} cards of the deck are not those of {self.options.variant!r}")
        held = [[order[row * seats + seat] for row in range(size)] for seat in range(seats)]
        following = seats * size
        decisions: list[Decision] = []
        for number, move in enumerate(live.actions, 1):
            if state.turn is None:
                left = [one for one in live.actions[number - 1 :] if one.type != END]
                return self.make_record(game, options, seed, decisions, state), len(left)
            seat = state.turn.seat
            if move.type == END:
                by = ENDINGS.get(move.value, f"ending {move.value}")
                self.refuse_stopped(
                    f"the game was broken off at move {number} by {by}", game, options, seed, decisions, state
                )
            action = self.read_move(number, move, held[seat], letters)
            if action not in state.legal():
                self.fail(f"move {number}, {_describe(action)} by {self.name_player(seat)!r}, is not legal there")
            decisions.append(Decision(seat=seat, action=to_builtins(action)))
            state.play(action)
            if move.type in (PLAY, DISCARD):
                held[seat].remove(move.target)
                if following < len(faces):
                    held[seat].append(following)
                    following += 1
        if state.turn is not None:
            why = f"the game was not played to its end: {len(live.actions)} moves"
            self.refuse_stopped(why, game, options, seed, decisions, state)
        return self.make_record(game, options, seed, decisions, state), 0

    def read_card(self, card: ExportedCard, letters: str) -> str:
        """Return the face of a card."""
        if not 0 <= card.suit_index < len(letters) or not 1 <= card.rank <= 5:
            self.fail(f"the deck has a card of suit {card.suit_index} and rank {card.rank}")
        return f"{letters[card.suit_index]}{card.rank}"

    def read_move(self, number: int, move: ExportedMove, held: list[int], letters: str) -> FireworksAction:
        """Return a move as an action of ours; `held` are the numbers of the player's cards, from the oldest."""
        if move.type in (PLAY, DISCARD):
            if move.target not in held:
                self.fail(f"move {number} is about card {move.target}; the player holds {', '.join(map(str, held))}")
            return (PLAYS if move.type == PLAY else DISCARDS)[held.index(move.target)]
        if move.type not in (COLOUR_HINT, NUMBER_HINT):
            self.fail(f"move {number} has type {move.type}; types are 0 to 4")
        seats = len(self.live.players)
        if not 0 <= move.target < seats:
            self.fail(f"move {number} is a hint to player {move.target}; {seats} play")
        signs = "".join(one for one in letters if one not in UNNAMED) if move.type == COLOUR_HINT else "12345"
        place = move.value if move.type == COLOUR_HINT else move.value - 1
        if not 0 <= place < len(signs):
            self.fail(f"move {number} is a hint of value {move.value}")
        return HINTS[(move.target - self.first) % seats][signs[place]]

    def name_player(self, seat: int) -> str:
        """Return who sat there; "player 2" where two have one name, or none."""
        place = (self.first + seat) % len(self.live.players)
        name = self.live.players[place]
        return name if name and self.live.players.count(name) == 1 else f"player {place + 1}"

    def refuse_stopped(
        self,
        why: str,
        game: AnyGame,
        options: Any,  # noqa: ANN401 - of Fireworks
        seed: str,
        decisions: list[Decision],
        state: Any,  # noqa: ANN401 - of Fireworks
    ) -> NoReturn:
        """Raise StoppedGame with the record of what was played."""
        record = self.make_record(game, options, seed, decisions, state)
        raise StoppedGame(self.line, f"{self.where}: {why}", replace(record, broken=BrokenGame(why=why)))

    def make_record(
        self,
        game: AnyGame,
        options: Any,  # noqa: ANN401 - of Fireworks
        seed: str,
        decisions: list[Decision],
        state: Any,  # noqa: ANN401 - of Fireworks
    ) -> Record:
        """Return the record of what was played."""
        return Record(
            game=game.name,
            game_version=game.version,
            options=to_builtins(options),
            seed=seed,
            players=[self.name_player(seat) for seat in range(len(self.live.players))],
            decisions=decisions,
            outcome=state.outcome(),
        )


def _describe(action: FireworksAction) -> str:
    fields = {name: getattr(action, name) for name in action.__struct_fields__}
    return f"{type(action).__name__.lower()} {' '.join(f'{name} {value}' for name, value in fields.items())}"
