#!/usr/bin/env python3
"""Checks that every Swift example of the documentation is compiled.

An example is a fenced block that begins with ```swift, in README.md, in Documentation, in a DocC page, or in a doc
comment. Its lines must occur one after another in a Swift file of Tests or Examples, all of which the tests build;
spacing, empty lines and imports may differ. Lines for a package's manifest (`.product(…)`) are left out. Code in a doc
comment that is indented in place of fenced would not be found, so it is refused.

check-examples.py               says which examples are compiled nowhere or not fenced, as PATH:LINE
check-examples.py --self-test   the check itself
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# An indented line that is Swift; diagrams are indented too.
INDENTED_CODE = re.compile(r"/// {5,}(?:_ =|(?:async|await|for|func|guard|if|import|let|return|switch|try|var)\b)")


def significant(lines):
    """The lines that must be the same: without empty lines and imports, with single spaces."""
    stripped = [" ".join(line.split()) for line in lines]
    return [line for line in stripped if line and not line.startswith(("import ", ".product("))]


def examples(text, in_comments):
    """The examples of a Markdown page, or of a Swift file's comments: the line above each, and its lines."""
    found, inside = [], None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if in_comments:
            line = line.removeprefix("///").strip()
        if inside is None and line == "```swift":
            inside = (number, [])
        elif inside is not None and line == "```":
            found.append(inside)
            inside = None
        elif inside is not None:
            inside[1].append(line)
    return found


def indented(text):
    """The lines at which indented code begins in the doc comments of a Swift file: each stands after an empty line."""
    found, inside, previous = [], False, ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line.startswith("/// ```"):
            inside = not inside
        elif not inside and not previous.removeprefix("///").strip() and INDENTED_CODE.match(line):
            found.append(number)
        previous = line
    return found


def occurs(example, compiled):
    """Whether the lines of an example occur one after another."""
    wanted = significant(example)
    if not wanted:
        return True
    starts = (start for start, line in enumerate(compiled) if line == wanted[0])
    return any(compiled[start : start + len(wanted)] == wanted for start in starts)


def pages():
    yield ROOT / "README.md"
    yield from sorted((ROOT / "Documentation").rglob("*.md"))
    yield from sorted((ROOT / "Sources").rglob("*.md"))
    yield from sorted((ROOT / "Sources").rglob("*.swift"))


def check():
    sources = [*(ROOT / "Tests").rglob("*.swift"), *(ROOT / "Examples").rglob("*.swift")]
    compiled = [significant(path.read_text(encoding="utf-8").splitlines()) for path in sources]
    count = missing = unfenced = 0
    for path in pages():
        text = path.read_text(encoding="utf-8")
        for line in indented(text) if path.suffix == ".swift" else []:
            unfenced += 1
            print(f"{path.relative_to(ROOT)}:{line}: this example is indented; put it between ```swift and ```")
        for line, example in examples(text, path.suffix == ".swift"):
            count += 1
            if not any(occurs(example, file) for file in compiled):
                missing += 1
                print(f"{path.relative_to(ROOT)}:{line}: this example is in no file of Tests or Examples")
    if missing:
        print(f"\nExamples that are not compiled: {missing} of {count}.", file=sys.stderr)
    if unfenced:
        print(f"\nExamples that are not fenced: {unfenced}.", file=sys.stderr)
    if missing or unfenced:
        return 1
    print(f"All {count} examples are compiled.")
    return 0


def self_test():
    page = "Text.\n\n```swift\nimport Countersign\n\nlet one = 1\nuse(one)\n```\n\n```\nplain\n```\n"
    comment = "    /// Text.\n    ///\n    /// ```swift\n    /// if true {\n    ///     go()\n    /// }\n    /// ```\n"
    unfenced = "/// Text.\n///\n///     let one = 1\n///     use(one)\npublic struct One {}\n"
    no_code = "/// Text.\n///\n///     open ──let──▶ over\n///\n/// - Parameter one: Text\n///     for one.\n"
    compiled = significant(["func example() {", "    let one = 1", "", "    use(one)", "    if true {", "}", "go()"])
    outcomes = [
        examples(page, False) == [(3, ["import Countersign", "", "let one = 1", "use(one)"])],
        examples(comment, True) == [(3, ["if true {", "go()", "}"])],
        indented(unfenced) == [3],
        indented(no_code) == [] and indented(comment) == [],
        occurs(["import Countersign", "let one = 1", "  use(one)"], compiled),
        not occurs(["if true {", "go()", "}"], compiled),
        not occurs(["use(one)", "let one = 1"], compiled),
        occurs(['.product(name: "Countersign", package: "countersign")'], compiled),
    ]
    for number, held in enumerate(outcomes, 1):
        if not held:
            print(f"Scripts/check-examples.py: self-test {number} failed")
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(self_test() if "--self-test" in sys.argv[1:] else check())
