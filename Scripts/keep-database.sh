#!/usr/bin/env bash
# keep-database.sh VERSION [PROGRAM]: keeps the database of a release for the tests of all later ones.
#
# The program of the release fills an empty database of each engine with parties of the tests, and what it holds is
# written to Tests/KeptDatabases/Releases/VERSION as statements of SQL. PROGRAM is .build/release/countersign, if none is
# named.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

[[ ${1:-} ]] || fail 'name the version, as in keep-database.sh 0.1.0.'
readonly version=$1
program=$(realpath "${2:-.build/release/countersign}")
readonly program
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
readonly port
readonly issuer=http://localhost:$port
readonly username=olga password='an old password, kept' group=staff screen=kiosk backend=reports phone=authenticator

for tool in curl python3 sqlite3 pg_dump; do
    command -v "$tool" > /dev/null || fail "there is no $tool."
done
[[ -x $program ]] || fail "there is no program $program."

work=$(mktemp --directory /tmp/countersign-keep.XXXXXX)
chmod 755 "$work"
server=
# shellcheck disable=SC2317  # The trap calls it.
leave() {
    [[ -z $server ]] || kill "$server" 2> /dev/null || true
    Scripts/postgres-cluster.sh remove "$work/postgres" 2> /dev/null || true
    rm -rf "$work"
}
trap leave EXIT

# admin WORD...: as an operator types it, about the database in '$place'.
admin() {
    "$program" admin "$@" "${place[@]}"
}

# member NAME: a member of the object in the input, or nothing.
member() {
    python3 -c 'import json, sys; print(json.load(sys.stdin).get(sys.argv[1], ""))' "$1"
}

# ask PATH OPTION...: as a browser with cookies does; the answer is printed.
ask() {
    curl --silent --show-error --fail --location --cookie "$work/cookies" --cookie-jar "$work/cookies" "$issuer$1" "${@:2}"
}

# submit PATH NAME=VALUE...: sends a form with the token of the page that was shown last.
submit() {
    local path=$1 token pair options=()
    shift
    token=$(grep --only-matching --perl-regexp 'name="form_token" value="\K[^"]+' "$work/page" | head --lines=1)
    for pair in "$@" "form_token=$token"; do options+=(--data-urlencode "$pair"); done
    ask "$path" "${options[@]}" > "$work/page"
}

# enroll: adds a terminal as a device of the person whose account page was shown last.
enroll() {
    rm -rf "$work/phone"
    submit /account/devices/add
    grep --only-matching --perl-regexp '<code>\K[^<]*/authenticator/enroll#[^<]+' "$work/page" |
        "$program" authenticator enroll --client "$phone" --save "$work/phone" > /dev/null
}

# token NAME=VALUE...: asks for tokens.
token() {
    local pair options=()
    for pair in "$@"; do options+=(--data-urlencode "$pair"); done
    ask /token "${options[@]}"
}

begin_to_serve() {
    "$program" serve --listen "127.0.0.1:$port" --issuer "$issuer" "${place[@]}" > "$work/log" 2>&1 &
    server=$!
    for _ in {1..600}; do
        ! grep --quiet '^It listens on ' "$work/log" || return 0
        kill -0 "$server" 2> /dev/null || break
        sleep 0.1
    done
    fail "the server does not start: $(tail --lines=5 "$work/log")"
}

# fill: parties, a device, a sign-in on a screen by a code, a renewed token, and what the server makes of its own. Prints what a
# test needs to know.
fill() {
    local secret codes answer refreshed
    admin client add "$screen" --name 'The kiosk' --scope 'openid profile groups offline_access' --create > /dev/null
    secret=$(admin client add "$backend" --confidential --grant client_credentials --scope reports.read --json |
        member client_secret)
    admin client add "$phone" --grant pre-authorized_code,refresh_token \
        --scope 'openid offline_access nearby_approve' > /dev/null
    admin user add "$username" --name 'Olga Old' --email olga@example.org <<< "$password" > /dev/null
    admin user phone add "$username" +12125550100 > /dev/null
    admin group add "$group" --note 'All who work here' > /dev/null
    admin group member add "$group" "$username" > /dev/null
    admin claim add roles --from groups > /dev/null
    admin domain add radio.example.com --name 'Our Radio' > /dev/null
    admin user invite --email new@example.org --link --issuer "$issuer" > /dev/null
    begin_to_serve
    rm -f "$work/cookies"
    codes=$(ask /device_authorization --data client_id="$screen" --data-urlencode 'scope=openid profile offline_access')
    ask /login > "$work/page"
    submit /login "username=$username" "password=$password" return_to=/account
    enroll
    ask /activate > "$work/page"
    submit /activate "user_code=$(member user_code <<< "$codes")"
    submit /activate/decision "user_code=$(member user_code <<< "$codes")" decision=approve
    answer=$(token client_id="$screen" grant_type=urn:ietf:params:oauth:grant-type:device_code \
        "device_code=$(member device_code <<< "$codes")")
    refreshed=$(token client_id="$screen" grant_type=refresh_token "refresh_token=$(member refresh_token <<< "$answer")")
    token client_id="$backend" "client_secret=$secret" grant_type=client_credentials > /dev/null
    kill -TERM "$server"
    wait "$server" || fail "the server failed: $(tail --lines=5 "$work/log")"
    server=
    python3 - "$username" "$password" "$group" "$screen" "$backend" "$secret" \
        "$(member access_token <<< "$refreshed")" "$(member refresh_token <<< "$refreshed")" << 'END'
import json, sys, time

username, password, group, screen, backend, secret, access, refresh = sys.argv[1:]
print(json.dumps({
    "kept": int(time.time()) + 1,
    "devices": 1,
    "person": {"username": username, "password": password},
    "group": group,
    "screen": {"client": screen, "accessToken": access, "refreshToken": refresh},
    "backend": {"client": backend, "secret": secret},
}, indent=2))
END
}

# tables: the statements of pg_dump that make something, without the name of the schema.
tables() {
    sed --regexp-extended --quiet '
        /^(SET |SELECT pg_catalog\.set_config|--|\\|$)/d
        s/^((INSERT INTO|CREATE TABLE|ALTER TABLE( ONLY)?) )public\./\1/
        s/^(CREATE (UNIQUE )?INDEX [a-z_]+ ON )public\./\1/
        s/^(    SEQUENCE NAME )public\./\1/
        s/^(SELECT pg_catalog\.setval\(.)public\./\1/
        p'
}

keep() {
    say "Filling a database of SQLite with $program"
    place=(--data "$work/data")
    fill > "$work/sqlite.json"
    sqlite3 "$work/data/countersign.sqlite" .dump > "$work/sqlite.sql"
    say 'Filling a database of PostgreSQL'
    local url
    url=$(Scripts/postgres-cluster.sh start "$work/postgres")
    place=(--database "$url")
    fill > "$work/postgres.json"
    pg_dump --dbname="$url" --column-inserts --no-owner --no-privileges --no-comments | tables > "$work/postgres.sql"
}

keep
readonly folder=Tests/KeptDatabases/Releases/$version
mkdir -p "$folder"
for engine in sqlite postgres; do
    mv "$work/$engine.sql" "$work/$engine.json" "$folder/"
done
say "Kept in $folder: commit it with the tag."
