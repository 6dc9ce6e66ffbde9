#!/usr/bin/env bash
# Installs the system's packages for the purposes named (run, lint, test, package, bench), as far as they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
source Scripts/say.sh

missing=()
# Missing as well, and everything goes without them.
wished=()

# need PACKAGE COMMAND...: the package is missing when the command fails.
need() {
    local package=$1
    shift
    "$@" > /dev/null 2>&1 || missing+=("$package")
}

# like PACKAGE COMMAND...: as above, for what one can do without.
like() {
    local package=$1
    shift
    "$@" > /dev/null 2>&1 || wished+=("$package")
}

installed() {
    command -v "$1"
}

# Programs for the superuser stand where others do not look.
installed_for_root() {
    installed "$1" || [[ -x /usr/sbin/$1 ]]
}

library() {
    installed pkg-config && pkg-config --exists "$1"
}

postgresql_server() {
    installed initdb || [[ -n $(find /usr/lib/postgresql -path '*/bin/initdb') ]]
}

# The Swift package manager itself needs libraries that 'swift --version' does not.
package_manager_starts() {
    local program
    program=$(dirname "$(readlink -f "$(command -v swift)")")/swift-build
    [[ ! -e $program ]] || ! ldd "$program" | grep -q 'not found'
}

need_for_run() {
    need ca-certificates test -e /etc/ssl/certs/ca-certificates.crt
    need git installed git
    need g++ installed g++
    need pkg-config installed pkg-config
    need libsqlite3-dev library sqlite3
    need libqrencode-dev library libqrencode
    need libcrypt-dev library libcrypt
    need libargon2-dev library libargon2
    need libpq-dev library libpq
    [[ $(uname) != Linux ]] || need libsecret-1-dev library libsecret-1
    need zlib1g-dev library zlib
    # Only releases use it.
    [[ $(uname) != Linux ]] || like libjemalloc-dev library jemalloc
    if [[ $(uname) == Linux ]] && ! package_manager_starts; then
        missing+=(libcurl4 libxml2 libncurses6 libsqlite3-0)
    fi
}

need_for_lint() {
    need shellcheck installed shellcheck
    need python3 installed python3
}

need_for_test() {
    need_for_run
    need_for_lint
    # Its cases are not run without it, and counted.
    like postgresql postgresql_server
    need chromium installed "${COUNTERSIGN_TEST_CHROMIUM:-chromium}"
    need chromium-driver installed "${COUNTERSIGN_TEST_CHROMEDRIVER:-chromedriver}"
    need fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
    need openssl installed openssl
    # One-time passwords that others wrote.
    need oathtool installed oathtool
    # What a phone's camera reads.
    need zbar-tools installed zbarimg
    # It brings mails to a relay.
    need msmtp installed msmtp
    need strace installed strace
    # It asks for a token as a program of others does.
    need kubernetes-client installed kubectl
    # It calls the helper of docker. Of the network stacks that its package wants, netavark is the small one.
    need skopeo installed skopeo
    need netavark installed skopeo
    need gnome-keyring installed gnome-keyring-daemon
    need dbus-daemon installed dbus-run-session
    need sqlite3 installed sqlite3
    need python3-venv python3 -c 'import ensurepip, venv'
    if [[ $(uname) == Linux ]]; then
        need iproute2 installed ip
        need nftables installed_for_root nft
        need dbus installed dbus-daemon
        need avahi-daemon installed_for_root avahi-daemon
        need avahi-utils installed avahi-browse
        need xdg-utils installed xdg-mime
        # A relying party that others wrote; the package without 'bin' would start a service.
        need apache2-bin installed_for_root apache2
        # A provider that others wrote.
        like glewlwyd installed glewlwyd
        # Proxies that others wrote, in front of the gate.
        need nginx-light installed_for_root nginx
        need caddy installed caddy
        need haproxy installed_for_root haproxy
        # Where people sign in by the PAM module.
        need libpam0g-dev test -e /usr/include/security/pam_modules.h
        need openssh-server installed_for_root sshd
        need openssh-client installed ssh
        need sudo installed sudo
        need pamtester installed pamtester
        need valgrind installed valgrind
        need libapache2-mod-auth-openidc test -e /usr/lib/apache2/modules/mod_auth_openidc.so
    fi
}

