#!/usr/bin/env bash
# check.sh PROGRAM PACKAGE SERVER MODULE: tries the packages of the command, of the server and of the PAM module in a bare
# Debian: installed, started, upgraded over their data, removed, purged.
#
# The server is started by hand with the words of its unit, because a bare root runs no systemd; a stand-in for systemctl notes
# what the scripts of the packages ask for.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Scripts/say.sh

readonly program=$1 package=$2 server=$3 module=$4
((EUID == 0)) || exec sudo --preserve-env=PATH "$0" "$@"

# The longest that the command may take to say its version, in milliseconds, the fastest of several times.
readonly most=100
# The longest that the service may take until it listens, with its database and keys, likewise.
readonly most_listening=500

bare=$(mktemp --directory /var/tmp/countersign-bare.XXXXXX)
readonly bare
# Inside it is the root, into which every user may go.
chmod 755 "$bare"
mounted=()

end() {
    if [[ -e $bare/run/countersign.pid ]]; then kill "$(< "$bare/run/countersign.pid")" 2> /dev/null || true; fi
    for place in "${mounted[@]}"; do umount --lazy "$place"; done
    rm -rf --one-file-system "$bare"
}
trap end EXIT

# The distribution for which the package was built, from where this machine gets its own packages.
# shellcheck source=/dev/null
codename=$(source /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format "\$(SITE)" 'Created-By: Packages' | head --lines=1)
say "Making a bare $codename"
debootstrap --variant=minbase --include=ca-certificates,adduser "$codename" "$bare" "$mirror" > "$bare.log" 2>&1 ||
    fail "debootstrap could not make it: $(tail --lines=3 "$bare.log")"
rm "$bare.log"
mount --bind /proc "$bare/proc" && mounted+=("$bare/proc")
cp /etc/resolv.conf "$bare/etc/resolv.conf"
cp --recursive /etc/apt/. "$bare/etc/apt"
printf '#!/bin/sh\nexit 101\n' > "$bare/usr/sbin/policy-rc.d"
# The scripts take this folder for a running systemd.
mkdir --parents "$bare/run/systemd/system"
printf '#!/bin/sh\necho "$*" >> /run/asked\n' > "$bare/usr/bin/systemctl"
chmod 755 "$bare/usr/sbin/policy-rc.d" "$bare/usr/bin/systemctl"

