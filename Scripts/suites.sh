#!/usr/bin/env bash
# How the tests are run, and what they need around them: to be sourced, after say.sh.
#
#   suite_options     what 'swift test' is told in every run
#   patience          when a run is taken for one that hangs
#   surround_tests    starts what they need, until the script ends
#   suites            runs some of them; 'tests' counts how many ran

readonly logs=.build/test-logs
suite_options=(--traits 'PostgreSQL,SecretService')
patience=20m
tests=0

# surround_tests PROGRAM: a PostgreSQL server of our own, and where the tests find it, the command and the browser.
surround_tests() {
    say 'Starting a PostgreSQL server of our own for the tests'
    postgres=$(mktemp --directory /tmp/countersign-postgres.XXXXXX)
    readonly postgres
    trap 'Scripts/postgres-cluster.sh remove "$postgres"' EXIT
    COUNTERSIGN_TEST_POSTGRES=$(Scripts/postgres-cluster.sh start "$postgres")
    export COUNTERSIGN_TEST_POSTGRES

    export COUNTERSIGN_TEST_PYTHON=$PWD/.build/venv/bin/python
    export COUNTERSIGN_TEST_CHROMIUM=${COUNTERSIGN_TEST_CHROMIUM:-$(command -v chromium)}
    export COUNTERSIGN_TEST_CHROMEDRIVER=${COUNTERSIGN_TEST_CHROMEDRIVER:-$(command -v chromedriver)}
    export COUNTERSIGN_TEST_COMMAND=$PWD/$1
}

# suites NAME OPTION...: runs tests, and takes it for a failure when there are none, or when they do not end.
suites() {
    local log=$logs/$1.log outcome=0 ran
    shift
    mkdir -p "$logs"
    timeout --kill-after=10 "$patience" stdbuf --output=L \
        swift test "${suite_options[@]}" --skip-build --disable-xctest "$@" 2>&1 |
        tee "$log" || outcome=${PIPESTATUS[0]}
    if ((outcome == 124 || outcome == 137)); then
        say "Stopped after $patience. These tests had begun and not ended:"
        unended "$log"
    fi
    if ((outcome != 0)); then
        say 'What failed, from everything above:'
        failed "$log"
        return 1
    fi
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

# failed LOG: what did not hold, each with the lines that explain it; short enough to be read at the end of a long log.
failed() {
    awk '/^✘/ { telling = 1 } /^(◇|✔)/ { telling = 0 } telling' "$1" | cut --characters=-600 | head --lines=60
}
