#!/usr/bin/env bash
# Builds a Debian package of the command and its service, and tries it in a bare Debian: installed, started, upgraded
# over its data, removed and purged. With ARGS 'unchecked' it is not tried.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly how=${1:-checked}
# Beside the other builds, since the runtime is linked into this one.
readonly scratch=.build/package
readonly program=$scratch/release/countersign

Scripts/prepare.sh package
say 'Building the release with the Swift runtime in it; the first time this takes several minutes.'
# shellcheck disable=SC2086  # FLAGS is a list of words.
swift build --scratch-path "$scratch" --static-swift-stdlib --traits PostgreSQL,SecretService \
    --configuration release --product countersign ${FLAGS:-} >&2

package=$(Scripts/package/assemble.sh "$program" "$scratch")
readonly package
say "Made $package ($(($(stat --format=%s "$package") / 1000000)) MB)"
if [[ $how != unchecked ]]; then
    Scripts/package/check.sh "$package" "$program"
fi
