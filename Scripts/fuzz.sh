#!/usr/bin/env bash
# Gives every parser what libFuzzer makes up: fuzz.sh SECONDS [PARSER...]. Two at a time; what breaks one is kept.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly seconds=$1
shift
readonly build=.build/fuzz
readonly program=$build/release/Fuzz
readonly logs=.build/fuzz-logs finds=.build/fuzz-finds

# Leaks: Foundation's own caches would be taken for them.
export ASAN_OPTIONS=detect_leaks=0
# Swift's own story of a crash and the sanitizer's would get into each other's way.
export SWIFT_BACKTRACE=enable=no

# try_parser NAME: fails when an input breaks the parser, and leaves the log and the input behind.
try_parser() {
    local name=$1 grown=$build/corpus/$1
    mkdir -p "$grown"
    "$program" "$name" -max_total_time="$seconds" -max_len=4096 -timeout=5 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$finds/$name-" "$grown" "Fuzz/Corpus/$name" > "$logs/$name.log" 2>&1
}

say 'Building the parsers for libFuzzer; the first time this takes some minutes.'
COUNTERSIGN_FUZZ=1 Scripts/swift-build.sh --configuration release --product Fuzz --scratch-path "$build" >&2

parsers=("$@")
((${#parsers[@]})) || mapfile -t parsers < <("$program")
rm -rf "$logs" "$finds"
mkdir -p "$logs" "$finds"
for name in "${parsers[@]}"; do
    [[ -d Fuzz/Corpus/$name ]] || fail "there is no folder Fuzz/Corpus/$name for that parser."
done

broken=()
# collect NAME PROCESS: waits for a run and tells what came of it.
collect() {
    local tried
    wait "$2" || broken+=("$1")
    tried=$(sed -nE 's/^stat::number_of_executed_units: ([0-9]+)$/\1/p' "$logs/$1.log")
    printf '%-32s %s inputs\n' "$1" "${tried:-?}"
}

waiting=()
for name in "${parsers[@]}"; do
    try_parser "$name" &
    waiting+=("$name $!")
    if ((${#waiting[@]} == 2)); then
        # shellcheck disable=SC2086  # A name and a process.
        collect ${waiting[0]}
        waiting=("${waiting[1]}")
    fi
done
# shellcheck disable=SC2086
((${#waiting[@]} == 0)) || collect ${waiting[0]}

for name in "${broken[@]}"; do
    grep --extended-regexp --max-count 3 'Fatal error|ERROR:|SUMMARY' "$logs/$name.log" >&2 || tail -n 5 "$logs/$name.log" >&2
    say "$name was broken; the whole story is in $logs/$name.log, the input in $finds. Keep it as a named unit test."
done
((${#broken[@]} == 0))
