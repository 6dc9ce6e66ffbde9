#!/usr/bin/env bash
# assemble.sh PROGRAM FOLDER [VERSION]: puts the Debian package of the command together in FOLDER, and says where it is. Its bill
# of materials stands beside it, too.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly program=$1 folder=$2
version=${3:-$("$program" --version)}
readonly version
source Scripts/package/debian.sh

install -D --mode=755 /dev/null "$root/usr/bin/countersign"
strip --strip-all -o "$root/usr/bin/countersign" "$program"
chmod 755 "$root/usr/bin/countersign"
install -D --mode=644 LICENSE "$root/usr/share/doc/countersign/copyright"
gzip --best --no-name --stdout CHANGELOG.md > "$root/usr/share/doc/countersign/changelog.gz"
Scripts/package/pages.py "$root/usr/share/doc/countersign"

readonly bill=$folder/countersign_${version}_$architecture.cdx.json
Scripts/package/sbom.py "$program" "$version" > "$bill"
install -D --mode=644 "$bill" "$root/usr/share/doc/countersign/countersign.cdx.json"

install -D --mode=755 --target-directory="$root/usr/bin" Deployment/{git,docker}-credential-countersign

unit countersign-gate
# The operator writes the gate's settings there, beside those that the other packages bring.
mkdir -p "$root/etc/countersign"

mkdir -p "$root/usr/share/man/man1"
"$program" --experimental-dump-help | python3 Scripts/package/manual.py "$version" "$root/usr/share/man/man1"
gzip --best --no-name "$root"/usr/share/man/man1/*

mkdir -p "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" \
    "$root/usr/share/fish/vendor_completions.d"
"$program" --generate-completion-script bash > "$root/usr/share/bash-completion/completions/countersign"
"$program" --generate-completion-script zsh > "$root/usr/share/zsh/vendor-completions/_countersign"
"$program" --generate-completion-script fish > "$root/usr/share/fish/vendor_completions.d/countersign.fish"

libraries=$(needed_by countersign usr/bin/countersign)
readonly libraries

build countersign << CONTROL
Section: net
Depends: $libraries, adduser, ca-certificates
Suggests: countersign-server
Description: sign in on one screen with what you already hold on another
 A command that signs in terminals, hosts and sites behind a proxy by what people hold elsewhere: a phone, a browser, another
 app, an account of the system, an enrolled authenticator. It has the server too, which the package countersign-server runs.
CONTROL
