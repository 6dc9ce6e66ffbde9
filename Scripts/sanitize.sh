#!/usr/bin/env bash
# All tests once more under the Thread Sanitizer: sanitize.sh [OPTION OF SWIFT TEST]...; with options, one run with these.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh
source Scripts/suites.sh

readonly build=.build/sanitize races=$PWD/.build/races
binaries=$build/debug
# Everything takes some ten times as long.
time_limit=90m

# Every process that meets a race ends there and leaves a file, so that those are seen too whose end no test looks at.
found_none() {
    local reports=("$races"/race.*)
    [[ -e ${reports[0]} ]] || return 0
    cat "${reports[@]}"
    say "Processes that met a race: ${#reports[@]}. What they met stands above, and in $races."
    return 1
}

run() {
    local outcome=0
    say "$1: $2"
    suites "sanitize-$1" "${@:3}" < /dev/null || outcome=1
    found_none || outcome=1
    ((outcome == 0)) || fail "the run '$1' failed; those after it did not begin."
}

say 'Looking for what the tests need'
Scripts/prepare.sh test
say 'Building everything for the Thread Sanitizer; the first time this takes some minutes.'
Scripts/swift-build.sh --build-tests --sanitize thread --scratch-path "$build"
surround_tests "$binaries/countersign"

rm -rf "$races"
mkdir -p "$races"
# The tests run as another user when root calls this.
chmod 1777 "$races"
export TSAN_OPTIONS="halt_on_error=1 exitcode=66 log_path=$races/race"
if (($#)); then
    run chosen 'what was asked for' "$@"
else
    # A few at a time: with all of them at once, each would wait for minutes for its turn.
    run unit 'machines, messages, endpoints, storage' \
        --parallel --experimental-maximum-parallelization-width 4 \
        --skip JourneyTests --skip CommandTests --skip FaultTests --skip NetworkTests
    run journeys 'whole stories, in a real browser and with independent clients' --no-parallel --filter JourneyTests
    run network 'two hosts on a network of their own' --as-root --no-parallel --filter NetworkTests
    run faults 'what dies, is full, broken or away' --no-parallel --filter FaultTests
    run command 'the command, as it is typed' --no-parallel --filter CommandTests
fi
printf '\nNo race in %d tests.\n' "$(tests_run)"
