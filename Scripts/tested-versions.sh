#!/usr/bin/env bash
# The versions of other packages that were tested: tested-versions.sh [write]. Compares what the package manager resolved,
# and says what differs; with 'write', after the tests passed, it is what was tested. Revisions differ between mirrors, so
# that Package.resolved is not in the repository.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh
export LC_ALL=C

readonly tested=Scripts/tested-versions.txt resolved=Package.resolved

# resolved_versions: a line for each package, its name and its version.
resolved_versions() {
    awk -F '"' '$2 == "identity" { name = $4 } $2 == "version" && name { print name, $4; name = "" }' "$resolved" | sort
}

[[ -e $resolved ]] || exit 0
if [[ ${1:-} == write ]]; then
    resolved_versions > "$tested"
    exit
fi
while read -r name version tested_version; do
    if [[ $tested_version ]]; then
        say "$name is used in version $version; the tests passed with $tested_version."
    else
        say "$name is used in version $version, with which nothing was tested."
    fi
done < <(resolved_versions | join -a 1 - "$tested" | awk '$2 != $3')
