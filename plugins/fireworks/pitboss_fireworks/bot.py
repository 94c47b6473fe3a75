"""`house:fireworks`, a bot for Fireworks: it plays by conventions, which it takes the others to know (`conventions`).

It saves the chop of the next player, if that one would discard a card that is the last of its kind, a five or a two;
else it plays what it takes to fit; else it gives the hint that lets most cards be played, and none that does not fit;
else it discards. At the end of the stock it tries its luck.
"""

from __future__ import annotations

from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss.protocol.messages import Hello, Start
from pitboss.table.events import Deal
from pitboss_fireworks.cards import HIGHEST, NUMBERS, is_about, list_colours
from pitboss_fireworks.conventions import ConventionReading, ReadHand
from pitboss_fireworks.knowledge import choose_discard

PLAY_WORTH: Final = 10.0  # of a card that a hint lets be played
LATER_WORTH: Final = 4.0  # of one that can be played soon
SAVE_WORTHS: Final = {"2": 3.0, "5": 4.0}  # by number
LAST_WORTH: Final = 8.0  # of saving the last copy of a card
BAD_TOUCH: Final = 3.0  # of a card of no use that is hinted
WRONG_PLAY: Final = 40.0
NARROWING: Final = 0.05  # of each face less that a card can be
MIN_WORTH: Final = 3.0  # of a hint that is given rather than a card discarded


class ConventionBot:
    """The game in progress, as the bot follows it."""

    reading: ConventionReading

    def begin(self, hello: Hello, start: Start) -> None:
        """Do nothing: the first deal of cards begins a game."""

    def choose(self, question: Question) -> Choice:
        """Answer one question."""
        options = question.hello.options
        if any(isinstance(event, Deal) for event in question.events):
            signs = list_colours(options["colours"], options["rainbow"], options["special"]) + NUMBERS
            self.reading = ConventionReading(options, signs)
        self.reading.follow(question.events)
        return question.legal.index(ConventionTurn(self.reading, question).choose_action())


