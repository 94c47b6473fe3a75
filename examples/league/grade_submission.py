"""Submit a bot to a league, wait for the verdict, and write it as Gradescope reads results.

    grade_submission.py FOLDER RESULTS [METADATA]

FOLDER is the bot, RESULTS the file to write. The variables PITBOSS_LEAGUE (the address) and PITBOSS_TOKEN say where and
as whom to submit. With METADATA, Gradescope's submission_metadata.json, the token is that of the student in tokens.csv
beside this script: the columns owner and token as `pitboss token new --csv` writes them; an owner is the student's name
or address.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

POINTS = {"building": 1.0, "checking": 2.0, "validation": 2.0}  # of the steps that a bot passes
MEANINGS = {
    "building": "the build step runs",
    "checking": "all checks pass",
    "validation": "games with random players are played without a fault",
}


def find_token(metadata: Path) -> str:
    """Return the token of the student who submitted; "" if the file has none."""
    users = json.loads(metadata.read_text(encoding="utf-8"))["users"]
    names = {str(user.get(key, "")).casefold() for user in users for key in ("name", "email")}
    with (Path(__file__).parent / "tokens.csv").open(newline="", encoding="utf-8") as file:
        return next((row["token"] for row in csv.DictReader(file) if row["owner"].casefold() in names), "")


def submit(folder: Path, token: str) -> subprocess.CompletedProcess[str]:
    """Submit a bot and wait for the verdict."""
    command = ["pitboss", "submit", os.environ["PITBOSS_LEAGUE"], str(folder), "--json"]
    env = {**os.environ, "PITBOSS_TOKEN": token}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def describe(evidence: dict[str, Any]) -> str:
    """Return what a step has shown: the finding, failed checks with their cures, and what was printed."""
    checks = [f"{one['name']}: {one['detail']}\n  what to do: {one['advice']}" for one in evidence.get("checks", ())]
    return "\n\n".join(filter(None, [evidence["seen"], *checks, evidence.get("output", "")]))


def make_results(answer: dict[str, Any]) -> dict[str, Any]:
    """Return a verdict as Gradescope reads it: a test for each step, each with its points."""
    tests = []
    for step, points in POINTS.items():
        evidence = answer["evidence"].get(step)
        is_good = bool(evidence) and evidence["is_good"]
        tests.append(
            {
                "name": f"{step}: {MEANINGS[step]}",
                "score": points if is_good else 0.0,
                "max_score": points,
                "status": "passed" if is_good else "failed",
                "output": describe(evidence) if evidence else "this step was not reached",
                "visibility": "visible",
            }
        )
    said = f"{answer['name']}@{answer['version']} (submission {answer['number']}) is {answer['state']}"
    return {"output": said, "visibility": "visible", "stdout_visibility": "hidden", "tests": tests}


def make_failure(why: str) -> dict[str, Any]:
    """Return results without a point, with the reason."""
    return {"score": 0.0, "output": why, "visibility": "visible", "stdout_visibility": "hidden", "tests": []}


def main(folder: Path, results: Path, metadata: Path | None) -> None:
    """Submit, wait and write."""
    token = os.environ.get("PITBOSS_TOKEN", "") if metadata is None else find_token(metadata)
    if not token:
        found = make_failure("there is no token for this student; tell the teacher")
    else:
        ran = submit(folder, token)
        found = make_results(json.loads(ran.stdout)) if ran.stdout else make_failure(ran.stderr.strip())
    results.write_text(json.dumps(found, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
