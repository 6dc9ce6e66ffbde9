#!/usr/bin/env bash
# build-pam.sh FILE [OPTION...]: compiles the PAM module into FILE, with more options for the compiler.
#
# It is plain C, and no target of the Swift package: nothing of Swift may be linked into sshd or sudo.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly file=$1
shift
mkdir -p "$(dirname "$file")"
cc -std=c11 -O2 -g -fPIC -shared -fvisibility=hidden -fstack-protector-strong -fstack-clash-protection \
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wall -Wextra -Werror -Wformat -Wformat-security -Wconversion -Wshadow \
    -Wl,-z,relro,-z,now,-z,noexecstack,-z,defs "$@" -o "$file" PAM/pam_countersign.c -lpam
