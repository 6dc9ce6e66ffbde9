#!/usr/bin/env bash
# assemble-pam.sh FOLDER VERSION: puts the Debian package of the PAM module together in FOLDER, and says where it is.
set -euo pipefail
cd "$(dirname "$0")/../.."

readonly folder=$1 version=$2
source Scripts/package/debian.sh

libraries=/usr/lib/$(dpkg-architecture --query DEB_HOST_MULTIARCH)
readonly libraries

readonly module=$libraries/security/pam_countersign.so
Scripts/build-pam.sh "$root$module"
strip --strip-unneeded "$root$module"
chmod 644 "$root$module"
install -D --mode=644 PAM/profile "$root/usr/share/pam-configs/countersign"
install -D --mode=644 PAM/pam.json "$root/etc/countersign/pam.json"
install -D --mode=644 LICENSE "$root/usr/share/doc/libpam-countersign/copyright"
install -D --mode=644 PAM/pam_countersign.8 "$root/usr/share/man/man8/pam_countersign.8"
gzip --best --no-name "$root/usr/share/man/man8/pam_countersign.8"

needed=$(needed_by libpam-countersign "${module#/}")
readonly needed

build libpam-countersign << CONTROL
Section: admin
Depends: $needed, libpam-runtime, countersign (>= $version)
Description: approve a sign-in on this host on your phone
 A PAM module for ssh, sudo, su, login and screen lockers: the person of a local user approves on their phone. It starts
 the command 'countersign pam' and has no other code of the server. The profile for pam-auth-update is off by default.
CONTROL
