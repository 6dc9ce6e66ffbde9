#!/usr/bin/env bash
# Builds with the package manager: swift-build.sh OPTION..., those of 'swift build'. Says which other packages are of
# another version than was tested, since that may be why a build fails.
set -euo pipefail
cd "$(dirname "$0")/.."

outcome=0
swift build "$@" || outcome=$?
Scripts/tested-versions.sh
exit "$outcome"
