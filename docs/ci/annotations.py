#!/usr/bin/env python3
"""Prints what failed in a report of 'stylemodel eval' as annotations of GitHub Actions.

Usage: annotations.py REPORT.json [FOLDER]     (FOLDER is where the models are in the repository)
"""

import json
import sys


def escaped(text, is_property=False):
    """A text as a workflow command wants it."""
    for character in "%\r\n" + (":," if is_property else ""):
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def annotation(file, title, message):
    return f"::error file={escaped(file, True)},title={escaped(title, True)}::{escaped(message)}"


def annotations(report, folder):
    for failure in report["failures"]:
        yield annotation(failure["file"] or "", "not evaluated", failure["error"])
    for model in report["models"]:
        file = f"{folder}/{model['model']['name']}" if folder else model["model"]["name"]
        for picture in model["pictures"]:
            if "error" in picture:
                yield annotation(file, picture["name"], picture["error"])
        for gate in model["gates"]:
            for check in gate["checks"]:
                if not check["passed"]:
                    on = f" on {check['picture']}" if check["picture"] else ""
                    yield annotation(file, gate["gate"], f"{gate['limit']}: {check['text']}{on}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in annotations(json.load(file), sys.argv[2] if len(sys.argv) == 3 else ""):
            print(line)
