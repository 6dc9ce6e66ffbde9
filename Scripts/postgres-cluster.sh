#!/usr/bin/env bash
# A PostgreSQL server of its own, with everything in one directory: its socket too, so that no port is taken.
#
#   postgres-cluster.sh start DIRECTORY [tcp]   makes one in a new directory; prints the URL of its database
#   postgres-cluster.sh stop DIRECTORY          stops it as a crash would
#   postgres-cluster.sh resume DIRECTORY        starts it again
#   postgres-cluster.sh demote DIRECTORY        makes it a standby of no server, from its next start on
#   postgres-cluster.sh remove DIRECTORY        stops it, and removes the directory
#   postgres-cluster.sh is-installed            whether PostgreSQL is
#
# With 'tcp' it also listens on a loopback port, and its URL names that: measurements go the way that servers go.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly act=$1 directory=${2:-} network=${3:-}
readonly data=$directory/data
# Where programs may stand that run as another user.
cd /

# PostgreSQL refuses to run as root.
as_owner() {
    if ((EUID == 0)); then
        runuser --user postgres -- "$@"
    else
        "$@"
    fi
}

find_program() {
    command -v "$1" || find /usr/lib/postgresql -path "*/bin/$1" 2> /dev/null | sort --version-sort | tail -n 1
}

program() {
    local found
    found=$(find_program "$1")
    [[ -n $found ]] || fail "there is no '$1': install PostgreSQL (Debian's package is postgresql)."
    printf '%s' "$found"
}

# The server outlives this script, so it must not keep what the script was given: some callers wait until it is closed.
begin() (
    local descriptor
    for descriptor in /dev/fd/*; do
        descriptor=${descriptor##*/}
        ((descriptor < 3)) || eval "exec $descriptor>&-"
    done
    as_owner "$(program pg_ctl)" --pgdata="$data" --log="$directory/log" --wait --timeout=60 start > /dev/null
)

end() {
    as_owner "$(program pg_ctl)" --pgdata="$data" --mode=immediate --wait stop > /dev/null
}

# configure LINE...: nothing needs to reach the disk, since only a crash of the machine would show the difference.
configure() {
    as_owner tee "$data/postgresql.auto.conf" > /dev/null << END
max_connections = 400
fsync = off
full_page_writes = off
$(printf '%s\n' "$@")
END
}

# make_cluster: an empty one, whose user is 'countersign'.
make_cluster() {
    mkdir -p "$directory"
    od --address-radix=n --format=x1 --read-bytes=16 /dev/urandom | tr -d ' \n' > "$directory/password"
    if ((EUID == 0)); then chown -R postgres "$directory"; fi
    as_owner "$(program initdb)" --pgdata="$data" --username=countersign --pwfile="$directory/password" \
        --auth=scram-sha-256 --encoding=UTF8 --no-locale --no-sync > "$directory/initdb.log" 2>&1 ||
        fail "initdb could not make a database cluster; see $directory/initdb.log."
}

# tell_url HOST
tell_url() {
    printf 'postgres://countersign:%s@%s/postgres\n' "$(< "$directory/password")" "$1"
}

start() {
    local port
    make_cluster
    if [[ $network != tcp ]]; then
        configure "listen_addresses = ''" "unix_socket_directories = '$directory'"
        begin || fail "PostgreSQL does not start; see $directory/log."
        tell_url "${directory//\//%2F}"
        return
    fi
    # It cannot choose a port itself, so it tries some until one is free.
    for _ in {1..20}; do
        port=$((20000 + RANDOM % 10000))
        configure "port = $port" "listen_addresses = '127.0.0.1'" "unix_socket_directories = ''"
        if begin 2> /dev/null; then
            tell_url "127.0.0.1:$port"
            return
        fi
    done
    fail "PostgreSQL does not start; see $directory/log."
}

case $act in
    start) start ;;
    stop) end ;;
    resume) begin ;;
    demote) as_owner touch "$data/standby.signal" ;;
    remove)
        end 2> /dev/null || true
        rm -rf "$directory"
        ;;
    is-installed) [[ -n $(find_program initdb) ]] ;;
    *) fail "postgres-cluster.sh knows start, stop, resume, demote, remove and is-installed." ;;
esac
