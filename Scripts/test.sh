#!/usr/bin/env bash
# Everything that must hold, stage by stage; stops at the first stage that fails.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly logs=.build/test-logs
report=()
tests=0

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

# suites NAME OPTION...: runs tests, and takes it for a failure when there are none.
suites() {
    local log=$logs/$1.log ran
    shift
    mkdir -p "$logs"
    swift test --traits PostgreSQL --skip-build --disable-xctest "$@" 2>&1 | tee "$log" || return 1
    ran=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' "$log" | tail -n 1)
    if ((${ran:-0} == 0)); then
        say 'No test ran.'
        return 1
    fi
    tests=$((tests + ran))
}

say 'Looking for what the tests need'
Scripts/prepare.sh test

say 'Starting a PostgreSQL server of our own for the tests'
postgres=$(mktemp --directory /tmp/countersign-postgres.XXXXXX)
readonly postgres
trap 'Scripts/postgres-cluster.sh remove "$postgres"' EXIT
COUNTERSIGN_TEST_POSTGRES=$(Scripts/postgres-cluster.sh start "$postgres")
export COUNTERSIGN_TEST_POSTGRES

export COUNTERSIGN_TEST_PYTHON=$PWD/.build/venv/bin/python
export COUNTERSIGN_TEST_CHROMIUM=${COUNTERSIGN_TEST_CHROMIUM:-$(command -v chromium)}
export COUNTERSIGN_TEST_CHROMEDRIVER=${COUNTERSIGN_TEST_CHROMEDRIVER:-$(command -v chromedriver)}
export COUNTERSIGN_TEST_COMMAND=$PWD/.build/debug/countersign

stage rules 'how the code is laid out and what it must not contain' Scripts/lint.sh
stage build 'everything, with the tests; a warning is an error' \
    swift build --build-tests --traits PostgreSQL --explicit-target-dependency-import-check error
stage unit 'machines, messages, endpoints, storage' suites unit --parallel --skip JourneyTests --skip CommandTests
stage journeys 'whole stories, in a real browser and with independent clients' \
    suites journeys --no-parallel --filter JourneyTests
stage fuzz 'each parser, with what libFuzzer makes up' Scripts/fuzz.sh 10
stage command 'the command, as it is typed' suites command --no-parallel --filter CommandTests

table
printf '\nAll %d tests passed in %s minutes.\n' "$tests" "$(minutes "$SECONDS")"
