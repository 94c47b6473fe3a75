"""The legend of RAGAMARU: a sentence for each card, and nothing for what is no card."""

from __future__ import annotations

from pitboss.game import FaceDescriber
from pitboss_ragamaru.cards import BOX, describe_face
from pitboss_ragamaru.game import Ragamaru


def test_each_card_has_a_sentence() -> None:
    """The sentence of a card begins with the card's colour, if it has one, and differs from kind to kind."""
    assert isinstance(Ragamaru(), FaceDescriber)
    assert all(describe_face(face).endswith(".") for face in BOX)
    assert len({describe_face(face) for face in BOX if "-" in face}) == 36
    assert describe_face("Y-KICK") == "yellow, a Kick Pass. The next two players are left out."
    assert describe_face("TMO").startswith("a TMO. It cancels")
    assert describe_face("KO").startswith("the Kick-off")
    assert describe_face("R99") == ""
