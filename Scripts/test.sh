#!/usr/bin/env bash
# Everything that must hold, stage by stage; stops at the first stage that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh
source Scripts/suites.sh

# The longest that one of our stages has taken on two cores, many times over: what takes longer hangs.
patience=20m
report=()

# stage NAME WHAT COMMAND...
stage() {
    local name=$1 what=$2 began=$SECONDS outcome=passed
    shift 2
    say "$name: $what"
    "$@" < /dev/null || outcome=FAILED
    report+=("$(printf '%-10s %7s min   %s' "$name" "$(minutes $((SECONDS - began)))" "$outcome")")
    if [[ $outcome == FAILED ]]; then
        table
        printf "\nThe stage '%s' failed; the stages after it did not run. What went wrong is said above the table.\n" \
            "$name" >&2
        exit 1
    fi
}

minutes() {
    printf '%d.%02d' $(($1 / 60)) $(($1 % 60 * 100 / 60))
}

table() {
    printf '\n'
    printf '%s\n' "${report[@]}"
    printf '%-10s %7s min\n' total "$(minutes "$SECONDS")"
}

say 'Looking for what the tests need'
Scripts/prepare.sh test

surround_tests .build/debug/countersign

stage rules 'how the code is laid out and what it must not contain' Scripts/lint.sh
stage build 'everything, with the tests; a warning is an error' \
    swift build --build-tests "${suite_options[@]}" --explicit-target-dependency-import-check error
stage unit 'machines, messages, endpoints, storage' \
    suites unit --parallel --skip JourneyTests --skip CommandTests --skip FaultTests --skip NetworkTests
stage journeys 'whole stories, in a real browser and with independent clients' \
    suites journeys --no-parallel --filter JourneyTests
stage network 'two hosts on a network of their own, beside programs that others wrote' \
    suites network --no-parallel --filter NetworkTests
stage faults 'what dies, is full, broken or away' suites faults --no-parallel --filter FaultTests
stage fuzz 'each parser, with what libFuzzer makes up' Scripts/fuzz.sh 10
stage command 'the command, as it is typed' suites command --no-parallel --filter CommandTests

table
printf '\nAll %d tests passed in %s minutes.\n' "$tests" "$(minutes "$SECONDS")"
