#!/usr/bin/env bash
# Builds the release and measures it: bench.sh [quick]. The results also go to Benchmarks/results.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

options=()
case "${1:-}" in
    quick) options+=(--quick) ;;
    '') ;;
    *) fail "the only argument is 'quick'." ;;
esac

Scripts/prepare.sh bench
export COUNTERSIGN_BENCHMARKS=1
say 'Building the release; the first time this takes several minutes.'
for product in countersign countersign-benchmarks; do
    swift build --traits PostgreSQL --configuration release --product "$product" >&2
done

say 'Starting a PostgreSQL server of our own'
postgres=$(mktemp --directory /tmp/countersign-postgres.XXXXXX)
readonly postgres
trap 'Scripts/postgres-cluster.sh remove "$postgres"' EXIT
url=$(Scripts/postgres-cluster.sh start "$postgres")
# For tests it keeps nothing when the power fails; here a commit costs what it costs.
psql "$url" --quiet --command 'ALTER SYSTEM SET fsync = on' --command 'ALTER SYSTEM SET full_page_writes = on' \
    --command 'SELECT pg_reload_conf()' > /dev/null
options+=(--postgres "$url")

results=Benchmarks/results/$(date -u +%Y-%m-%dT%H%M)${1:+-$1}.txt
mkdir -p Benchmarks/results
.build/release/countersign-benchmarks --command .build/release/countersign "${options[@]}" | tee "$results"
say "Kept in $results"
