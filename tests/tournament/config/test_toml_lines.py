"""The line of a key, in files as tricky as TOML allows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss_tournament.config.toml_file import find_key_lines
from pitboss_tournament.text.validation import KeyPath

pytestmark = pytest.mark.once

TRICKY = '''\
# [[bots]] in a comment
a.b."c d" = 1 # x = 2
"e.f" = """ [[bots]] \\"""
name = "no key"
""""" # two quotes belong to the text
g = [ 1, # ]
  { h = "]", 'i' = 1979-05-27 07:32:00 }, [
  ],
]
[ table . 'of' ] # ]
j = '#' # k = 1
[[bots]]
[bots.clock]
k = { l.m = [ {}, { n = """
""" } ] }
[[bots]]
name = "b"
[[bots.friends]]
[[bots.friends]]
o = true
[bots.friends.p]
'''

SCALARS = [
    "1",
    "-0.5e3",
    "true",
    "1979-05-27 07:32:00Z",
    "inf",
    "0xff",
    '""',
    "''",
    '"# ] } \\" \\\\"',
    "'[x] = {\\'",
    '"k1 = 1"',
]
LONG_STRINGS = [
    '"""\n[k1]\nk2 = 3 # x\n"""',
    "'''\n''\n[[k1]]\n'''",
    '"""\\"""\n"" """""',
    '""""a\n\n"b""""',
    "''''\n'''''",
]
KEYS = ["k{}", '"k {}"', "'k.{}'", '"\\u006b\\"{}"', "'\"[k]={}'", "{}-_"]
GAPS = ["", " ", "\t"]
BREAKS = ["", "\n", " # k1 = [\n", "\n\n  # ''' \"\n"]


def test_a_tricky_file() -> None:
    """Strings, comments, dotted and quoted keys, inline tables and lists do not lead astray."""
    found = find_key_lines(TRICKY)

    assert {place: line for place, line in found.items() if place[-1] != "k"} == {
        ("a",): 2, ("a", "b"): 2, ("a", "b", "c d"): 2, ("e.f",): 3,
        ("g",): 6, ("g", 0): 6, ("g", 1): 7, ("g", 1, "h"): 7, ("g", 1, "i"): 7, ("g", 2): 7,
        ("table",): 10, ("table", "of"): 10, ("table", "of", "j"): 11,
        ("bots",): 12, ("bots", 0): 12, ("bots", 0, "clock"): 13,
        ("bots", 0, "clock", "k", "l"): 14, ("bots", 0, "clock", "k", "l", "m"): 14,
        ("bots", 0, "clock", "k", "l", "m", 0): 14, ("bots", 0, "clock", "k", "l", "m", 1): 14,
        ("bots", 0, "clock", "k", "l", "m", 1, "n"): 14,
        ("bots", 1): 16, ("bots", 1, "name"): 17, ("bots", 1, "friends"): 18, ("bots", 1, "friends", 0): 18,
        ("bots", 1, "friends", 1): 19, ("bots", 1, "friends", 1, "o"): 20, ("bots", 1, "friends", 1, "p"): 21,
    }  # fmt: skip
    assert set(found) == set(key_places(tomllib.loads(TRICKY)))


def test_the_header_of_a_table_counts_for_more_than_a_mention() -> None:
    """A table that is first named by a table within it stands where its own header is."""
    assert find_key_lines("[a.b]\n[a]\nc = 1\n") == {("a",): 2, ("a", "b"): 1, ("a", "c"): 3}


