#!/usr/bin/env bash
# Plays random schedules of a whole home: home.sh COUNT [SEED]. With a seed, that schedule alone, event by event.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly count=$1 seed=${2:-}

say 'Building the home; the first time this takes some minutes.'
Scripts/swift-build.sh --configuration release --product HomeRun >&2

if [[ $seed ]]; then
    exec .build/release/HomeRun "$seed"
fi
first=$((RANDOM << 30 | RANDOM << 15 | RANDOM))
say "$count schedules, from seed $first on"
exec .build/release/HomeRun "$first" "$count"
