#!/usr/bin/env bash
# Builds the command and starts the demo: run.sh CONFIGURATION [ARGUMENTS OF THE DEMO].
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly configuration=$1
shift

Scripts/prepare.sh run
source Scripts/release.sh
if [[ ! -x .build/$configuration/countersign ]]; then
    say 'Building Countersign; the first time this takes some minutes.'
fi
options=(--configuration "$configuration")
[[ $configuration != release ]] || options=("${release_options[@]}")
# shellcheck disable=SC2086  # FLAGS is a list of words.
Scripts/swift-build.sh "${options[@]}" --product countersign ${FLAGS:-} >&2
exec ".build/$configuration/countersign" demo "$@"
