#!/usr/bin/env bash
# Everything that must hold, stage by stage; stops at the first stage that fails.
#
# The tests run as an ordinary user, also when root calls this; as root run only those that make networks of their own.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh
source Scripts/suites.sh

# The longest that one of our stages has taken on two cores, many times over: what takes longer hangs.
time_limit=40m
report=()

# Suites of their own processes: thousands of made-up messages take the processor for minutes, and others wait for minutes.
made_up='JourneyTests\.(HostileInputTests|HostileConnectionTests|DescribedEndpointsTests|OAuth1SignaturesTests)'
by_the_clock='CommandTests\.LinkByTheClockTests'

# stage NAME WHAT COMMAND...
stage() {
    local began=$SECONDS outcome=passed
    say "$1: $2"
    "${@:3}" < /dev/null || outcome=FAILED
    tell "$1" $((SECONDS - began)) "$outcome"
}

# together NAME WHAT COMMAND... [-- NAME WHAT COMMAND...]...: stages at the same time, which mostly wait.
together() {
    local names=() running=() words=() word index outcome failed=
    for word in "$@" --; do
        if [[ $word != -- ]]; then
            words+=("$word")
            continue
        fi
        say "${words[0]}: ${words[1]}"
        names+=("${words[0]}")
        timed "$logs/${words[0]}.seconds" "${words[@]:2}" < /dev/null &
        running+=($!)
        words=()
    done
    for index in "${!names[@]}"; do
        outcome=passed
        wait "${running[index]}" || outcome=FAILED
        report+=("$(row "${names[index]}" "$(< "$logs/${names[index]}.seconds")" "$outcome")")
        [[ $outcome == passed || $failed ]] || failed=${names[index]}
    done
    [[ ! $failed ]] || give_up "$failed"
}

# timed FILE COMMAND...: leaves in a file how many seconds the command took.
timed() {
    local began=$SECONDS outcome=0
    "${@:2}" || outcome=$?
    echo $((SECONDS - began)) > "$1"
    return "$outcome"
}

# tell NAME SECONDS OUTCOME
tell() {
    report+=("$(row "$@")")
    [[ $3 == passed ]] || give_up "$1"
}

# row NAME SECONDS OUTCOME
row() {
    printf '%-10s %7s min   %s' "$1" "$(minutes "$2")" "$3"
}

give_up() {
    table
    printf "\nThe stage '%s' failed; the stages after it did not run. What went wrong is said above the table.\n" "$1" >&2
    exit 1
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

surround_tests "$binaries/countersign"

stage rules 'how the code is laid out and what it must not contain' Scripts/lint.sh
stage build 'everything, with the tests' \
    Scripts/swift-build.sh --build-tests --explicit-target-dependency-import-check error
stage warnings 'what the compiler says of our code: nothing' Scripts/check-warnings.py "$binaries"
stage package 'what an app gets that uses the libraries' Scripts/check-package.py
stage unit 'machines, messages, endpoints, storage' \
    suites unit --parallel --skip JourneyTests --skip CommandTests --skip FaultTests --skip NetworkTests
# What computes all the time gets what the others leave of the processor.
together \
    home 'ten thousand random schedules of a whole home' \
    nice -n 19 Scripts/ordinary.sh "$binaries/HomeRun" 1 10000 -- \
    journeys 'whole stories, in a real browser and with independent clients' \
    suites journeys --no-parallel --filter JourneyTests --skip "$made_up" -- \
    attacks 'what no client should send, and what other programs make up' \
    suites attacks --no-parallel --filter "$made_up" -- \
    command 'the command, as it is typed' \
    suites command --no-parallel --filter CommandTests --skip "$by_the_clock" -- \
    clock 'what the command does each minute' \
    suites clock --no-parallel --filter "$by_the_clock"
together \
    network 'two hosts on a network of their own, beside programs that others wrote' \
    suites network --as-root --no-parallel --filter NetworkTests -- \
    faults 'what dies, is full, broken or away' \
    suites faults --no-parallel --filter FaultTests -- \
    fuzz 'each parser: what is kept, and two seconds of what it may become' Scripts/fuzz-briefly.sh "$binaries/Fuzz" 2

table
mapfile -t not_run < <(tests_not_run)
if ((${#not_run[@]})); then
    printf '\nNot run here: %d.\n' "${#not_run[@]}"
    printf '    %s\n' "${not_run[@]}"
fi
printf '\nAll %d tests that ran passed in %s minutes.\n' "$(tests_run)" "$(minutes "$SECONDS")"
printf '%d passed, 0 failed, %d skipped\n' "$(tests_run)" "${#not_run[@]}"
