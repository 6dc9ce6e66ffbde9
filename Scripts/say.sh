#!/usr/bin/env bash
# The voice of the scripts: to be sourced.

say() {
    printf '==> %s\n' "$*" >&2
}

fail() {
    printf '\nCannot go on: %s\n' "$*" >&2
    exit 1
}
