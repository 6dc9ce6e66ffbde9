#!/usr/bin/env bash
# Builds with the package manager: swift-build.sh OPTION..., those of 'swift build'. Says which other packages are of
# another version than was tested, since that may be why a build fails.
set -euo pipefail
cd "$(dirname "$0")/.."

# The package manager names the traits to the compiler in the order of a set. Without a fixed seed that order differs from
# one plan to the next, and every module of ours is compiled anew.
export SWIFT_DETERMINISTIC_HASHING=1

outcome=0
swift build "$@" || outcome=$?
Scripts/tested-versions.sh
exit "$outcome"
