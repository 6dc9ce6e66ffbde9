#!/usr/bin/env bash
# Builds the command for real use.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

Scripts/prepare.sh run
source Scripts/release.sh
say 'Building the release; the first time this takes several minutes.'
# shellcheck disable=SC2086  # FLAGS is a list of words.
Scripts/swift-build.sh "${release_options[@]}" --product countersign ${FLAGS:-}
say 'Built .build/release/countersign'
