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

# The longest that one of our stages has taken on two cores, many times over: what takes longer hangs.
readonly patience=20m

# suites NAME OPTION...: runs tests, and takes it for a failure when there are none, or when they do not end.
suites() {
    local log=$logs/$1.log outcome=0 ran
    shift
    mkdir -p "$logs"
    timeout --kill-after=10 "$patience" stdbuf --output=L swift test --traits PostgreSQL --skip-build --disable-xctest "$@" 2>&1 |
        tee "$log" || outcome=${PIPESTATUS[0]}
    if ((outcome == 124 || outcome == 137)); then
        say "Stopped after $patience. These tests had begun and not ended:"
        unended "$log"
    fi
    ((outcome == 0)) || return 1
    ran=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' "$log" | tail -n 1)
    if ((${ran:-0} == 0)); then
        say 'No test ran.'
        return 1
    fi
    tests=$((tests + ran))
}

# unended LOG: the tests that began and did not end, by their names.
unended() {
    awk -F '"' '/^. Test (case |").*started\.$/ { open[$2]++ } /^. Test ".*(passed|failed) after/ { delete open[$2] }
        END { for (name in open) print "    " name }' "$1"
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
stage unit 'machines, messages, endpoints, storage' \
    suites unit --parallel --skip JourneyTests --skip CommandTests --skip FaultTests
stage journeys 'whole stories, in a real browser and with independent clients' \
    suites journeys --no-parallel --filter JourneyTests
stage faults 'what dies, is full, broken or away' suites faults --no-parallel --filter FaultTests
stage fuzz 'each parser, with what libFuzzer makes up' Scripts/fuzz.sh 10
stage command 'the command, as it is typed' suites command --no-parallel --filter CommandTests

table
printf '\nAll %d tests passed in %s minutes.\n' "$tests" "$(minutes "$SECONDS")"
