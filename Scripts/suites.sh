#!/usr/bin/env bash
# How the tests are run, and what they need around them: to be sourced, after say.sh.
#
#   binaries          where it puts them
#   time_limit        when a run is taken for one that hangs
#   surround_tests    starts what they need, until the script ends
#   suites            runs some of them; their log stays in .build/test-logs
#   tests_run         how many ran, in all logs of this script
#   tests_not_run     the names of those that did not, each with its reason

readonly logs=.build/test-logs
binaries=.build/debug
time_limit=20m

# surround_tests PROGRAM: a PostgreSQL server of our own, and where the tests find it, the command and the browser.
surround_tests() {
    # Root's tests run as another user, whose these are then.
    COUNTERSIGN_TEST_HOME=$(Scripts/ordinary.sh mktemp --directory /tmp/countersign-home.XXXXXX)
    export COUNTERSIGN_TEST_HOME
    postgres=
    trap 'leave_tests' EXIT
    if Scripts/postgres-cluster.sh is-installed; then
        say 'Starting a PostgreSQL server of our own for the tests'
        postgres=$(Scripts/ordinary.sh mktemp --directory /tmp/countersign-postgres.XXXXXX)
        COUNTERSIGN_TEST_POSTGRES=$(Scripts/ordinary.sh Scripts/postgres-cluster.sh start "$postgres")
        export COUNTERSIGN_TEST_POSTGRES
    else
        say 'PostgreSQL is missing: its tests are not run'
    fi

    # Each test of the server opens a database; all of them at once would need more files than a process may open.
    export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=48
    export COUNTERSIGN_TEST_PYTHON=$PWD/.build/venv/bin/python
    export COUNTERSIGN_TEST_CHROMIUM=${COUNTERSIGN_TEST_CHROMIUM:-$(command -v chromium)}
    export COUNTERSIGN_TEST_CHROMEDRIVER=${COUNTERSIGN_TEST_CHROMEDRIVER:-$(command -v chromedriver)}
    export COUNTERSIGN_TEST_COMMAND=$PWD/$1
    rm -rf "$logs"
    mkdir -p "$logs"
}

leave_tests() {
    [[ -z $postgres ]] || Scripts/ordinary.sh Scripts/postgres-cluster.sh remove "$postgres"
    rm -rf "$COUNTERSIGN_TEST_HOME"
}

# suites NAME OPTION...: runs tests, and takes it for a failure when there are none, or when they do not end.
#
# They run as an ordinary user; with --as-root before the options they keep the rights that we have.
suites() {
    local log=$logs/$1.log outcome=0 rights=()
    shift
    if [[ $1 == --as-root ]]; then
        rights=(--as-root)
        shift
    fi
    timeout --kill-after=10 "$time_limit" Scripts/ordinary.sh "${rights[@]}" stdbuf --output=L \
        "$binaries/countersignPackageTests.xctest" --testing-library swift-testing "$@" > "$log" 2>&1 || outcome=$?
    if ((outcome == 124 || outcome > 128)); then
        local end="Stopped after $time_limit"
        ((outcome == 124)) || end="Ended by the signal $(kill -l "$outcome")"
        say "$end. These tests had begun and not ended:"
        unended "$log" | head --lines=40
    fi
    if ((outcome != 0)); then
        say "What failed, from all that is in $log:"
        failed "$log"
        return 1
    fi
    if (($(run_in "$log") == 0)); then
        say "No test ran. See $log."
        return 1
    fi
}

# run_in LOG: how many tests ran.
run_in() {
    local all skipped
    all=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*/\1/p' "$1" | tail -n 1)
    skipped=$(grep --count '^. Test .* skipped' "$1" || true)
    echo $((${all:-0} - skipped))
}

tests_run() {
    local log sum=0
    for log in "$logs"/*.log; do sum=$((sum + $(run_in "$log"))); done
    echo "$sum"
}

tests_not_run() {
    sed -nE 's/^. Test "?(.*[^"])"? skipped(: "(.*)")?\.?$/\1: \3/p' "$logs"/*.log | sort --unique
}

# unended LOG: the tests that began and did not end, by their names.
unended() {
    awk -F '"' '/^[^ ]+ Test ".*started\.$/ { begun[$2] }
        match($0, /Test "[^"]*" .*(passed|failed) after/) { split(substr($0, RSTART), part); delete begun[part[2]] }
        END { for (name in begun) print "    " name }' "$1"
}

# failed LOG: what did not hold, each with the lines that explain it; short enough to be read at the end of a long log.
failed() {
    {
        awk '/^✘/ { telling = 1 } /^(◇|✔)/ { telling = 0 } telling' "$1" | head --lines=60
        grep --quiet '^✘' "$1" || tail --lines=20 "$1"
    } | cut --characters=-600
}
