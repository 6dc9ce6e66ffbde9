#!/usr/bin/env bash
# assemble-server.sh FOLDER VERSION: puts the Debian package of the server together in FOLDER, and says where it is. It runs the
# command of the package 'countersign', whose documentation is its own.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly folder=$1 version=$2
source Scripts/package/debian.sh

unit countersign
install -D --mode=640 Scripts/package/config.json "$root/etc/countersign/config.json"
mkdir -p "$root/usr/share/doc"
ln --symbolic countersign "$root/usr/share/doc/countersign-server"

build countersign-server << CONTROL
Section: net
Depends: countersign (= $version), adduser
Recommends: systemd
Suggests: postgresql
Description: sign-in server: approve on one screen what another asks for
 An authorization server that signs people in on televisions, radios, terminals, web pages and apps by what they hold
 elsewhere: a phone, a browser, another app, an account of the system, an enrolled authenticator. It speaks OAuth 2.0
 (RFC 8628, CIBA and more), OpenID Connect and Cross-Platform Authentication (ETSI TS 103 407).
CONTROL
