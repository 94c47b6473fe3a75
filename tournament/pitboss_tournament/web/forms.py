"""Forms that browsers send: whether a page of this server has sent one, and its fields."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs

import trio
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request

LONGEST_FORM: Final = 4096  # bytes
FORM_SECONDS: Final = 20.0  # the longest that it may take to come
MAX_FIELDS: Final = 40
SEE_OTHER: Final = 303  # the status of an answer that leads to another page


def comes_from_here(connection: HTTPConnection) -> bool:
    """Whether a request was made by a page of this server: its browser says the same name as origin and as host."""
    origin, host = connection.headers.get("origin", ""), connection.headers.get("host", "")
    return bool(host) and origin.lower().partition("://")[2] == host.lower()


async def read_form(request: Request, longest: int = LONGEST_FORM, max_fields: int = MAX_FIELDS) -> dict[str, str]:
    """Return the fields of a form of at most `longest` bytes; of two of one name the first.

    Raises:
        HTTPException: it is too large, comes too slowly, breaks off, or has too many fields.
    """
    body = b""
    try:
        with trio.fail_after(FORM_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > longest:
                    raise HTTPException(413, "the form is too large")
    except trio.TooSlowError:
        raise HTTPException(408, "the form came too slowly") from None
    except ClientDisconnect:
        raise HTTPException(400, "the form was broken off") from None
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=max_fields)
    except ValueError:
        raise HTTPException(400, "this is no form of this server") from None
    return {name: values[0] for name, values in fields.items()}
