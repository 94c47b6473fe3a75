"""Tokens: who may submit, and as whom.

A token is `pitboss-NUMBER-SECRET`; the secret has 256 random bits. Its SHA-256 is kept. A slow hash with a salt is
for passwords, which can be guessed. 2**256 secrets cannot be tried, however quick the hash; no two are alike; and
nobody comes from the hash back to the secret. The number is random, too: nobody knows those of others.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct

Role: TypeAlias = Literal["owner", "host"]

SECRET_BYTES: Final = 32
LOWEST_NUMBER: Final = 10**11  # of a new token; those that an earlier Pitboss made were counted from 1
_FORM: Final = re.compile(r"pitboss-([0-9]{1,15})-([\w-]{40,50})", re.ASCII)


class Token(Struct, frozen=True):
    """What is kept of a token. Times are in UTC."""

    number: int
    owner: str
    role: Role
    hash: bytes
    made: str
    ends: str | None  # None: never
    revoked: str | None

    def why_invalid(self, now: str) -> str | None:
        """Return why it opens nothing at this time; None if it does."""
        if self.revoked is not None:
            return f"token {self.number} was revoked at {self.revoked}"
        if self.ends is not None and self.ends <= now:
            return f"token {self.number} ended at {self.ends}"
        return None

    def fits(self, secret: str) -> bool:
        """Whether it was made with this secret; takes as long whatever is different."""
        return hmac.compare_digest(self.hash, hash_secret(secret))


class TokenWords(NamedTuple):
    """A token as it is shown, in its parts."""

    number: int
    secret: str


def draw_number() -> int:
    """Return a number of twelve digits for a new token."""
    return LOWEST_NUMBER + secrets.randbelow(9 * LOWEST_NUMBER)


def draw_secret() -> str:
    """Return a new secret."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(secret: str) -> bytes:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def format_token(number: int, secret: str) -> str:
    """Return a token as it is shown, once."""
    return f"pitboss-{number}-{secret}"


def parse_token(said: str) -> TokenWords | None:
    """Return the parts of a token; None if the text is none."""
    found = _FORM.fullmatch(said)
    return None if found is None else TokenWords(int(found[1]), found[2])
