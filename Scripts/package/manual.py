#!/usr/bin/env python3
"""Writes a page of the manual for the command, and one for each command below it.

Reads from standard input what `countersign --experimental-dump-help` says.
Usage: manual.py VERSION FOLDER
"""

import json
import pathlib
import sys


def escaped(text):
    """Text as troff takes it literally."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def spelled(argument):
    """An option or an argument as a person writes it."""
    value = f"\\fI{escaped(argument.get('valueName', 'value'))}\\fR"
    if argument["kind"] == "positional":
        return value
    dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}
    names = ", ".join(f"\\fB{escaped(dashes[name['kind']] + name['name'])}\\fR" for name in argument["names"])
    return names if argument["kind"] == "flag" else f"{names} {value}"


def described(argument):
    """What an argument is for, with its default and its values."""
    parts = [argument.get("abstract") or "", argument.get("discussion") or ""]
    if argument.get("defaultValue") and argument["kind"] != "flag":
        parts.append(f"The default is {argument['defaultValue']}.")
    if argument.get("allValues"):
        parts.append(f"One of: {', '.join(argument['allValues'])}.")
    return escaped("\n".join(part for part in parts if part))


def paragraphs(text):
    """Text with its line breaks; empty lines part paragraphs."""
    return [".PP" if not line.strip() else f"{escaped(line)}\n.br" for line in text.split("\n")]


def page(command, path, version):
    """The lines of one page."""
    name = "-".join(path)
    arguments = [one for one in command.get("arguments", []) if one.get("shouldDisplay", True)]
    below = [one for one in command.get("subcommands", []) if shown(one)]
    lines = [f'.TH "{name.upper()}" 1 "" "countersign {version}" "Countersign"', ".SH NAME"]
    lines.append(f"{escaped(name)} \\- {escaped(command.get('abstract') or ' '.join(path))}")
    lines += [".SH SYNOPSIS", f"\\fB{escaped(' '.join(path))}\\fR"]
    lines += [f"\\fI{escaped(part)}\\fR" for part in (["command"] if below else [])]
    for argument in arguments:
        text = spelled(argument)
        lines.append(f"[{text}]" if argument.get("isOptional", False) or argument["kind"] == "flag" else text)
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *paragraphs(command["discussion"])]
    if arguments:
        lines.append(".SH OPTIONS")
        for argument in arguments:
            lines += [".TP", spelled(argument), described(argument)]
    if below:
        lines.append(".SH COMMANDS")
        for one in below:
            lines += [".TP", f"\\fB{escaped('-'.join([*path, one['commandName']]))}\\fR(1)"]
            lines.append(escaped(one.get("abstract") or ""))
    if len(path) > 1:
        lines += [".SH SEE ALSO", f"\\fB{escaped('-'.join(path[:-1]))}\\fR(1)"]
    return "\n".join(line for line in lines if line) + "\n"


def shown(command):
    """Whether a command is one for people; help is built in."""
    return command.get("shouldDisplay", True) and command["commandName"] != "help"


def write(command, path, version, folder):
    """Writes the pages of a command and of those below it."""
    (folder / f"{'-'.join(path)}.1").write_text(page(command, path, version))
    for one in filter(shown, command.get("subcommands", [])):
        write(one, [*path, one["commandName"]], version, folder)


def main():
    command = json.load(sys.stdin)["command"]
    write(command, [command["commandName"]], sys.argv[1], pathlib.Path(sys.argv[2]))


main()
