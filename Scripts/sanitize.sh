#!/usr/bin/env bash
# The unit tests once more under the Thread Sanitizer: sanitize.sh [OPTION OF SWIFT TEST]...
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

Scripts/prepare.sh run
say 'Building everything for the Thread Sanitizer; the first time this takes some minutes.'
swift build --build-tests --sanitize thread --scratch-path .build/sanitize
say 'A race ends the test in which it happens, and is described.'
TSAN_OPTIONS=halt_on_error=1 swift test --skip-build --sanitize thread --scratch-path .build/sanitize --disable-xctest \
    --parallel --skip JourneyTests --skip CommandTests --skip FaultTests "$@"
