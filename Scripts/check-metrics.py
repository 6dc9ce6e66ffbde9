#!/usr/bin/env python3
"""Checks that documentation, board and alerts name the metrics and labels that the server has.

The server's are in MetricDescription.all, and for the process in ProcessFigures. Every instrument is one of these, and
each has a row with its labels in Operations.md. An expression in Deployment may name them, `up`, and the labels that
Prometheus adds.

check-metrics.py              the files
check-metrics.py --self-test  the check itself
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DECLARED = "Sources/CountersignHTTP/Metrics/MetricDescription.swift"
PROCESS = "Sources/CountersignHTTP/Metrics/ProcessFigures.swift"
PAGE = "Documentation/Operations.md"
ALERTS = "Deployment/alerts.yaml"
BOARD = "Deployment/grafana.json"

# The labels of every scraped series.
TARGET = {"job", "instance"}
FUNCTIONS = {
    "sum", "max", "min", "avg", "count", "topk", "rate", "increase", "histogram_quantile", "time", "clamp_min",
}
OPERATORS = {"and", "or", "unless", "offset", "bool"}
CLAUSE = re.compile(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^()]*)\)")
SERIES = re.compile(r"(?<![\w$.:])([a-zA-Z_:][\w:]*)(\s*\()?")
MATCHER = re.compile(r"""\s*(\w+)\s*(?:=~|!~|!=|=)\s*"(?:[^"\\]|\\.)*"\s*""")


def declared(text, process):
    """The labels of each series, by its name: a distribution has several."""
    series = {name: set() for name in re.findall(r'add\("(process_\w+)"', process)}
    for name, body in re.findall(r'MetricDescription\(\s*"(\w+)",(.*?)\n?\s*\),?(?=\s*(?:MetricDescription|\]))', text, re.S):
        found = re.search(r"labels: \[([^\]]*)\]", body)
        labels = set(re.findall(r'"(\w+)"', found[1])) if found else set()
        if "bounds:" in body:
            series |= {f"{name}_bucket": labels | {"le"}, f"{name}_sum": labels, f"{name}_count": labels}
        else:
            series[name] = labels
    return series


def metrics(series):
    """The labels of each metric, by its name."""
    distributions = {name.removesuffix("_bucket") for name in series if name.endswith("_bucket")}
    parts = {f"{name}_{part}" for name in distributions for part in ("bucket", "sum", "count")}
    single = {name: labels for name, labels in series.items() if name not in parts}
    return single | {name: series[f"{name}_bucket"] - {"le"} for name in distributions}


def faults_of(expression, series):
    """What is wrong with an expression."""
    if expression.count("(") != expression.count(")") or expression.count("{") != expression.count("}"):
        return ["its brackets do not match"]
    used, faults = set(), []
    rest = re.sub(r"\[[^\]]*\]", "", expression)
    for clause in CLAUSE.findall(rest):
        used |= {label.strip() for label in clause.split(",") if label.strip()}
    rest = CLAUSE.sub("", rest)
    for braces in re.findall(r"\{([^}]*)\}", rest):
        for part in filter(str.strip, re.split(r',(?=\s*\w+\s*[=!])', braces)):
            matcher = MATCHER.fullmatch(part)
            if matcher:
                used.add(matcher[1])
            else:
                faults.append(f"{part.strip()} is no condition on a label")
    rest = re.sub(r"\{[^}]*\}", "", rest)
    known = set()
    for name, call in SERIES.findall(rest):
        if call or name in OPERATORS:
            if name not in FUNCTIONS | OPERATORS:
                faults.append(f"{name} is no function that this check knows")
        elif name == "up":
            known |= TARGET
        elif name in series:
            known |= series[name] | TARGET
        else:
            faults.append(f"the server has no series {name}")
    return faults + [f"no series in it has the label {label}" for label in sorted(used - known)]


