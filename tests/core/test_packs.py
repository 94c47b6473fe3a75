"""Packs: 52 cards that can stand in for ordinary ones, found by name."""

from __future__ import annotations

import pytest

from pitboss.errors import OptionError
from pitboss.plugins.packs import STANDARD_PACK, Pack
from pitboss.plugins.registry import find_pack
from tests.core.conftest import PluginInstaller

FACES = tuple(f"m{number}" for number in range(52))


def test_the_standard_pack() -> None:
    """The standard pack has spades, hearts, diamonds, clubs, in each ace to king, and two jokers."""
    assert find_pack("standard") is STANDARD_PACK
    assert [STANDARD_PACK.faces[place] for place in (0, 9, 12, 13, 51)] == ["SA", "S10", "SK", "HA", "CK"]
    assert len(set(STANDARD_PACK.faces)) == 52
    assert len(STANDARD_PACK.jokers) == 2


def test_a_pack_that_is_not_installed() -> None:
    """The error about a pack that is not installed names what there is, and what may have been meant."""
    with pytest.raises(
        OptionError, match=r"no pack 'standart' is installed \(did you mean 'standard'\?\); there are: .*standard"
    ):
        find_pack("standart")


@pytest.mark.parametrize(
    ("faces", "jokers"),
    [(FACES[:51], ()), ((*FACES, "more"), ()), ((*FACES[:51], "m0"), ()), (FACES, ("m3", "m3"))],
    ids=["too few", "too many", "two alike", "a joker that is a card"],
)
def test_a_pack_that_is_none(faces: tuple[str, ...], jokers: tuple[str, ...]) -> None:
    """A pack needs 52 different faces, none of them a joker's."""
    with pytest.raises(ValueError, match="pack 'mine': 52 different faces are needed"):
        Pack(name="mine", title="Mine", faces=faces, jokers=jokers)


def test_a_plugin_that_offers_the_standard_pack(install: PluginInstaller) -> None:
    """A plugin that offers a pack called standard is reported as broken: the standard pack is not a
    plugin's to offer.
    """
    source = "from pitboss.plugins.hookspec import hookimpl\nfrom pitboss.plugins.packs import STANDARD_PACK\n"

    registry = install(rival=f"{source}@hookimpl\ndef pitboss_packs(): return [STANDARD_PACK]\n")

    assert registry.packs == {"standard": STANDARD_PACK}
    [broken] = registry.broken_plugins
    assert "is not a Pack with a name of its own" in broken.reason