class TomlWriter:
    """Writes a TOML text at random, and knows where it put every key."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.text = ""
        self.lines: dict[KeyPath, int] = {}
        self.keys = 0

    def write_document(self) -> None:
        """Write some pairs, then tables and arrays of tables."""
        self.write_pairs(())
        for _ in range(self.draw(st.integers(0, 4))):
            self.write_tables()

    def write_tables(self) -> None:
        """Write a table, or the entries of an array of tables, each with a table within."""
        text, name = self.new_key()
        for entry in range(self.draw(st.integers(0, 3))):
            self.write_header((name, entry), f"[[{text}]]", (name,))
            self.write_pairs((name, entry))
            inner_text, inner = self.new_key()
            self.write_header((name, entry, inner), f"[ {text}\t. {inner_text}]", ())
            self.write_pairs((name, entry, inner))
        if (name,) not in self.lines:
            self.write_header((name,), f"[{text}]", ())
            self.write_pairs((name,))

    def write_header(self, place: KeyPath, text: str, whole: KeyPath) -> None:
        """Write a header in a line of its own."""
        if self.text and not self.text.endswith("\n"):
            self.text += "\n"
        self.text += self.draw(st.sampled_from(GAPS))
        self.lines.setdefault(whole or place, self.current_line())
        self.lines[place] = self.current_line()
        self.text += text + self.draw(st.sampled_from([" # [x]\n", "\n"]))

    def write_pairs(self, table: KeyPath) -> None:
        """Write some lines of keys and values."""
        for _ in range(self.draw(st.integers(0, 3))):
            self.text += self.draw(st.sampled_from(["", "\n", "# k1 = 2\n", "\t"]))
            self.write_pair(table, 2)
            self.text += self.draw(st.sampled_from(["\n", " # [k1]\n"]))

    def write_pair(self, table: KeyPath, depth: int) -> None:
        """Write a key, perhaps a dotted one, and its value."""
        place = table
        for number in range(self.draw(st.integers(1, 2))):
            text, name = self.new_key()
            place = (*place, name)
            self.lines[place] = self.current_line()
            self.text += (" . " if number else "") + text
        self.text += self.draw(st.sampled_from(GAPS)) + "=" + self.draw(st.sampled_from(GAPS))
        self.write_value(place, depth)

    def write_value(self, place: KeyPath, depth: int) -> None:
        """Write a string, a number, a list or an inline table."""
        kind = self.draw(st.sampled_from(["scalar", "long", "list", "table"] if depth else ["scalar"]))
        if kind == "list":
            self.text += "["
            for number in range(self.draw(st.integers(0, 3))):
                self.text += self.draw(st.sampled_from(BREAKS))
                self.lines[(*place, number)] = self.current_line()
                self.write_value((*place, number), depth - 1)
                self.text += self.draw(st.sampled_from(BREAKS)) + ","
            self.text += self.draw(st.sampled_from(BREAKS)) + "]"
        elif kind == "table":
            self.text += "{"
            for number in range(self.draw(st.integers(0, 2))):
                self.text += ", " if number else ""
                self.write_pair(place, depth - 1)
            self.text += "}"
        else:
            self.text += self.draw(st.sampled_from(SCALARS if kind == "scalar" else LONG_STRINGS))

    def new_key(self) -> tuple[str, str]:
        """Return a key that has not been used, as it is written and as it is meant."""
        self.keys += 1
        text = self.draw(st.sampled_from(KEYS)).format(self.keys)
        return text, next(iter(tomllib.loads(f"{text} = 1")))

    def current_line(self) -> int:
        """Return the line that is being written."""
        return self.text.count("\n") + 1


@st.composite
def documents(draw: st.DrawFn) -> TomlWriter:
    """Return a writer that has written a text."""
    writer = TomlWriter(draw)
    writer.write_document()
    return writer


def key_places(value: object, place: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield the place of everything within a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        yield (*place, step)
        yield from key_places(inner, (*place, step))


@pytest.mark.long
@given(documents())
@settings(max_examples=60)
def test_any_file(written: TomlWriter) -> None:
    """Every key of any file is found in the line where it was written, and nothing else is."""
    assert set(key_places(tomllib.loads(written.text))) == set(written.lines)
    assert find_key_lines(written.text) == written.lines
