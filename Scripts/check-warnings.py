#!/usr/bin/env python3
"""Takes the warnings of a build for errors: check-warnings.py BINARIES, as .build/debug; says each and where it is.

No build has other options for it, so that `make run` and `make test` share what they built and a newcomer is not stopped by a
warning. The compiler leaves its words on each file in one beside the object, also when it was compiled before. Dependencies
are compiled without warnings.

check-warnings.py BINARIES      after a build
check-warnings.py --self-test   the check itself
"""

import json
import re
import sys
import tempfile
from pathlib import Path


def diagnostics(binaries):
    """The files with the compiler's words that belong to the present sources, each with its source or module."""
    for listing in sorted(Path(binaries).glob("*.build/output-file-map.json")):
        for source, outputs in json.loads(listing.read_text()).items():
            if source and "diagnostics" in outputs:
                yield source, Path(outputs["diagnostics"])
        module = listing.parent.stem
        yield module, listing.parent / f"{module}.emit-module.dia"


def warnings(binaries):
    """A line for each warning, and the number of files that were looked at."""
    contents = [(source, path.read_bytes()) for source, path in diagnostics(binaries) if path.exists()]
    # Without any words, all are the same.
    silent = min((content for _, content in contents), key=len, default=b"")
    lines = []
    for source, content in contents:
        if len(content) == len(silent):
            continue
        words = [text.decode() for text in re.findall(rb"[ -~]{8,}", content)]
        lines += [f"{source}: {text}" for text in words if " " in text]
    return lines, len(contents)


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        build = Path(folder, "One.build")
        build.mkdir()
        for name in ("a", "b", "old"):
            (build / f"{name}.dia").write_bytes(b"DIAG\x00")
        (build / "b.dia").write_bytes(b"DIAG\x00\x01variable 'x' was never used\x00\x02b.swift\x00")
        (build / "old.dia").write_bytes(b"DIAG\x00\x01a file that is no more\x00")
        files = {f"{name}.swift": {"diagnostics": str(build / f"{name}.dia")} for name in ("a", "b")}
        (build / "output-file-map.json").write_text(json.dumps({"": {}} | files))
        assert warnings(folder) == (["b.swift: variable 'x' was never used"], 2)
        (build / "One.emit-module.dia").write_bytes(b"DIAG\x00\x01a public thing of another module\x00")
        assert "One: a public thing of another module" in warnings(folder)[0]


def main(binaries):
    found, looked_at = warnings(binaries)
    for line in found:
        print(line)
    if not looked_at:
        print(f"There is no build in {binaries}.")
    return 1 if found or not looked_at else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit(0)
    sys.exit(main(sys.argv[1]))
