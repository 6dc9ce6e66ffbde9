#!/usr/bin/env bash
# How a release is built: to be sourced after Scripts/prepare.sh, since it asks what is installed.
#
#   release_options   what 'swift build' is told for it

# Swift's runtime becomes part of the program: no machine needs to bring it, and calls of it take less time (7 % more
# refreshes a second). Apple's systems bring it themselves.
# shellcheck disable=SC2034  # For those who build.
release_options=(--configuration release)
[[ $(uname) != Linux ]] || release_options+=(--static-swift-stdlib)
# Many operations beside each other leave glibc's allocator many free pieces of many sizes to search: a refresh takes a fifth
# more processor time with it. Everything goes without jemalloc too.
if [[ $(uname) == Linux ]] && command -v pkg-config > /dev/null && pkg-config --exists jemalloc; then
    release_options+=(-Xlinker -ljemalloc)
fi
