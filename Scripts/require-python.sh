#!/usr/bin/env bash
# Keeps a virtual environment with what a file names: require-python.sh [FILE ENVIRONMENT]. By default it is the one with the
# OAuth clients that others wrote, for the journeys.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly wanted=${1:-Tests/JourneyTests/requirements.txt}
readonly environment=${2:-.build/venv}
readonly installed=$environment/installed.txt

cmp --silent "$wanted" "$installed" && exit 0

say "Installing Python packages into $environment"
mkdir -p .build
rm -rf "$environment"
python3 -m venv "$environment" || fail "python3 could not make a virtual environment."
"$environment/bin/pip" install --disable-pip-version-check --progress-bar off --quiet --requirement "$wanted" >&2 ||
    fail "pip could not install what $wanted names. Its own words are above."
cp "$wanted" "$installed"
