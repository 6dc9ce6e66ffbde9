#!/usr/bin/env bash
# What stands in Deployment, as far as the programs that can judge it are at hand.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly hadolint=.build/venv/bin/hadolint
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Every key of the settings is one that the command knows.
while IFS= read -r key; do
    grep --quiet --recursive "\"$key\"" Sources/Command/Settings ||
        fail "Deployment/config.json has a key that the command does not know: $key"
done < <(grep --only-matching --perl-regexp '(?<=")[a-z-]+(?="\s*:)' Deployment/config.json)

if command -v systemd-analyze > /dev/null; then
    # The command itself is not installed here.
    sed 's#/usr/local/bin/countersign#/bin/true#' Deployment/countersign.service > "$work/countersign.service"
    systemd-analyze verify "$work/countersign.service" || fail 'systemd does not understand Deployment/countersign.service.'
fi

if [[ -x $hadolint ]]; then
    "$hadolint" Deployment/Containerfile || fail 'hadolint complains of Deployment/Containerfile.'
fi
