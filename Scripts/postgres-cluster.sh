#!/usr/bin/env bash
# A PostgreSQL server of its own for tests, on a free loopback port, with everything in one directory.
#
#   postgres-cluster.sh start DIRECTORY     makes one in a new directory; prints the URL of its database
#   postgres-cluster.sh stop DIRECTORY      stops it as a crash would
#   postgres-cluster.sh resume DIRECTORY    starts it again
#   postgres-cluster.sh demote DIRECTORY    makes it a standby of no server, from its next start on
#   postgres-cluster.sh remove DIRECTORY    stops it, and removes the directory
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

readonly act=$1 directory=$2
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

program() {
    local found
    found=$(command -v "$1" || find /usr/lib/postgresql -path "*/bin/$1" 2> /dev/null | sort --version-sort | tail -n 1)
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

# Nothing needs to reach the disk: only a crash of the machine would show the difference.
configure() {
    cat <<END
port = $1
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 400
fsync = off
full_page_writes = off
END
}

start() {
    local port
    mkdir -p "$directory"
    od --address-radix=n --format=x1 --read-bytes=16 /dev/urandom | tr -d ' \n' > "$directory/password"
    if ((EUID == 0)); then chown -R postgres "$directory"; fi
    as_owner "$(program initdb)" --pgdata="$data" --username=countersign --pwfile="$directory/password" \
        --auth=scram-sha-256 --encoding=UTF8 --no-locale --no-sync > "$directory/initdb.log" 2>&1 ||
        fail "initdb could not make a database cluster; see $directory/initdb.log."
    for _ in {1..20}; do
        port=$((20000 + RANDOM % 10000))
        configure "$port" | as_owner tee "$data/postgresql.auto.conf" > /dev/null
        if begin 2> /dev/null; then
            printf 'postgres://countersign:%s@127.0.0.1:%d/postgres\n' "$(< "$directory/password")" "$port"
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
    *) fail "postgres-cluster.sh knows start, stop, resume, demote and remove." ;;
esac
