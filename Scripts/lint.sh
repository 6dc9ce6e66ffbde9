#!/usr/bin/env bash
# The written rules: layout of the code, what no compiler checks, and the scripts themselves.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks Fuzz/Sources ||
    fail "the lines above do not follow the project's layout; 'make format' mends most of them."
Scripts/check-rules.sh
Scripts/check-rooms
Scripts/check-documentation.py --self-test
Scripts/check-documentation.py
Scripts/check-examples.py --self-test
Scripts/check-examples.py
Scripts/check-tables.py --self-test
Scripts/check-tables.py
Scripts/check-metrics.py --self-test
Scripts/check-metrics.py
Scripts/check-package.py --self-test
Scripts/check-warnings.py --self-test
Scripts/package/sbom.py --self-test
Scripts/package/pages.py --self-test
Scripts/check-deployment.sh
shellcheck --external-sources Scripts/*.sh Scripts/hooks/* .ci/run