def rows(page):
    """The labels of each metric in the table of the page."""
    table = page.partition("\n## Metrics\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| `(\w+)` \|([^|]*)\|", table, re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", labels))) for name, labels in found}


def expressions(board, alerts):
    """Where each expression is, and the expression."""
    for number, line in enumerate(alerts.splitlines(), 1):
        found = re.match(r"\s+expr: (.*)", line)
        if found:
            yield f"{ALERTS}:{number}", found[1].strip("'")
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            yield f"{BOARD}: {panel['title']}", target["expr"]
    for variable in board["templating"]["list"]:
        if variable["type"] == "query":
            # The values of a label of a series.
            query = re.sub(r"^label_values\((.*), (\w+)\)$", r"sum by (\2) (\1)", variable["query"])
            yield f"{BOARD}: ${variable['name']}", query


def check():
    read = lambda path: (ROOT / path).read_text(encoding="utf-8")
    series = declared(read(DECLARED), read(PROCESS))
    own, faults = metrics(series), []
    code = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in (ROOT / "Sources").rglob("*.swift")
        if path != ROOT / DECLARED
    }
    for path, text in code.items():
        for name in re.findall(r'label(?::| =) "(countersign_\w+)"', text):
            if name not in own:
                faults.append(f"{path}: {name} is not in MetricDescription.all")
    for name in own:
        if not any(f'"{name}"' in text for text in code.values()):
            faults.append(f"{DECLARED}: nothing counts {name}")
    page = rows(read(PAGE))
    for name in sorted(own.keys() | page.keys()):
        if page.get(name) != own.get(name):
            faults.append(f"{PAGE}: {name} has the labels {page.get(name)}, in the code {own.get(name)}")
    # In running text, too.
    for name in re.findall(r"`((?:countersign|process)_\w+(?:_total|_seconds|_bytes|_fds|_waiting))`", read(PAGE)):
        if name not in own:
            faults.append(f"{PAGE}: the server has no metric {name}")
    found = list(expressions(json.loads(read(BOARD)), read(ALERTS)))
    for place, expression in found:
        faults += [f"{place}: {fault}" for fault in faults_of(expression, series)]
    if read(ALERTS).count("- alert:") != sum(place.startswith(ALERTS) for place, _ in found):
        faults.append(f"{ALERTS}: each alert has its expression on one line")
    if shutil.which("promtool") and subprocess.run(["promtool", "check", "rules", ROOT / ALERTS], check=False).returncode:
        faults.append(f"{ALERTS}: promtool refuses it")
    for fault in faults:
        print(fault)
    return not faults


def self_test():
    swift = """
        MetricDescription("a_total", "A, by (b).", labels: ["b", "c"]),
        MetricDescription(
            "d_seconds",
            "D.",
            labels: ["e"],
            bounds: latencies
        ),
        MetricDescription("f", "F."),
    ]
    """
    series = declared(swift, 'add("process_g", "gauge", "G.", 1)')
    assert series == {
        "process_g": set(), "a_total": {"b", "c"}, "f": set(), "d_seconds_bucket": {"e", "le"},
        "d_seconds_sum": {"e"}, "d_seconds_count": {"e"},
    }, series
    assert metrics(series) == {"process_g": set(), "a_total": {"b", "c"}, "d_seconds": {"e"}, "f": set()}
    for good in [
        'sum by (b) (rate(a_total{c=~"x|y,z",job="n"}[5m])) / sum(rate(a_total[5m])) > 0.05',
        "histogram_quantile(0.99, sum by (le, e) (rate(d_seconds_bucket[$__rate_interval]))) > 2.5",
        "f - time() < 14 * 86400 and process_g > 1e3", 'up{job="n"} == 0', "a_total offset 10m or a_total * 0",
    ]:
        assert faults_of(good, series) == [], (good, faults_of(good, series))
    for bad, fault in [
        ("rate(b_total[5m])", "the server has no series b_total"),
        ("rate(d_seconds[5m])", "the server has no series d_seconds"),
        ('sum(a_total{d="x"})', "no series in it has the label d"),
        ("sum by (le) (a_total)", "no series in it has the label le"),
        ("sum(a_total", "its brackets do not match"),
        ("sun(a_total)", "sun is no function that this check knows"),
        ("a_total{b=x}", "b=x is no condition on a label"),
    ]:
        assert faults_of(bad, series) == [fault], (bad, faults_of(bad, series))
    assert rows("\n## Metrics\n| `a_total` | `b`, `c` (`2xx`…) | A |\n| `f` | | F |\n## X\n| `x` | | |") == {
        "a_total": {"b", "c"}, "f": set(),
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit(0)
    sys.exit(0 if check() else 1)
