#!/usr/bin/env bash
# Stops with a clear sentence when Swift is missing or too old.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly needed_major=6 needed_minor=2
readonly advice="Install Swift $needed_major.$needed_minor or newer from https://www.swift.org/install and put it in PATH."

command -v swift > /dev/null || fail "there is no 'swift' in PATH. $advice"

version=$(swift --version 2> /dev/null | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' | head -n 1)
[[ -n $version ]] || fail "'swift --version' names no version. $advice"

major=${version%%.*}
minor=${version#*.}
if ((major < needed_major || (major == needed_major && minor < needed_minor))); then
    fail "Swift $version is too old. $advice"
fi
