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
    swift build --configuration release --product "$product" >&2
done

results=Benchmarks/results/$(date -u +%Y-%m-%dT%H%M)${1:+-$1}.txt
mkdir -p Benchmarks/results
.build/release/countersign-benchmarks --command .build/release/countersign "${options[@]}" | tee "$results"
say "Kept in $results"