need_for_package() {
    need_for_run
    need python3 installed python3
    need binutils installed strip
    need libpam0g-dev test -e /usr/include/security/pam_modules.h
    # dpkg-shlibdeps: which packages bring the libraries that a program needs.
    need dpkg-dev installed dpkg-shlibdeps
    need debootstrap installed_for_root debootstrap
    need curl installed curl
}

need_for_bench() {
    need_for_run
    need wrk installed wrk
    need nginx-light installed_for_root nginx
    like glewlwyd installed glewlwyd
    need postgresql postgresql_server
    if [[ $(uname) == Linux ]]; then
        # For what is measured nearby; it is left out without them.
        like iproute2 installed ip
        like nftables installed_for_root nft
        like dbus installed dbus-daemon
        like avahi-daemon installed_for_root avahi-daemon
        like avahi-utils installed avahi-browse
        like python3 installed python3
        like python3-venv python3 -c 'import ensurepip, venv'
    fi
}

for purpose in "$@"; do
    "need_for_$purpose"
done
((${#missing[@]} || ${#wished[@]})) || exit 0

# Nobody is stopped by what one can do without.
can_install() {
    command -v apt-get > /dev/null && { ((EUID == 0)) || command -v sudo > /dev/null; }
}

if ((${#missing[@]} == 0)) && ! can_install; then
    exit 0
fi

command -v apt-get > /dev/null || fail "these are missing: ${missing[*]} (Debian's names).
There is no apt-get here; please install them as your system does it, then try again."

superuser=()
if ((EUID != 0)); then
    command -v sudo > /dev/null || fail "these packages are missing: ${missing[*]}.
As root, run:  apt-get install ${missing[*]}"
    superuser=(sudo)
    [[ -t 0 ]] || superuser=(sudo --non-interactive)
fi

apt() {
    "${superuser[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" < /dev/null >&2
}

# The services of packages whose programs alone are wanted. A machine that installs them here must not become a server.
services() {
    local package
    for package in "$@"; do
        case $package in
            nginx-light) echo nginx ;;
            caddy | haproxy | glewlwyd | postgresql) echo "$package" ;;
            openssh-server) echo ssh ;;
            avahi-daemon) echo avahi-daemon.service avahi-daemon.socket ;;
        esac
    done
}

# get PACKAGE...: without starting their services, now or later.
get() {
    local policy=/usr/sbin/policy-rc.d outcome=0 names
    if [[ -e $policy ]]; then
        policy=
    else
        printf '#!/bin/sh\nexit 101\n' | "${superuser[@]}" install -m 755 /dev/stdin "$policy"
    fi
    { apt update && apt install --yes --no-install-recommends "$@"; } || outcome=$?
    [[ -z $policy ]] || "${superuser[@]}" rm -f "$policy"
    read -r -d '' -a names < <(services "$@") || true
    if ((outcome == 0 && ${#names[@]})) && [[ -d /run/systemd/system ]]; then
        "${superuser[@]}" systemctl disable --quiet "${names[@]}" >&2 || true
    fi
    return "$outcome"
}

if ((${#missing[@]})); then
    say "Installing ${missing[*]}"
    get "${missing[@]}" || {
        say 'That failed; trying once more.'
        get "${missing[@]}"
    } || fail "apt-get could not install these packages; its own words are above.
As root, run:  apt-get install ${missing[*]}"
fi
for package in "${wished[@]}"; do
    say "Installing the optional package $package"
    get "$package" ||
        say "There is no $package here; it is left out."
done
