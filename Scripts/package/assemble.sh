#!/usr/bin/env bash
# assemble.sh PROGRAM FOLDER [VERSION]: puts a Debian package together in FOLDER, and says where it is. Its bill of materials
# stands beside it, too.
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

# The units of a package stand where packages put them, and run the program that the package brings.
mkdir -p "$root/usr/lib/systemd/system"
for unit in countersign countersign-gate; do
    sed -e '/^# A unit for systemd/,/^$/d' -e 's#/usr/local/bin/countersign#/usr/bin/countersign#' \
        "Deployment/$unit.service" > "$root/usr/lib/systemd/system/$unit.service"
done
install -D --mode=640 Scripts/package/config.json "$root/etc/countersign/config.json"

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

mkdir "$root/DEBIAN"
install --mode=755 Scripts/package/{postinst,prerm,postrm} "$root/DEBIAN"
echo /etc/countersign/config.json > "$root/DEBIAN/conffiles"
cat > "$root/DEBIAN/control" << CONTROL
Package: countersign
Version: $version
Architecture: $architecture
Maintainer: The makers of Countersign <countersign@localhost>
Section: net
Priority: optional
Installed-Size: $(du --summarize --block-size=1024 "$root/usr" | cut -f1)
Depends: $libraries, adduser, ca-certificates
Recommends: systemd
Suggests: postgresql
Description: sign in on one screen with what you already hold on another
 An authorization server that signs people in on televisions, radios, terminals, web pages and apps by what they hold
 elsewhere: a phone, a browser, another app, an account of the system, an enrolled authenticator. It speaks OAuth 2.0
 (RFC 8628, CIBA and more), OpenID Connect and Cross-Platform Authentication (ETSI TS 103 407).
CONTROL

build countersign
