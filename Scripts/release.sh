#!/usr/bin/env bash
# How a release is built: to be sourced after Scripts/prepare.sh, since it asks what is installed.
#
#   release_options   what 'swift build' is told for it

# shellcheck disable=SC2034  # For those who build.
release_options=(--configuration release)
if [[ $(uname) == Linux ]]; then
    # Swift's runtime becomes part of the program: no machine needs to bring it, and calls of it take less time (7 % more
    # refreshes a second). Apple's systems bring it themselves.
    release_options+=(--static-swift-stdlib)
    # No library looks up symbols of the program, and packed relocations need a byte where others need 24: the stripped
    # program is a tenth smaller. The linker is Swift's own.
    release_options+=(
        -Xswiftc -use-ld=lld
        -Xlinker --no-export-dynamic -Xlinker --icf=safe -Xlinker -z -Xlinker pack-relative-relocs
    )
    # Glibc's allocator searches many free pieces of many sizes when many operations run at the same time: a refresh takes
    # a fifth more processor time. Everything works without jemalloc too.
    if command -v pkg-config > /dev/null && pkg-config --exists jemalloc; then
        release_options+=(-Xlinker -ljemalloc)
    fi
fi
