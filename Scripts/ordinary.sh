#!/usr/bin/env bash
# Runs a command without the rights of root, in which many mistakes hide: ordinary.sh [--as-root] COMMAND...
#
# For an ordinary user it only becomes the command. Root becomes the user 'nobody'; where 'nobody' may not enter the
# checkout or the toolchain, because a directory above them is closed, the command sees an open one in its place, in a
# mount namespace of its own: outside of it nothing changes. COUNTERSIGN_TEST_HOME is the command's home, if it is set.
#
# With --as-root the command keeps its rights, and can itself start programs as 'nobody' there. An ordinary user has such
# rights in a namespace only.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

# in_own_network COMMAND...: as root of namespaces of its own, where users may have those; else without any rights.
in_own_network() {
    # With more users than one, since the tests start programs as 'nobody' there.
    local namespaces=(unshare --user --map-root-user --map-auto --net --mount)
    "${namespaces[@]}" setpriv --reuid=nobody true 2> /dev/null || exec "$@"
    # shellcheck disable=SC2016
    exec "${namespaces[@]}" sh -c 'mount -t tmpfs none /run && ip link set dev lo up && exec "$@"' sh "$@"
}

if ((EUID != 0)); then
    [[ $1 != --as-root ]] || in_own_network "${@:2}"
    exec "$@"
fi

as_nobody() {
    setpriv --reuid=nobody --regid=nogroup --clear-groups -- "$@"
}

# What the command reads: the checkout, the toolchain's libraries, and Python, of which .build/venv is an offspring.
needed=("$PWD")
toolchain=$(command -v swift || true)
[[ -z $toolchain ]] || needed+=("$(dirname "$(dirname "$(readlink -f "$toolchain")")")")
[[ ! -x .build/venv/bin/python ]] || needed+=("$(.build/venv/bin/python -c 'import sys; print(sys.base_prefix)')")
readonly needed

# closed_on_the_way PATH: the first directory down to PATH that 'nobody' may not enter.
closed_on_the_way() {
    local part path=
    while IFS= read -r -d / part; do
        [[ -n $part ]] || continue
        path+=/$part
        as_nobody test -x "$path" || {
            printf '%s' "$path"
            return
        }
    done <<< "$1/"
}

# open_ways: puts open directories in place of closed ones. Only in a mount namespace of its own.
open_ways() {
    local closed keep number path
    keep=$(mktemp --directory)
    mount -t tmpfs none "$keep"
    for number in "${!needed[@]}"; do
        mkdir "$keep/$number"
        mount --rbind "${needed[number]}" "$keep/$number"
    done
    for path in "${needed[@]}"; do
        while closed=$(closed_on_the_way "$path") && [[ -n $closed && $closed != "$path" ]]; do
            mount -t tmpfs -o mode=755 none "$closed"
            for number in "${!needed[@]}"; do
                [[ ${needed[number]} == "$closed"/* ]] || continue
                mkdir -p "${needed[number]}"
                mount --rbind "$keep/$number" "${needed[number]}"
            done
        done
    done
    umount --recursive "$keep"
    rmdir "$keep"
    # The directory where we are is the closed one's still.
    cd "$PWD"
}

is_closed() {
    local path
    for path in "${needed[@]}"; do
        [[ -z $(closed_on_the_way "$path") ]] || return 0
    done
    return 1
}

if [[ $1 == --ways-are-open ]]; then
    shift
    open_ways
    # What stays closed is the checkout itself: cloned by a root whose files are for root only.
    ! is_closed || chmod go+rx "$PWD"
elif is_closed; then
    exec unshare --mount --propagation private Scripts/ordinary.sh --ways-are-open "$@"
fi
# unreadable ACTION...: what 'nobody' may not read in the checkout; the repository itself is none of its business.
unreadable() {
    as_nobody find "$PWD" -path "$PWD/.git" -prune -o \( -type f -o -type d \) ! -readable "$@" 2> /dev/null || true
}

if [[ -n $(unreadable -print -quit) ]]; then
    say "Other users get the right to read what is in $PWD, since the tests run as 'nobody'"
    # Directory after directory: what is below one that is closed shows when it is open.
    for _ in {1..50}; do
        [[ -n $(unreadable -print -quit) ]] || break
        unreadable -print0 | xargs --null --no-run-if-empty chmod go+rX
    done
fi

if [[ $1 == --as-root ]]; then
    shift
    exec "$@"
fi
home=${COUNTERSIGN_TEST_HOME:-/nonexistent}
exec setpriv --reuid=nobody --regid=nogroup --clear-groups -- \
    env --unset=XDG_RUNTIME_DIR --unset=TMPDIR HOME="$home" USER=nobody LOGNAME=nobody "$@"
