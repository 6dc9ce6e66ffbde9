#!/usr/bin/env bash
# Gives every parser its corpus, and for some seconds what that may become: fuzz-briefly.sh PROGRAM SECONDS.
# With what the ordinary build made; 'make fuzz' is longer and sees more. What breaks a parser is kept.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly program=$1 seconds=$2
readonly finds=.build/fuzz-finds
work=$(Scripts/ordinary.sh mktemp --directory /tmp/countersign-fuzz.XXXXXX)
readonly work
trap 'rm -rf "$work"' EXIT

# try_parser NAME: leaves 'NAME.log', and 'NAME' when that input broke the parser.
# shellcheck disable=SC2317  # A shell below calls it.
try_parser() {
    # An input on which it never ends is ended by the limit.
    ulimit -t 120
    "$program" "$1" briefly "$seconds" "Fuzz/Corpus/$1" "$work/$1" > "$work/$1.log" 2>&1
}
export -f try_parser
export program seconds work

mapfile -t parsers < <("$program")
for name in "${parsers[@]}"; do
    [[ -d Fuzz/Corpus/$name ]] || fail "there is no folder Fuzz/Corpus/$name for that parser."
done
outcome=0
# shellcheck disable=SC2016
printf '%s\n' "${parsers[@]}" |
    Scripts/ordinary.sh xargs --max-args=1 --max-procs=2 bash -c 'try_parser "$0"' || outcome=$?
if ((outcome == 0)); then
    say "${#parsers[@]} parsers held, on $(cat "$work"/*.log | awk '{ all += $1 } END { print all }') inputs"
    exit 0
fi
rm -rf "$finds"
mkdir -p "$finds"
for name in "${parsers[@]}"; do
    [[ -e $work/$name ]] || continue
    grep --extended-regexp --max-count 3 'Fatal error|crashed' "$work/$name.log" >&2 || tail -n 5 "$work/$name.log" >&2
    cp "$work/$name" "$work/$name.log" "$finds"
    say "$name was broken; the input is $finds/$name, the whole story $finds/$name.log. Keep it as a named unit test."
done
exit 1
