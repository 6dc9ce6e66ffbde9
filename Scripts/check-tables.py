#!/usr/bin/env python3
"""Checks the pages that say which file stops an attack and which test shows it: each named file and test exists.

In tables with the columns "file" and "test" of the pages in PAGES, each name in these columns is the end of a path below
Sources, Tests or Scripts, with or without `.swift`, or a type in Tests. A name in brackets is a detail of the one before;
commands are not names.

check-tables.py              the pages
check-tables.py --self-test  the check itself
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["Documentation/Threats.md", "Documentation/CrossDevice.md"]
COLUMNS = {"file", "test"}


def paths():
    """Every file, folder and type of a test that a name may mean, files also without their extension."""
    found = set()
    for top in ["Sources", "Tests", "Scripts"]:
        for path in (ROOT / top).rglob("*"):
            found.add(path.relative_to(ROOT).as_posix())
            if path.suffix == ".swift":
                found.add(path.relative_to(ROOT).with_suffix("").as_posix())
            if path.suffix == ".swift" and top == "Tests":
                found.update(re.findall(r"^struct (\w+)", path.read_text(), re.MULTILINE))
    return found


def ends(paths):
    """Each path, and what is left of it without its first folders."""
    return {"/".join(path.split("/")[first:]) for path in paths for first in range(path.count("/") + 1)}


def names(text):
    """The number of the line, the column and the name, for each name in the columns of a page."""
    columns = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            columns = [] if line.strip() else columns
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if COLUMNS <= set(cells):
            columns = cells
        for column, cell in zip(columns, cells):
            if column in COLUMNS:
                for name in re.findall(r"`([^`]+)`", re.sub(r"\([^)]*\)", "", cell)):
                    if " " not in name:
                        yield number, column, name


def faults_of(page, text, known):
    found = list(names(text))
    if not found:
        return [f"{page}: no table with the columns {' and '.join(sorted(COLUMNS))}"]
    missing = [(number, column, name) for number, column, name in found if name.rstrip("/") not in known]
    return [f"{page}:{number}: the {column} {name} does not exist" for number, column, name in missing]


def check():
    known = ends(paths())
    faults = [fault for page in PAGES for fault in faults_of(page, (ROOT / page).read_text(), known)]
    for fault in faults:
        print(fault)
    return not faults


def self_test():
    known = ends({"Sources/A/B/One.swift", "Sources/A/B/One", "Tests/ATests/OneTests", "Sources/A", "Sources/A/B"})
    head = "| attack | file | test |\n| --- | --- | --- |\n"
    good = head + "| a `Gone` | `B/One.swift`, `A/B/` | `OneTests` (`gone`), `make fuzz` |\n"
    assert faults_of("p", good, known) == []
    bad = head + "| a | `A/One.swift` | `neTests` |\n"
    assert faults_of("p", bad, known) == [
        "p:3: the file A/One.swift does not exist",
        "p:3: the test neTests does not exist",
    ]
    assert len(faults_of("p", good + "\n| b | `Two` | |\n", known)) == 1
    assert len(faults_of("p", "no table", known)) == 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit(0)
    sys.exit(0 if check() else 1)
