#!/usr/bin/env python3
"""Checks the documentation of the public functions and initialisers of the libraries.

check-documentation.py              every library; says what is missing as PATH:LINE, and counts it per target
check-documentation.py TARGET...    these targets only
check-documentation.py --counts     the counts only
check-documentation.py --self-test  the check itself, against the snippets in Scripts/check-documentation.fixtures
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
from swift_declarations import Reader, documentation_share, public_functions  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "Scripts" / "check-documentation.fixtures"

# Libraries that apps link.
APP_LIBRARIES = [
    "Countersign", "CountersignWire", "CountersignTransport", "CountersignRequester", "CountersignApprover",
    "CountersignNearby", "MulticastDNS",
]
OTHER_LIBRARIES = [
    "CountersignResource", "CountersignHTTP", "CountersignServer", "CountersignStorage", "CountersignSQL",
    "CountersignSQLite", "CountersignPostgres", "CountersignTesting", "CountersignHome",
]
# From this number of parameters on, each is described. The methods of storage take a key or a record, as their
# sentences say.
PARAMETERS_TO_LIST = 1
PARAMETERS_TO_LIST_IN = {"CountersignHTTP": 3, "CountersignServer": 3, "CountersignStorage": 3}
# Every method of a repository throws the errors of the database; the protocol `Repositories` says so once.
REPOSITORY = "Repository"

# What conforms to a protocol of the standard library takes what that protocol says.
STANDARD_WITNESSES = [("==", ["left", "right"]), ("<", ["left", "right"]), ("hash", ["into"])]
# What codes a message or its member, an identifier or a secret says something only where the protocol does not say it.
DOCUMENTED_BY_PROTOCOL = [
    ("encode", ["to"]), ("init", ["from"]), ("init", ["rawValue"]), ("init", ["revealing"]),
    ("read", ["from"]), ("write", ["_", "to"]),
]

ARTICLES = {"a", "an", "the", "this", "that", "its", "of", "to"}


def described_parameters(lines):
    """The names under `- Parameters:` and `- Parameter name:` with their descriptions, in order."""
    found, inside = [], False
    for line in lines:
        text = line.strip()
        single = re.match(r"- Parameter ([\w`]+):(.*)", text)
        listed = re.match(r"- ([\w`]+):(.*)", text)
        indented = len(line) - len(line.lstrip()) >= 3
        if single:
            found.append([single[1].strip("`"), single[2]])
            inside = True
        elif text.startswith("- Parameters:"):
            inside = True
        elif inside and listed and indented:
            found.append([listed[1].strip("`"), listed[2]])
        elif not text or text.startswith("- "):
            inside = False
        elif inside and found:
            found[-1][1] += " " + text
    return found


def section(lines, title):
    """The text under `- Title:`; `None` when there is none."""
    text = None
    for line in lines:
        stripped = line.strip()
        if stripped.startswith(f"- {title}:"):
            text = stripped[len(title) + 3 :]
        elif text is not None:
            if not stripped or stripped.startswith("- "):
                break
            text += " " + stripped
    return text


def words(text):
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", text)]


def says_only_its_name(name, description):
    """Whether a description repeats the name and adds nothing, such as "The scope." for `scope`."""
    said = [word for word in words(description) if word not in ARTICLES]
    return not said or set(said) <= set(words(name))


def names_an_error(function, text):
    spoken = re.findall(r"`+([^`]+)`+", text)
    if function.error and function.error not in ("anyError",):
        last = function.error.split(".")[-1]
        if any(re.search(rf"\b{re.escape(last)}\b", name) for name in spoken):
            return True
        # `throws(Failure)`: what the closure throws is named by the closure.
        if last != "Failure":
            return False
    closures = {name for parameter in function.parameters if "->" in parameter.type for name in parameter.names}
    return any(re.match(r"[A-Z]\w*|\.", name) or name.strip("()") in closures for name in spoken)


def signature(function):
    return function.name, [parameter.external or parameter.internal for parameter in function.parameters]


def is_witness(function, known):
    return signature(function) in known


class Protocols:
    """The protocols of some sources, and the types that conform to them."""

    def __init__(self, texts):
        self._requirements = defaultdict(list)
        self._conformances = defaultdict(set)
        for reader in map(Reader, texts):
            for function in reader.functions:
                if function.is_requirement:
                    self._requirements[function.owner].append(signature(function))
            for name, inherited in reader.conformances.items():
                self._conformances[name] |= inherited

    def require(self, function):
        """Whether a protocol of the function's type requires it: then a sentence is enough."""
        seen, left = set(), [] if function.is_requirement else [function.owner]
        while left:
            name = left.pop()
            if name not in seen:
                seen.add(name)
                left += self._conformances.get(name, ())
        return any(is_witness(function, self._requirements.get(name, ())) for name in seen)