inside() {
    chroot "$bare" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

quietly() {
    "$@" > "$bare/run/said" 2>&1 || fail "$* failed: $(tail --lines=5 "$bare/run/said")"
}

install_packages() {
    rm --recursive --force "$bare/run/packages"
    install -D --mode=644 --target-directory="$bare/run/packages" "$@"
    quietly inside sh -c 'apt-get -q install --yes --no-install-recommends /run/packages/*.deb'
}

purge() {
    quietly inside apt-get -q purge --yes "$1"
}

# asked WORDS...: looks whether the scripts asked systemctl for these and no more since the last time, but to read the units.
asked() {
    local words
    words=$(grep --invert-match daemon-reload "$bare/run/asked") || true
    rm "$bare/run/asked"
    [[ $words == "$(printf '%s\n' "$@")" ]] || fail "the scripts asked systemctl for: $words"
}

# The files of all packages and of what they ran, and the lists of the system that name them.
left() {
    find "$bare"/{etc,usr,var} -name '*countersign*'
    grep --recursive --files-with-matches countersign "$bare"/etc/{passwd,group,shadow,gshadow,pam.d} "$bare/var/lib/pam"
}

# keeps PACKAGE...: looks whether what belongs to these packages, and the operator's own file, are there.
declare -Ar belonging=(
    [countersign]=/var/lib/countersign-gate
    [countersign-server]='/etc/countersign/config.json /var/lib/countersign'
    [libpam-countersign]=/etc/countersign/pam.json
)
keeps() {
    local name place
    for name in "$@"; do
        for place in ${belonging[$name]} /etc/countersign/gate.secret; do
            inside test -e "$place" || fail "purging another package took $place away."
        done
    done
}

as_service() {
    inside setpriv --reuid=countersign --regid=countersign --clear-groups "$@"
}

# The words of the unit after the program, for a port that is free.
start() {
    local words
    words=$(sed --quiet 's/^ExecStart=//p' "$bare/usr/lib/systemd/system/countersign.service")
    [[ $words == '/usr/bin/countersign serve --config /etc/countersign/config.json'* ]] ||
        fail "the unit starts something else: $words"
    : > "$bare/run/out" && : > "$bare/run/log"
    local started began
    began=$(date +%s%N)
    # shellcheck disable=SC2086  # The words of the unit.
    as_service $words --listen 127.0.0.1:0 > "$bare/run/out" 2> "$bare/run/log" &
    started=$!
    port=
    for _ in {1..6000}; do
        port=$(grep --only-matching --perl-regexp '127\.0\.0\.1:\K[1-9][0-9]+' "$bare/run/log" "$bare/run/out" --no-filename |
            head --lines=1) && [[ -n $port ]] && break
        kill -0 "$started" 2> /dev/null || fail "the service ended: $(tail --lines=5 "$bare/run/log")"
        sleep 0.01
    done
    listening=$((($(date +%s%N) - began) / 1000000))
    [[ -n ${port:-} ]] || fail 'the service did not say where it listens.'
    service=$(pgrep --parent "$started" || echo "$started")
    echo "$service" > "$bare/run/countersign.pid"
    curl --silent --fail "http://127.0.0.1:$port/.well-known/openid-configuration" > /dev/null ||
        fail 'the service does not answer.'
}

stop() {
    kill -TERM "$service"
    for _ in {1..300}; do kill -0 "$service" 2> /dev/null || break; sleep 0.1; done
    ! kill -0 "$service" 2> /dev/null || fail 'the service does not stop.'
    rm "$bare/run/countersign.pid"
}

quietly inside apt-get -q update
say 'Installing the command and the PAM module, as on a host that asks a server elsewhere'
install_packages "$package" "$module"
asked 'try-restart countersign-gate.service'
for place in /usr/lib/systemd/system/countersign.service /etc/countersign/config.json /var/lib/countersign; do
    inside test ! -e "$place" || fail "$place is there without the server."
done
! inside getent passwd countersign > /dev/null || fail 'the user of the server is there without it.'
[[ -z $(find /proc -maxdepth 2 -name root -lname "$bare" 2> /dev/null) ]] || fail 'installing started a program.'
inside getent passwd countersign-gate > /dev/null || fail 'the gate has no user.'
inside test -s /usr/lib/systemd/system/countersign-gate.service || fail 'the gate has no unit.'
! ldd "$bare/usr/bin/countersign" | grep --quiet swift || fail 'the command needs the Swift runtime of the machine.'
inside grep --quiet '"bomFormat": "CycloneDX"' /usr/share/doc/countersign/countersign.cdx.json ||
    fail 'there is no bill of materials.'
for page in README.md Documentation/Operations.md Documentation/Decisions/0002-group-commit.md Deployment/Caddyfile; do
    inside test -s "/usr/share/doc/countersign/$page" || fail "there is no $page."
done
for helper in git docker; do
    inside "$helper-credential-countersign" --help > /dev/null || fail "$helper cannot run its helper."
done
for page in countersign countersign-serve countersign-signin countersign-admin; do
    inside test -s "/usr/share/man/man1/$page.1.gz" || fail "there is no manual of $page."
done
for completions in bash-completion/completions/countersign zsh/vendor-completions/_countersign \
    fish/vendor_completions.d/countersign.fish; do
    inside test -s "/usr/share/$completions" || fail "there are no $completions."
done

fastest=$most
for _ in {1..10}; do
    began=$(date +%s%N)
    inside countersign --version > /dev/null
    took=$((($(date +%s%N) - began) / 1000000))
    ((took >= fastest)) || fastest=$took
done
((fastest < most)) || fail "the command took more than $most ms to say its version, ten times."

say 'Using and removing the PAM module'
in_stack() { grep --quiet 'pam_countersign\.so' "$bare/etc/pam.d/common-auth"; }
! in_stack || fail 'installing the PAM module put it into the stacks by itself.'
quietly inside pam-auth-update --enable countersign
in_stack || fail 'pam-auth-update does not know the PAM module.'
# No service has a rule, so that the password decides.
[[ $(inside sh -c 'printf "version 1\nevent authenticate\nservice su\nuser root\npid 1\nparent 1\ntimeout 5\n\n" | countersign pam') == unknown ]] ||
    fail 'the settings that the PAM module brings ask for somebody.'
quietly inside apt-get -q remove --yes libpam-countersign
! in_stack || fail 'removing the PAM module left it in the stacks.'
inside test -s /etc/countersign/pam.json || fail 'removing the PAM module took its settings away.'
purge libpam-countersign
[[ ! -e $bare/etc/countersign/pam.json ]] || fail 'purging left the settings of the PAM module.'

say 'Installing the server'
install_packages "$server"
asked 'enable --quiet countersign.service' 'start countersign.service'
grep --quiet --fixed-strings /usr/share/doc/countersign/Documentation/Operations.md "$bare/run/said" ||
    fail 'installing does not say how to go on.'
[[ $(inside stat --format='%a %U' /var/lib/countersign) == '700 countersign' ]] ||
    fail 'the data belong to another user, or others may enter them.'
[[ $(inside stat --format='%a %U:%G' /etc/countersign/config.json) == '640 root:countersign' ]] ||
    fail 'the settings belong to another user, or others may read them.'

say 'Starting, and writing data'
start
quickest=$listening
for _ in {1..5}; do
    stop && start
    ((listening >= quickest)) || quickest=$listening
done
((quickest < most_listening)) || fail "serve took more than $most_listening ms until it listens, six times: $quickest ms at best."
inside sh -c 'printf "correct horse battery staple\n" > /run/password'
as_service countersign admin user add anna --data /var/lib/countersign \
    < "$bare/run/password" > "$bare/run/said" 2>&1 || fail "no account could be added: $(< "$bare/run/said")"
stop

say 'Upgrading over the data'
# What the operator changed stays: a setting that the package does not bring.
sed '0,/{/s//{ "brand-name": "kept",/' "$bare/etc/countersign/config.json" > "$bare/run/changed"
cp "$bare/run/changed" "$bare/etc/countersign/config.json"
version=$(dpkg-deb --field "$package" Version)
work=$(mktemp --directory -p "$bare/run")
newer=$(Scripts/package/assemble.sh "$program" "$work" "$version+newer")
newer_server=$(Scripts/package/assemble-server.sh "$work" "$version+newer")
install_packages "$newer" "$newer_server"
asked 'try-restart countersign-gate.service' 'try-restart countersign.service'
[[ $(inside dpkg-query --show --showformat "\${Version}" countersign-server) == "$version+newer" ]] ||
    fail 'the newer one was not installed.'
cmp --silent "$bare/run/changed" "$bare/etc/countersign/config.json" ||
    fail 'the upgrade changed the settings of the operator.'
[[ $(inside stat --format='%a %U' /var/lib/countersign) == '700 countersign' ]] ||
    fail 'the upgrade gave the data to another user.'
start
as_service countersign admin user list --data /var/lib/countersign | grep --quiet anna ||
    fail 'the account is lost after the upgrade.'
stop

say 'Removing the server beside a link that it made, and installing it anew'
as_service ln --symbolic /etc/planted /var/lib/countersign/.enabled-when-removed
quietly inside apt-get -q remove --yes countersign-server
asked '--quiet is-enabled countersign.service' 'disable --quiet --now countersign.service'
[[ ! -e $bare/etc/planted ]] || fail 'removing followed a link of the service.'
inside test -s /var/lib/countersign/countersign.sqlite ||
    fail 'removing took the data away.'
install_packages "$newer_server"
asked 'enable --quiet countersign.service' 'start countersign.service'
cmp --silent "$bare/run/changed" "$bare/etc/countersign/config.json" ||
    fail 'removing took the settings of the operator away.'

say 'Purging in each order'
for order in 'countersign countersign-server libpam-countersign' 'countersign libpam-countersign countersign-server' \
    'countersign-server countersign libpam-countersign' 'countersign-server libpam-countersign countersign' \
    'libpam-countersign countersign countersign-server' 'libpam-countersign countersign-server countersign'; do
    read -r first second third <<< "$order"
    install_packages "$newer" "$newer_server" "$module"
    quietly inside pam-auth-update --enable countersign
    mkdir --parents "$bare/var/lib/countersign-gate"
    touch "$bare/etc/countersign/gate.secret"
    # apt purges with a package those that need it; they are purged by themselves when they were removed before.
    [[ $third == countersign ]] || quietly inside apt-get -q remove --yes countersign
    purge "$first"
    keeps "$second" "$third"
    purge "$second"
    keeps "$third"
    rm "$bare/etc/countersign/gate.secret"
    purge "$third"
    [[ -z $(left) ]] || fail "purging $order left something: $(left)"
done

say "The packages work in a bare $codename; the command starts there in $fastest ms, and serve listens after $quickest ms."
