#!/usr/bin/env bash
# Makes the system ready for a purpose (run, lint, test, package, bench); does nothing when it was found ready before.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly purpose=$1
readonly stamp=.build/ready-to-$purpose

found_ready() {
    [[ -e $stamp ]] || return 1
    [[ $stamp -nt Scripts/require-swift.sh && $stamp -nt Scripts/require-packages.sh ]] || return 1
    [[ $(< "$stamp") == "$(command -v swift)" ]]
}

if ! found_ready; then
    Scripts/require-swift.sh
    Scripts/require-packages.sh "$purpose"
    mkdir -p .build
    command -v swift > "$stamp"
fi
case $purpose in
    test) Scripts/require-python.sh ;;
    # Without it the rest is measured.
    bench)
        Scripts/require-python.sh || true
        Scripts/require-python.sh Benchmarks/Authenticator/requirements.txt .build/privacyidea || true
        ;;
esac
