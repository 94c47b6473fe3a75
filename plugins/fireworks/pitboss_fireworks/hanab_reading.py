"""Games of hanab.live, read from its JSON: each move is played again, by the rules of this game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NoReturn, TypeVar

from msgspec import Struct, to_builtins

from pitboss import AnyGame, Random
from pitboss.errors import OptionError, RecordError
from pitboss.foreign_input import InputRefused, read_json
from pitboss.game import resolve_options
from pitboss.records.record import Decision, Record
from pitboss_fireworks.cards import RAINBOW, write_seed
from pitboss_fireworks.messages import DISCARDS, HINTS, PLAYS, FireworksAction

T = TypeVar("T")

VARIANT: Final = re.compile(r"No Variant|([3-6]) Suits|(Rainbow|Black|Dark Rainbow) \(([3-6]) Suits\)")
LETTERS: Final = "RYGBWP"  # by the number of a suit; six plain ones have their purple as fifth
SIX_LETTERS: Final = "RYGBPW"
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
    options: ExportedOptions = ExportedOptions()
    id: int | None = None


def read_games(game: AnyGame, lines: Iterable[str]) -> Iterator[Record]:
    """Yield the record of each game of a text: one JSON object, an array of them, or one a line.

    Raises:
        RecordError: the text is none, a move is not legal, or a game was not played to its end.
    """
    for number, live in enumerate(_split_games(lines), 1):
        yield ExportReader(live, f"game {number}" if live.id is None else f"game {number} (id {live.id})").replay(game)


def _split_games(lines: Iterable[str]) -> list[ExportedGame]:
    kept = [line.removeprefix("\ufeff") for line in lines]
    text = "\n".join(kept)
    if text.lstrip().startswith("["):
        return _decode(text, "the text", list[ExportedGame])
    if kept and _is_whole(kept[0]):
        return [_decode(line, f"line {number}", ExportedGame) for number, line in enumerate(kept, 1) if line.strip()]
    return [_decode(text, "the text", ExportedGame)]


def _is_whole(line: str) -> bool:
    try:
        _decode(line, "the line", ExportedGame)
    except RecordError:
        return False
    return True


def _decode(text: str, where: str, wanted: type[T]) -> T:
    try:
        return read_json(text, wanted)
    except InputRefused as refused:
        raise RecordError(f"{where} is no game of hanab.live: {refused}") from None


class ExportReader:
    """One game, played again."""

    def __init__(self, live: ExportedGame, where: str) -> None:
        self.live, self.where = live, where
        self.options = self.merge_options()
        self.first = self.options.starting_player

    def fail(self, what: str) -> NoReturn:
        """Raise RecordError."""
        raise RecordError(f"{self.where}: {what}")

    def merge_options(self) -> ExportedOptions:
        """Return the options, given among `options` or beside the players.

        Raises:
            RecordError: an option is given in both places, and differs.
        """
        usual, given = ExportedOptions(), dict[str, Any]()
        for name in ExportedOptions.__struct_fields__:
            said = {getattr(place, name) for place in (self.live.options, self.live)} - {getattr(usual, name)}
            if len(said) > 1:
                self.fail(f"{name.replace('_', ' ')} is given twice, as {' and as '.join(sorted(map(repr, said)))}")
            if said:
                [given[name]] = said
        return ExportedOptions(**given)

    def replay(self, game: AnyGame) -> Record:
        """Return the record. A game that went on when no card could fit was played before the site ended these.

        Raises:
            RecordError: something is wrong with it.
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
            known = "No Variant, 3 to 6 Suits, Rainbow, Black and Dark Rainbow"
            self.fail(f"variant is {given.variant!r}; what can be read is {known}")
        for name in ("deck_plays", "detrimental_characters"):
            if getattr(given, name):
                self.fail(f"{name.replace('_', ' ')} change the rules, and are not read")
        kind = found[2] or ""
        return {
            "colours": int(found[1] or found[3] or 5),
            "rainbow": "Rainbow" in kind,
            "single": kind in ("Black", "Dark Rainbow"),
            "hand": (5 if seats < 4 else 4) + given.one_extra_card - given.one_less_card,
            "empty_hints": given.empty_clues,
            "end": "play_on" if given.all_or_nothing else "deck",
        }

    def list_letters(self) -> str:
        """Return our letters of its suits."""
        options = self.read_options()
        letters = SIX_LETTERS if self.options.variant == "6 Suits" else LETTERS
        letters = letters[: int(str(options["colours"]))]
        return letters[:-1] + RAINBOW if options["rainbow"] else letters

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
            self.fail(f"the game was not played to its end: {len(live.actions)} moves")
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
        if move.type == END:
            by = ENDINGS.get(move.value, f"ending {move.value}")
            self.fail(f"the game was broken off at move {number} by {by}")
        if move.type not in (COLOUR_HINT, NUMBER_HINT):
            self.fail(f"move {number} has type {move.type}; types are 0 to 4")
        seats = len(self.live.players)
        if not 0 <= move.target < seats:
            self.fail(f"move {number} is a hint to player {move.target}; {seats} play")
        signs = letters.replace(RAINBOW, "") if move.type == COLOUR_HINT else "12345"
        place = move.value if move.type == COLOUR_HINT else move.value - 1
        if not 0 <= place < len(signs):
            self.fail(f"move {number} is a hint of value {move.value}")
        return HINTS[(move.target - self.first) % seats][signs[place]]

    def name_player(self, seat: int) -> str:
        """Return who sat there; "player 2" where two have one name, or none."""
        place = (self.first + seat) % len(self.live.players)
        name = self.live.players[place]
        return name if name and self.live.players.count(name) == 1 else f"player {place + 1}"

    def make_record(
        self,
        game: AnyGame,
        options: Any,  # noqa: ANN401 - of Fireworks
        seed: str,
        decisions: list[Decision],
        state: Any,  # noqa: ANN401 - of Fireworks
    ) -> Record:
        """Return the record of a game that is over."""
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
