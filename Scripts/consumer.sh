#!/usr/bin/env bash
# Builds and runs a small app that uses our libraries, as packages of others do: from a folder within it (a submodule),
# and by the address of a repository. It uses nothing that was built here.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

# The most packages that an app gets with our libraries, whichever it uses; as in check-package.py.
readonly most=12

Scripts/require-swift.sh
readonly ours=$PWD
place=$(mktemp --directory /tmp/countersign-consumer.XXXXXX)
readonly place
trap 'rm -rf "$place"' EXIT

# manifest DEPENDENCY NAME
manifest() {
    cat > "$place/Package.swift" << MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [$1],
    targets: [
        .executableTarget(
            name: "Consumer",
            dependencies: [
                .product(name: "CountersignRequester", package: "$2"),
                .product(name: "CountersignApprover", package: "$2"),
                .product(name: "MulticastDNS", package: "$2"),
            ]
        )
    ]
)
MANIFEST
}

# run WAY: builds the app and runs it.
run() {
    say "An app with our libraries $1"
    swift build --package-path "$place" --quiet >&2
    [[ $("$place/.build/debug/Consumer") == com.example.app:/signed-in ]] || fail "the app says something else."
}

mkdir -p "$place/Sources/Consumer" "$place/vendor"
cat > "$place/Sources/Consumer/main.swift" << 'SOURCE'
import CountersignApprover
import CountersignRequester
import MulticastDNS

print(try RedirectURI("com.example.app:/signed-in"))
SOURCE

git clone --quiet "file://$ours" "$place/vendor/countersign"
manifest '.package(path: "vendor/countersign", traits: [])' countersign
run 'in a folder of its own'

count=$(swift package --package-path "$place" show-dependencies --format flatlist | sort -u | wc -l)
((count <= most)) || fail "an app gets $count packages with ours; $most are the most."

git -C "$place/vendor/countersign" switch --quiet --create consumed
manifest ".package(url: \"file://$place/vendor/countersign\", branch: \"consumed\", traits: [])" countersign
run 'by the address of a repository'
say "Both ways work; an app gets $count packages with ours."
