"""Checks the description of the endpoints, and the endpoints by their description, with inputs that schemathesis makes up."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

from openapi_spec_validator import validate

ISSUER = os.environ["JOURNEY_ISSUER"]
DESCRIPTION = f"{ISSUER}/openapi.json"
SCHEMATHESIS = pathlib.Path(sys.executable).parent / "schemathesis"

# The same inputs each time.
SETTINGS = """
[phases.coverage]
unexpected-methods = ["get", "put", "post", "delete", "options", "patch"]
"""


def run(directory: str, name: str, *options: str) -> None:
    settings = pathlib.Path(directory) / "settings.toml"
    settings.write_text(SETTINGS)
    command = [
        str(SCHEMATHESIS), "--config-file", str(settings), "run", DESCRIPTION, "--no-color", "--no-shrink",
        "--generation-deterministic", "--generation-allow-x00", "false", "--warnings", "off", "--continue-on-failure",
        *options,
    ]  # fmt: skip
    ended = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if ended.returncode != 0:
        sys.exit(f"{name}:\n{ended.stdout}")
    print(f"{name}: ", *[line.strip() for line in ended.stdout.splitlines() if "generated" in line])


with urllib.request.urlopen(DESCRIPTION) as answer:
    validate(json.load(answer))

with tempfile.TemporaryDirectory() as directory:
    # Cross-Platform Authentication tells a client that is not known so with 400, as it does of a malformed request.
    known = r"^/(cpa/(associate|token)|register.*)$"
    run(directory, "as nobody", "--max-examples", "60", "--exclude-path-regex", known)
    run(
        directory, "as a device that is not known, or an app that registers itself", "--max-examples", "60", "--include-path-regex", known,
        "--exclude-checks", "positive_data_acceptance",
    )  # fmt: skip
    # With a client that is known, many an input that fits the description is refused for good reasons: its grant is
    # unknown, its scope not permitted.
    run(
        directory, "as a client", "--max-examples", "150", "--exclude-checks", "positive_data_acceptance",
        "--header", f"Authorization: {os.environ['JOURNEY_CLIENT']}",
    )  # fmt: skip
    run(
        directory, "as a person", "--max-examples", "10", "--include-path", "/userinfo",
        "--header", f"Authorization: {os.environ['JOURNEY_TOKEN']}",
    )  # fmt: skip
    run(
        directory, "as a service", "--max-examples", "60", "--include-path", "/cpa/authorized",
        "--exclude-checks", "positive_data_acceptance",
        "--header", f"Authorization: {os.environ['JOURNEY_SERVICE']}",
    )  # fmt: skip
