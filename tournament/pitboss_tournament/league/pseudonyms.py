"""Pseudonyms of owners: pairs of an adjective and an animal, drawn at random and kept."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Final

DRAWS: Final = 20  # of pairs, before a number is put behind one

ADJECTIVES: Final = (
    "agile amber ample azure bold brave breezy bright brisk calm candid cheery chilly civil clear clever coral "
    "cosy crisp curious daring dapper deft dusky eager early earnest elegant fair fancy fleet fluffy fond frank "
    "fresh friendly gentle gilded glad golden grand green hardy hazel honest humble jolly keen kind lilac lively "
    "lucid lucky mellow merry mild misty modest nimble noble olive patient placid polite proud quick quiet rapid "
    "rosy ruby rustic scarlet serene shiny silent silver sleek smart snowy solar spry steady stellar sturdy sunny "
    "swift tidy tranquil trusty upbeat velvet violet vivid warm wise witty zesty"
)
ANIMALS: Final = (
    "albatross alpaca antelope badger beaver beetle bison bittern bobcat buffalo butterfly camel caribou cheetah "
    "chinchilla cicada condor cormorant cougar coyote crane cricket dingo dolphin dragonfly eagle egret eland elk "
    "ermine falcon ferret finch firefly flamingo gazelle gecko gibbon goldfinch grouse guppy hamster hare harrier "
    "hedgehog heron hornbill ibex ibis iguana impala jackal jaguar jay kestrel kingfisher kiwi koala lark lemming "
    "lemur leopard lizard llama lynx macaw magpie mallard manatee marmot marten meerkat mongoose moose moth "
    "narwhal ocelot okapi oriole osprey otter panda panther parrot partridge pelican penguin pheasant plover "
    "puffin puma quail rabbit raccoon raven reindeer robin salmon sandpiper seahorse skylark sparrow squirrel "
    "starling stoat stork swallow swan swift tapir tern toucan trout turtle vole vulture wagtail walrus warbler "
    "weasel wombat woodpecker wren zebra"
)


def draw_pseudonym(taken: Collection[str]) -> str:
    """Return a pair of words that is not in `taken`; with a number behind it, if that is hard to find."""
    for _ in range(DRAWS):
        if (drawn := _draw_pair()) not in taken:
            return drawn
    number = 2
    while (numbered := f"{drawn} {number}") in taken:
        number += 1
    return numbered


def _draw_pair() -> str:
    return f"{secrets.choice(ADJECTIVES.split())} {secrets.choice(ANIMALS.split())}"
