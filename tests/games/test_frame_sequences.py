"""The sequence of every installed game shows each viewer the table as it is, as far as the viewer knows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pitboss import Random
from pitboss.game import find_public_counts, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.records.frames import FrameMaker
from pitboss.table.cards import Face
from pitboss.table.zones import Layout
from tests.core.frame_player import empty_table, play_sequence
from tests.games.random_play import play_randomly
from tests.marks import first_rows

GAMES = Registry().games
TABLES = [(name, seats) for name, game in GAMES.items() for seats in (game.seats[0], game.seats[-1])]


def count_faces(faces: Iterable[Face | None]) -> Counter[Face]:
    """Return how often each face is there that is known."""
    return Counter(face for face in faces if face is not None)


@first_rows(8)(("name", "seats"), TABLES)
def test_a_random_game(name: str, seats: int) -> None:
    """Before each decision the sequence of a seat shows the faces that the seat knows, in the zones where they lie.

    A seat that saw one of several equal cards cannot tell which of them left a hand; the sequence says that it was
    that. The sequence shows the counts of the state too.
    """
    game = GAMES[name]
    state = game.deal(seats, resolve_options(game, seats), Random("sequence"))
    layout: Layout = state.table.layout
    viewers = (None, *range(seats + 1))
    sequences = {viewer: FrameMaker(layout, viewer) for viewer in viewers}
    shown = {viewer: empty_table(layout) for viewer in viewers}

    for number, after in enumerate(play_randomly(state, "sequence", 150)):
        counts = find_public_counts(after)
        for viewer in viewers:
            for _ in play_sequence(sequences[viewer].follow(after.table, number, counts), shown[viewer]):
                pass
            if counts is not None:
                told = shown[viewer].counts
                assert told[None] == list(counts.table)
                assert [told.get(seat, []) for seat in range(seats)] == list(map(list, counts.seats))
            for zone in layout.zones:
                held = shown[viewer].faces_in(zone)
                cards = after.table.faces(zone) if viewer is None else after.table.faces_known_to(zone, viewer)
                known = count_faces(cards)
                assert len(held) == sum(card >= 0 for card in after.table.zones[zone])
                assert count_faces(held) == known if not layout.deck.has_copies else count_faces(held) <= known