class ConventionTurn:
    """One decision."""

    def __init__(self, reading: ConventionReading, question: Question) -> None:
        self.reading, self.table, self.seat = reading, reading.table, question.seat
        self.view, self.options = question.view, question.hello.options
        self.legal: list[dict[str, Any]] = question.legal
        self.faces: list[list[str | None]] = self.view["hands"]
        self.hand = reading.hands[self.seat]
        self.hints = [action for action in self.legal if action["do"] == "hint"]
        self.seen = {seat: self.list_seen(seat) for seat in range(len(self.faces))}
        self.next_faces = reading.list_next()

    def choose_action(self) -> dict[str, Any]:
        """Return the action."""
        judged = sorted(((self.judge_hint(hint), -number) for number, hint in enumerate(self.hints)), reverse=True)
        ranked = [(worth, self.hints[-number]) for worth, number in judged]
        if (saving := self.find_saving(ranked)) is not None:
            return saving
        if (play := self.find_play()) is not None:
            return {"do": "play", "slot": play + 1}
        if ranked and ranked[0][0] >= MIN_WORTH:
            return ranked[0][1]
        if (gamble := self.find_gamble()) is not None:
            return {"do": "play", "slot": gamble + 1}
        if any(action["do"] == "discard" for action in self.legal):
            dead = self.reading.list_dead(self.hand, self.seen[self.seat])
            return {"do": "discard", "slot": choose_discard([card.is_hinted for card in self.hand], dead) + 1}
        return ranked[0][1] if ranked else self.legal[0]

    def find_saving(self, ranked: list[tuple[float, dict[str, Any]]]) -> dict[str, Any] | None:
        """Return the best hint after which the next player does not discard what is needed, if it would now."""
        following = (self.seat + 1) % len(self.faces)
        if self.measure_danger(following, self.reading.hands[following]) == 0:
            return None
        for worth, hint in ranked:
            if worth > 0 and hint["seat"] == following and self.measure_danger(following, self.read_after(hint)) == 0:
                return hint
        return None

    def list_seen(self, owner: int) -> list[str | None]:
        """Return the cards in other hands that an owner sees, as far as this seat sees them too."""
        return [face for seat, hand in enumerate(self.faces) for face in hand if seat not in (owner, self.seat)]

    def read_after(self, hint: dict[str, Any]) -> ReadHand:
        """Return how a hand is read after a hint."""
        return self.reading.read_hint(self.reading.hands[hint["seat"]], hint["sign"], self.list_slots(hint))

    def list_slots(self, hint: dict[str, Any]) -> list[int]:
        """Return the slots of the cards that a hint is about."""
        faces, sign, plain = self.faces[hint["seat"]], hint["sign"], self.reading.plain
        return [slot for slot, face in enumerate(faces, 1) if face is not None and is_about(sign, face, plain)]

    def judge_hint(self, hint: dict[str, Any]) -> float:
        """Return the worth of a hint: plays that it brings about and cards that it saves, less the mistakes."""
        seat, slots = hint["seat"], self.list_slots(hint)
        faces = [str(face) for face in self.faces[seat]]
        before, after = self.reading.hands[seat], self.read_after(hint)
        old_plays = {*self.reading.list_plays(before, self.seen[seat])}
        new_plays = {*self.reading.list_plays(after, self.seen[seat])}
        worth = sum(self.judge_play(faces[place]) for place in new_plays - old_plays)
        worth -= sum(self.judge_play(faces[place]) for place in old_plays - new_plays)
        if len({faces[place] for place in new_plays}) < len(new_plays):
            worth -= WRONG_PLAY
        for place in (slot - 1 for slot in slots):
            face = faces[place]
            if not before[place].is_hinted:
                worth += self.judge_touch(face, seat, place)
            if face in after[place].meaning:
                worth += NARROWING * (len(before[place].meaning) - len(after[place].meaning))
                if face in self.next_faces and place not in new_plays and len(after[place].meaning) == 1:
                    worth += LATER_WORTH
            elif not self.table.is_dead(face):
                worth -= BAD_TOUCH
        chop = self.reading.find_chop(before)
        return worth + (self.measure_save(faces[chop]) if chop is not None and chop + 1 in slots else 0.0)

    def judge_play(self, face: str) -> float:
        """Return the worth of a card being played: a loss if it does not fit."""
        return PLAY_WORTH - int(face[1]) / HIGHEST if self.table.does_fit(face) else -WRONG_PLAY

    def judge_touch(self, face: str, seat: int, place: int) -> float:
        """Return the loss by hinting a card that is of no use, or the same as a hinted one; 0 for any other card."""
        is_doubled = any(
            card.is_hinted and (self.faces[other][at] == face or card.meaning == {face})
            for other, hand in enumerate(self.reading.hands)
            for at, card in enumerate(hand)
            if (other, at) != (seat, place)
        )
        return -BAD_TOUCH if is_doubled or self.table.is_dead(face) else 0.0

    def measure_save(self, face: str) -> float:
        """Return the worth of keeping a card from being discarded: most for the last one of its kind."""
        if self.table.is_dead(face):
            return 0.0
        if self.table.is_last(face) and face[1] != str(HIGHEST):
            return LAST_WORTH
        is_seen_twice = sum(face in hand for hand in self.faces) > 1
        return 0.0 if is_seen_twice else SAVE_WORTHS.get(face[1], 0.0)

    def measure_danger(self, seat: int, hand: ReadHand) -> float:
        """Return what it is worth to save the card that a player would discard; 0 if it has something else to do."""
        chop, seen = self.reading.find_chop(hand), self.seen[seat]
        if chop is None or self.reading.list_plays(hand, seen) or self.reading.list_dead(hand, seen):
            return 0.0
        return self.measure_save(str(self.faces[seat][chop]))

    def find_play(self) -> int | None:
        """Return the place of the card that is played: it is taken to fit, and has the lowest number."""
        seen = self.seen[self.seat]
        plays = self.reading.list_plays(self.hand, seen)

        def measure(place: int) -> tuple[bool, int, int]:
            candidates = self.reading.list_candidates(self.hand[place], seen)
            return len(candidates) > 1, min(int(face[1]) for face in candidates), -place

        return min(plays, key=measure, default=None)

    def measure_chance(self, place: int) -> float:
        """Return the chance that a card fits, by how many copies of what it can be are not seen."""
        seen = self.seen[self.seat]
        unseen = self.table.count_unseen(seen)
        candidates = self.reading.list_candidates(self.hand[place], seen)
        counts = {face: max(0, unseen[face]) for face in candidates}
        return sum(count for face, count in counts.items() if self.table.does_fit(face)) / max(1, sum(counts.values()))

    def find_gamble(self) -> int | None:
        """Return the place of the card that is likeliest to fit, if the game is at its end and a life can be lost."""
        is_end = self.view["last_turns"] is not None and self.view["last_turns"] <= len(self.faces)
        if not is_end or (self.view["lives"] == 1 and self.options["strict"]):
            return None
        chances = [(self.measure_chance(place), place) for place in range(len(self.hand))]
        return max(chances)[1] if chances and max(chances)[0] > 0 else None


def make_bot() -> ConventionBot:
    """Return the bot of one table."""
    return ConventionBot()


if __name__ == "__main__":
    run(ConventionBot().choose, name="house:fireworks", version="1", want="both")
