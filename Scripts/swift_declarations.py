"""Reads the public functions, initialisers and subscripts of a Swift file, with their doc comments.

It knows as much of Swift's grammar as that takes: comments, strings, regular expressions, nesting, and how a
declaration begins. It needs no compiler, so that `make lint` works before anything was built.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field

MODIFIERS = {
    "public", "open", "package", "internal", "fileprivate", "private", "static", "class", "final", "mutating",
    "nonmutating", "nonisolated", "isolated", "override", "required", "convenience", "indirect", "lazy", "weak",
    "unowned", "dynamic", "optional", "consuming", "borrowing", "distributed", "prefix", "postfix", "infix",
    "sending",
}
ACCESS = {"public", "open", "package", "internal", "fileprivate", "private"}
TYPES = {"struct", "class", "enum", "actor", "protocol", "extension"}
OTHERS = {"var", "let", "case", "typealias", "associatedtype", "import", "deinit", "operator", "precedencegroup", "macro"}
FUNCTIONS = {"func", "init", "subscript"}
OPENING = {"(": ")", "[": "]", "{": "}"}

TOKEN = re.compile(
    r"""
      (?P<space>[ \t\r\f]+)
    | (?P<newline>\n)
    | (?P<directive>\#(?:if|elseif|else|endif|sourceLocation)\b[^\n]*)
    | (?P<doc>///[^\n]*)
    | (?P<comment>//[^\n]*)
    | (?P<word>[\w$]+|`[^`\n]+`)
    | (?P<arrow>->)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass
class Token:
    text: str
    line: int


@dataclass
class Parameter:
    external: str | None
    internal: str
    type: str

    @property
    def names(self):
        return {name for name in (self.external, self.internal) if name not in (None, "_")}


@dataclass
class Function:
    name: str
    line: int
    parameters: list = field(default_factory=list)
    throws: bool = False
    # The type in `throws(…)`, where it is stated.
    error: str | None = None
    # The lines of the doc comment without their slashes.
    documentation: list = field(default_factory=list)
    # The line on which the declaration begins, below its doc comment.
    first: int = 0
    # Whether it is a requirement of a protocol.
    is_requirement: bool = False
    # The variables with a doc comment in the braces in which it stands; for a public function the public ones.
    properties: set = field(default_factory=set)
    # The name of the type or extension around it; empty outside of all.
    owner: str = ""

    @property
    def is_memberwise(self):
        """Whether it is an initialiser all of whose parameters are documented as variables of its type."""
        return (
            self.name == "init"
            and bool(self.parameters)
            and all(parameter.internal in self.properties for parameter in self.parameters)
        )


class Source:
    """The tokens of a file without comments and the contents of strings, and its doc comments by line."""

    def __init__(self, text):
        self.tokens = []
        self.doc_lines = {}
        self._text = text
        self._read()

    def _read(self):
        text, at, line = self._text, 0, 1
        while at < len(text):
            end = self._end_of_opaque(at)
            if end is not None:
                if not text.startswith("/*", at):
                    self.tokens.append(Token('""', line))
                line += text.count("\n", at, end)
                at = end
                continue
            match = TOKEN.match(text, at)
            kind, found = match.lastgroup, match.group()
            if kind == "newline":
                line += 1
            elif kind == "doc":
                self.doc_lines[line] = found[3:]
            elif kind in ("word", "arrow", "other"):
                self.tokens.append(Token(found, line))
            at = match.end()

    def _end_of_opaque(self, at):
        """Where the nested comment, string or regular expression that begins here ends; `None` when none begins."""
        text = self._text
        if text.startswith("/*", at):
            return self._end_of_comment(at)
        opening = re.compile(r'(#*)("""|"|/)').match(text, at)
        if not opening:
            return None
        hashes, mark = opening.groups()
        if mark == "/":
            return self._end_of_regex(at, hashes)
        return self._end_of_string(opening.end(), hashes, mark)

    def _end_of_comment(self, at):
        depth = 0
        for match in re.compile(r"/\*|\*/").finditer(self._text, at):
            depth += 1 if match.group() == "/*" else -1
            if depth == 0:
                return match.end()
        return len(self._text)

    def _end_of_string(self, at, hashes, mark):
        text, escape, closing = self._text, "\\" + hashes, mark + hashes
        while at < len(text):
            if text.startswith(closing, at):
                return at + len(closing)
            if text.startswith(escape + "(", at):
                at = self._end_of_interpolation(at + len(escape))
            elif text.startswith(escape, at):
                at += len(escape) + 1
            else:
                at += 1
        return len(text)

    def _end_of_interpolation(self, at):
        text, depth = self._text, 0
        while at < len(text):
            end = self._end_of_opaque(at) if text[at] in '"#' else None
            if end is not None:
                at = end
                continue
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            at += 1
            if depth == 0:
                return at
        return len(text)

    def _end_of_regex(self, at, hashes):
        text = self._text
        if hashes:
            end = text.find("/" + hashes, at + len(hashes) + 1)
            return None if end < 0 else end + 1 + len(hashes)
        if text.startswith("//", at):
            return None
        before = text[:at].rstrip(" ")[-1:]
        if before and before not in "(,=:[{\n&|!?;":
            return None
        match = re.compile(r"/(?![ \t*/])(?:\\.|[^\\/\n])+/").match(text, at)
        return match.end() if match else None

    def documentation_above(self, line):
        """The doc comment that ends on the line above `line`."""
        lines = []
        while line - 1 in self.doc_lines:
            line -= 1
            lines.insert(0, self.doc_lines[line])
        return lines


class Reader:
    """Walks through the declarations of a source; bodies of functions and of variables are passed over."""

    def __init__(self, text, takes_all=False):
        self._source = Source(text)
        self._takes_all = takes_all
        self._tokens = self._source.tokens
        self._at = 0
        self.functions = []
        # Of each type around the current place: all documented variables, and the public ones.
        self._properties = [(set(), set())]
        # Of each type or extension by its name: the protocols and types that it names as its own.
        self.conformances = defaultdict(set)
        self._is_protocol = False
        self._owner = ""
        # The word `public` counts only where the type around it is reachable from outside; the check asks for more
        # and reads every declaration that says `public`.
        self._members(False, False)

    def _text(self, ahead=0):
        place = self._at + ahead
        return self._tokens[place].text if place < len(self._tokens) else ""

    def _members(self, public_by_default, in_protocol):
        while self._at < len(self._tokens):
            if self._text() == "}":
                self._at += 1
                return
            self._declaration(public_by_default, in_protocol)

    def _declaration(self, public_by_default, in_protocol):
        first = self._tokens[self._at].line
        access = None
        while True:
            word = self._text()
            if word == "@":
                self._at += 2
                if self._text() == "(" and self._tokens[self._at].line == self._tokens[self._at - 1].line:
                    self._skip_balanced()
            elif word in MODIFIERS and not (word == "class" and self._text(1) not in MODIFIERS | FUNCTIONS | {"var", "let"}):
                self._at += 1
                if self._text() == "(":
                    self._skip_balanced()
                elif word in ACCESS:
                    access = word
            else:
                break
        public = access in ("public", "open") or (access is None and public_by_default)
        word = self._text()
        if word in TYPES:
            self._type(word, public)
        elif word in FUNCTIONS:
            self._function(first, public)
        else:
            # A variable, a case, or something within them: passed over, bodies as a whole.
            if word in OPENING:
                self._skip_balanced()
            else:
                if word in ("var", "let") and self._source.documentation_above(first):
                    for properties in self._properties[-1][: 2 if public else 1]:
                        properties.add(self._text(1).strip("`"))
                self._at += 1

    def _type(self, word, public):
        owner, self._owner = self._owner, self._text(1)
        inherited = None
        while self._at < len(self._tokens) and self._text() != "{":
            if self._text() == ":" and inherited is None:
                self._owner = self._text(-1) if word == "extension" else self._owner
                inherited = self.conformances[self._owner]
            elif self._text() == "where":
                inherited = set()
            elif inherited is not None:
                inherited.add(self._text())
            self._at += 1
        self._at += 1
        members_are_public = public and word in ("protocol", "extension")
        self._properties.append((set(), set()))
        outer, self._is_protocol = self._is_protocol, word == "protocol"
        self._members(members_are_public, word == "protocol")
        self._is_protocol = outer
        self._properties.pop()
        self._owner = owner

    def _function(self, first, public):
        line = self._tokens[self._at].line
        word = self._text()
        self._at += 1
        name = word
        if word == "func":
            name = ""
            while self._text() not in ("(", "<") or not name:
                name += self._text()
                self._at += 1
            # An operator may itself be written with `<`.
            while self._text() == "<" and self._text(1) in ("(", "<"):
                name += self._text()
                self._at += 1
        elif self._text() in ("?", "!"):
            self._at += 1
        if self._text() == "<":
            self._skip_generics()
        # Variables may follow their initialiser, so the set is shared.
        properties = self._properties[-1][public]
        function = Function(name, line, self._parameters(), first=first, properties=properties, owner=self._owner)
        function.is_requirement = self._is_protocol
        function.documentation = self._source.documentation_above(first)
        self._effects(function)
        if public or self._takes_all:
            self.functions.append(function)

    def _effects(self, function):
        while self._text() in ("async", "throws", "rethrows", "reasync"):
            word = self._text()
            self._at += 1
            if word != "throws":
                continue
            function.throws = True
            if self._text() == "(":
                start = self._at + 1
                self._skip_balanced()
                function.error = "".join(token.text for token in self._tokens[start : self._at - 1])
        if function.error == "Never":
            function.throws = False
        starts = MODIFIERS | TYPES | FUNCTIONS | OTHERS | {"@", "}"}
        while self._at < len(self._tokens) and self._text() not in starts:
            if self._text() == "{":
                self._skip_balanced()
                return
            if self._text() in OPENING:
                self._skip_balanced()
            else:
                self._at += 1

    def _parameters(self):
        start = self._at + 1
        self._skip_balanced()
        parameters, depth, part = [], 0, []
        for token in self._tokens[start : self._at - 1] + [Token(",", 0)]:
            if token.text in ("(", "[", "{", "<"):
                depth += 1
            elif token.text in (")", "]", "}", ">"):
                depth -= 1
            if token.text == "," and depth == 0:
                if part:
                    parameters.append(self._parameter(part))
                part = []
            else:
                part.append(token.text)
        return parameters

    def _parameter(self, part):
        colon = part.index(":")
        names = [name for name in part[:colon] if re.fullmatch(r"[\w`$]+", name)]
        # Attributes such as `@autoclosure` stand after the colon.
        names = [name.strip("`") for name in names[-2:]]
        external = names[0] if len(names) == 2 else None
        return Parameter(external, names[-1], " ".join(part[colon + 1 :]))

    def _skip_balanced(self):
        closing = [OPENING[self._text()]]
        self._at += 1
        while closing and self._at < len(self._tokens):
            text = self._text()
            if text in OPENING:
                closing.append(OPENING[text])
            elif text == closing[-1]:
                closing.pop()
            self._at += 1

    def _skip_generics(self):
        depth = 0
        while self._at < len(self._tokens):
            depth += {"<": 1, ">": -1}.get(self._text(), 0)
            self._at += 1
            if depth == 0:
                return


def public_functions(text):
    """The public functions, initialisers and subscripts of a file in their order."""
    return Reader(text).functions


def documentation_share(text):
    """How many lines of a file are doc comments, and how many lines it has that are not empty."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return sum(1 for line in lines if line.startswith("///")), len(lines)
