#!/usr/bin/env bash
# pam-conversations.sh COUNT [SEED] [plain|valgrind|sanitizers]: plays COUNT hostile conversations with the PAM module,
# to authenticate and to open and close sessions, and half as many honest ones between them.
#
# They are drawn from the seed, and played by several processes, since most wait for the module's time limit.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly count=$1 seed=${2:-1} how=${3:-plain}
readonly tests=Tests/NetworkTests/PAM processes=8
work=$(mktemp --directory /tmp/countersign-pam.XXXXXX)
trap 'rm -rf "$work"' EXIT

# The runtime of the sanitizers has to come first.
unset LD_PRELOAD
checks=() undefined=() runner=()
case $how in
    plain) ;;
    valgrind)
        runner=(valgrind --quiet --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite
            --child-silent-after-fork=yes --track-fds=no)
        ;;
    sanitizers)
        checks=('-fsanitize=address,undefined' -fno-sanitize-recover=all -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=0)
        # The application has the sanitizers' runtime for the module, which leaves it undefined.
        undefined=('-Wl,-z,undefs')
        ;;
    *) fail "there is no such way to play them: $how" ;;
esac
Scripts/build-pam.sh "$work/pam_countersign.so" "${checks[@]}" "${undefined[@]}"
cc -std=c11 -g -Wall -Wextra -Werror "${checks[@]}" -o "$work/conversations" "$tests/conversations.c" -lpam

install --mode=755 "$tests/hostile-program.py" "$work/program"
mkdir "$work/pam.d"
for service in hostile:1 patient:60; do
    for type in auth session; do
        echo "$type required $work/pam_countersign.so command=$work/program timeout=${service#*:}"
    done > "$work/pam.d/${service%:*}"
done
read -r -a behaviours <<< "$("$work/program" --list)"

running=()
for ((process = 0; process < processes; process++)); do
    "${runner[@]}" "$work/conversations" $((seed * processes + process)) $(((count + processes - 1) / processes)) \
        "$work/pam.d" "${behaviours[@]}" > "$work/$process.log" 2>&1 < /dev/null &
    running+=($!)
done
failed=0
for process in "${!running[@]}"; do
    wait "${running[process]}" || failed=1
    cat "$work/$process.log"
done
# An application that is killed takes its program along.
"$work/conversations" 1 1 "$work/pam.d" silence > /dev/null 2>&1 < /dev/null &
killed=$!
disown "$killed"
for _ in {1..500}; do
    pgrep --full "$work/program" > /dev/null && break
    sleep 0.01
done
kill -KILL "$killed"
# Nothing outlives its conversation.
sleep 0.3
if pgrep --full "$work/program" > "$work/left"; then
    say "Programs are left: $(tr '\n' ' ' < "$work/left")"
    failed=1
fi
((failed == 0)) || fail "the conversations of the seed $seed did not all go as they should ($how)."
echo 'All went as they should.'
