#!/usr/bin/env bash
# Which lines of Sources the tests run: coverage.sh [OPTION OF SWIFT TEST]...; with options, one run with these, and
# otherwise the unit tests. Writes .build/coverage.lcov, which editors and review tools read.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh
source Scripts/suites.sh

readonly build=.build/coverage profiles=$PWD/.build/profiles lines=.build/coverage.lcov
binaries=$build/debug
# Counting makes everything slower.
time_limit=60m

say 'Looking for what the tests need'
Scripts/prepare.sh test
say 'Building everything with counters; the first time this takes some minutes.'
Scripts/swift-build.sh --build-tests --enable-code-coverage --scratch-path "$build"
surround_tests "$binaries/countersign"

rm -rf "$profiles" "$lines"
mkdir -p "$profiles"
# The tests run as another user when root calls this.
chmod 1777 "$profiles"
# Each process of the command has a file of its own, too.
export LLVM_PROFILE_FILE="$profiles/%p.profraw"
if (($#)); then
    suites coverage "$@" < /dev/null
else
    suites coverage --parallel --skip JourneyTests --skip CommandTests --skip FaultTests --skip NetworkTests < /dev/null
fi

tools=$(dirname "$(readlink -f "$(command -v swift)")")
"$tools/llvm-profdata" merge --sparse --output "$profiles/all.profdata" "$profiles"/*.profraw
counted=(--instr-profile "$profiles/all.profdata" "$binaries/countersignPackageTests.xctest"
    --object "$binaries/countersign")
"$tools/llvm-cov" export --format=lcov "${counted[@]}" --sources Sources > "$lines"
"$tools/llvm-cov" report "${counted[@]}" --sources Sources | tail -1
say "The lines that $(tests_run) tests ran are in $lines."
