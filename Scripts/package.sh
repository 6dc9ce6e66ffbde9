#!/usr/bin/env bash
# Builds the Debian packages of the command, of the server and of the PAM module, and tries them in a bare Debian: installed,
# started, upgraded over their data, removed and purged. With ARGS 'unchecked' they are not tried.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly how=${1:-checked}
readonly folder=.build/package
readonly program=.build/release/countersign

Scripts/prepare.sh package
source Scripts/release.sh
say 'Building the release with the Swift runtime in it; the first time this takes several minutes.'
# shellcheck disable=SC2086  # FLAGS is a list of words.
Scripts/swift-build.sh "${release_options[@]}" --product countersign ${FLAGS:-} >&2

# The first package of a version leaves a database for the tests of all later ones.
version=$("$program" --version)
readonly version
[[ -d Tests/KeptDatabases/Releases/$version ]] || Scripts/keep-database.sh "$version" "$program"

mkdir -p "$folder"
package=$(Scripts/package/assemble.sh "$program" "$folder")
readonly package
say "Made $package ($(($(stat --format=%s "$package") / 1000000)) MB), and its bill of materials ${package%.deb}.cdx.json"
server=$(Scripts/package/assemble-server.sh "$folder" "$version")
readonly server
module=$(Scripts/package/assemble-pam.sh "$folder" "$version")
readonly module
say "Made $server and $module"
if [[ $how != unchecked ]]; then
    Scripts/package/check.sh "$program" "$package" "$server" "$module"
fi
