#!/usr/bin/env python3
"""Puts the documentation into a package: pages.py FOLDER.

The files stand there as in the repository, so that the links between them lead somewhere. A link to a file that the package
does not bring becomes its words.

pages.py --self-test   the check itself
"""

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ["README", "ARCHITECTURE", "CHANGELOG", "CODE_OF_CONDUCT", "CONTRIBUTING", "SECURITY", "SUPPORT"]
FOLDERS = ["Documentation", "Deployment"]
# The words and the target of a link, without an address of its own or a place in the same page.
LINK = re.compile(r"\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def linked(text, place, exists):
    """The text of a page in the folder `place` whose links all lead to what `exists`."""

    def mended(link):
        target = os.path.normpath(os.path.join(place, link[2]))
        return link[0] if exists(target) else link[1]

    return LINK.sub(mended, text)


def main(folder):
    files = [f"{page}.md" for page in PAGES] + ["LICENSE"]
    files += [str(path.relative_to(ROOT)) for each in FOLDERS for path in sorted((ROOT / each).rglob("*")) if path.is_file()]
    known = {*files, *(str(parent) for file in files for parent in Path(file).parents)}
    for file in files:
        content = (ROOT / file).read_bytes()
        if file.endswith(".md"):
            content = linked(content.decode(), os.path.dirname(file), known.__contains__).encode()
        target = Path(folder) / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(0o644)


def self_test():
    known = {"README.md", "Documentation", "Documentation/A.md"}.__contains__
    page = "[a](A.md#b), [there](../README.md), [code](../Examples/A.swift), [web](https://example.com), [here](#b)"
    text = linked(page, "Documentation", known)
    assert text == "[a](A.md#b), [there](../README.md), code, [web](https://example.com), [here](#b)", text
    assert linked("[all](Documentation)", "", known) == "[all](Documentation)"


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit(0)
    main(*sys.argv[1:])
