#!/usr/bin/env bash
# Builds the release and measures it: bench.sh [quick] [nearby]. The results also go to Benchmarks/results.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

options=()
name=$(date -u +%Y-%m-%dT%H%M)
server=yes
for word in "$@"; do
    case $word in
        quick) options+=(--quick) ;;
        nearby) server=no ;;
        *) fail "the only arguments are 'quick' and 'nearby'." ;;
    esac
    name+=-$word
done

Scripts/prepare.sh bench
source Scripts/release.sh
export COUNTERSIGN_BENCHMARKS=1
say 'Building the release; the first time this takes several minutes.'
for product in countersign countersign-benchmarks; do
    Scripts/swift-build.sh "${release_options[@]}" --product "$product" >&2
done

readonly peer_environment=.build/privacyidea
readonly results=Benchmarks/results/$name.txt
mkdir -p Benchmarks/results
: > "$results"

# measure PART OPTION...: shows and keeps what it prints.
measure() {
    local part=$1
    shift
    .build/release/countersign-benchmarks "$part" --command .build/release/countersign "${options[@]}" "$@" |
        tee --append "$results"
}

if [[ $server == yes ]]; then
    say 'Starting a PostgreSQL server of our own'
    postgres=$(mktemp --directory /tmp/countersign-postgres.XXXXXX)
    readonly postgres
    trap 'Scripts/postgres-cluster.sh remove "$postgres"' EXIT
    url=$(Scripts/postgres-cluster.sh start "$postgres" tcp)
    # For tests it keeps nothing when the power fails; here a commit costs what it costs.
    psql "$url" --quiet --command 'ALTER SYSTEM SET fsync = on' --command 'ALTER SYSTEM SET full_page_writes = on' \
        --command 'SELECT pg_reload_conf()' > /dev/null
    measure run --postgres "$url"
fi
measure verify

# What the peer does here; without it, what is known of other machines.
peer=()
if [[ -x $peer_environment/bin/gunicorn ]]; then
    say 'Measuring privacyIDEA, beside which the authenticator is measured'
    if rates=$("$peer_environment/bin/python" Benchmarks/Authenticator/privacyidea.py); then
        read -r challenges passwords <<< "$rates"
        peer=(--peer-challenges "$challenges" --peer-passwords "$passwords")
    else
        say 'privacyIDEA does not run here; the numbers beside ours are those of another machine.'
    fi
fi
measure authenticator "${peer[@]}"
measure nearby --python .build/venv/bin/python
say "Kept in $results"
if grep MISSED "$results" > /dev/null; then
    say 'Targets that were missed:'
    grep MISSED "$results"
    exit 1
fi