def problems(function, protocols, parameters_to_list=PARAMETERS_TO_LIST):
    """What is missing in the documentation of a function, one sentence each."""
    lines = function.documentation
    if is_witness(function, DOCUMENTED_BY_PROTOCOL):
        return
    if not any(line.strip() for line in lines):
        yield f"`{function.name}` has no documentation"
        return
    known = {name for parameter in function.parameters for name in parameter.names}
    described = described_parameters(lines)
    names = {name for name, _ in described}
    for name, description in described:
        if name not in known:
            yield f"`{function.name}` describes `{name}`, which is no parameter"
        elif says_only_its_name(name, description):
            yield f"`{function.name}` says nothing about `{name}` but its name"
    if protocols.require(function):
        return
    # What is said of a property is said of the parameter that sets it.
    if function.is_memberwise and described:
        yield f"`{function.name}` describes parameters that are properties of its type"
    missing = [
        p.internal
        for p in function.parameters
        if p.names and not p.names & names and not (function.name == "init" and p.internal in function.properties)
    ]
    if missing and len(function.parameters) >= parameters_to_list and not is_witness(function, STANDARD_WITNESSES):
        yield f"`{function.name}` does not describe {', '.join(f'`{name}`' for name in missing)}"
    throws = section(lines, "Throws")
    if function.throws and throws is None and function.owner.endswith(REPOSITORY):
        return
    if function.throws and throws is None:
        yield f"`{function.name}` throws and has no `- Throws:`"
    elif function.throws and not names_an_error(function, throws):
        yield f"`{function.name}` does not name its error{f' `{function.error}`' if function.error else ''} in `- Throws:`"


def check(targets, only_counts):
    broken = 0
    protocols = Protocols(path.read_text(encoding="utf-8") for path in (ROOT / "Sources").rglob("*.swift"))
    for target in targets:
        folder = ROOT / "Sources" / target
        if not folder.is_dir():
            continue
        functions = documented = all_lines = found = 0
        for path in sorted(folder.rglob("*.swift")):
            text = path.read_text(encoding="utf-8")
            share = documentation_share(text)
            documented += share[0]
            all_lines += share[1]
            for function in public_functions(text):
                functions += 1
                for problem in problems(function, protocols, PARAMETERS_TO_LIST_IN.get(target, PARAMETERS_TO_LIST)):
                    found += 1
                    if not only_counts:
                        print(f"{path.relative_to(ROOT)}:{function.line}: {problem}")
        share = documented / all_lines if all_lines else 1
        broken += found
        print(f"{target}: {functions} public functions, {found} gaps; {share:.1%} of {all_lines} lines are documentation")
    if broken:
        print(f"\nGaps in the documentation: {broken}.", file=sys.stderr)
    return 1 if broken else 0


def self_test():
    """Each line of a fixture that ends in `// gap: TEXT` has a problem with that text; no other line has one."""
    wrong = 0
    fixtures = sorted(FIXTURES.glob("*.swift"))
    for path in fixtures:
        text = path.read_text(encoding="utf-8")
        expected = []
        for number, line in enumerate(text.splitlines(), 1):
            for gap in re.split(r"// gap: ", line)[1:]:
                expected.append((number, gap.strip()))
        protocols = Protocols([text])
        actual = [(f.line, problem) for f in public_functions(text) for problem in problems(f, protocols)]
        for line, problem in sorted(set(expected) - set(actual)):
            print(f"{path.relative_to(ROOT)}:{line}: not found: {problem}")
            wrong += 1
        for line, problem in sorted(set(actual) - set(expected)):
            print(f"{path.relative_to(ROOT)}:{line}: found, and not expected: {problem}")
            wrong += 1
        functions = re.search(r"// public functions: (\d+)", text)
        count = len(public_functions(text))
        if not functions or int(functions[1]) != count:
            print(f"{path.relative_to(ROOT)}: {count} public functions were read")
            wrong += 1
    if not fixtures:
        print(f"{FIXTURES.relative_to(ROOT)}: no fixtures")
        wrong += 1
    return 1 if wrong else 0


def main(arguments):
    if "--self-test" in arguments:
        return self_test()
    named = [argument for argument in arguments if not argument.startswith("--")]
    unknown = [name for name in named if not (ROOT / "Sources" / name).is_dir()]
    if unknown:
        print(f"No such target: {', '.join(unknown)}", file=sys.stderr)
        return 2
    return check(named or APP_LIBRARIES + OTHER_LIBRARIES, "--counts" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
