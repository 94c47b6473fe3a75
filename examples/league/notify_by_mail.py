"""Mail the owner of a bot what a league's hook says: read a call from standard input, look up the address, send.

Settings are variables of the environment of `pitboss league run`: MAIL_SERVER (HOST or HOST:PORT; localhost),
MAIL_FROM, MAIL_ADDRESSES (a CSV file with the columns owner and address; addresses.csv in the league's folder), and
MAIL_USER with MAIL_PASSWORD, if the server asks for them (then TLS is used).
"""

from __future__ import annotations

import csv
import json
import os
import smtplib
import sys
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

SUBJECTS = {
    "valid": "{bot}@{version} plays",
    "refused": "{bot}@{version} was refused",
    "retired": "{bot}@{version} plays no more",
}


def find_address(owner: str) -> str:
    """Return the address of an owner; "" if the file has none."""
    with Path(os.environ.get("MAIL_ADDRESSES", "addresses.csv")).open(newline="", encoding="utf-8") as file:
        return next((row["address"] for row in csv.DictReader(file) if row["owner"] == owner), "")


def main() -> None:
    """Send one mail, or none to an owner without an address."""
    call = json.loads(sys.stdin.readline())
    address = find_address(call["owner"])
    if not address:
        return
    mail = EmailMessage(policy=SMTP)
    mail["From"] = os.environ.get("MAIL_FROM", "pitboss@localhost")
    mail["To"] = address
    mail["Subject"] = f"{call['league']}: {SUBJECTS[call['event']].format(**call)}"
    mail.set_content(f"{call['owner']},\n\n{call['seen'] or 'a newer version plays'}.\n\n{call['league']}\n")
    host, _, port = os.environ.get("MAIL_SERVER", "localhost").partition(":")
    with smtplib.SMTP(host, int(port or 25), timeout=20) as server:
        if "MAIL_USER" in os.environ:
            server.starttls()
            server.login(os.environ["MAIL_USER"], os.environ["MAIL_PASSWORD"])
        server.send_message(mail)


if __name__ == "__main__":
    main()
