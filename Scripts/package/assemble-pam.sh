#!/usr/bin/env bash
# assemble-pam.sh FOLDER VERSION: puts the Debian package of the PAM module together in FOLDER, and says where it is.
set -euo pipefail
cd "$(dirname "$0")/../.."
source Scripts/say.sh

readonly folder=$1 version=$2
architecture=$(dpkg --print-architecture)
readonly architecture
libraries=/usr/lib/$(dpkg-architecture --query DEB_HOST_MULTIARCH)
readonly libraries
root=$(mktemp --directory)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

readonly module=$libraries/security/pam_countersign.so
Scripts/build-pam.sh "$root$module"
strip --strip-unneeded "$root$module"
chmod 644 "$root$module"
install -D --mode=644 PAM/profile "$root/usr/share/pam-configs/countersign"
install -D --mode=644 PAM/pam.json "$root/etc/countersign/pam.json"
install -D --mode=644 LICENSE "$root/usr/share/doc/libpam-countersign/copyright"
install -D --mode=644 PAM/pam_countersign.8 "$root/usr/share/man/man8/pam_countersign.8"
gzip --best --no-name "$root/usr/share/man/man8/pam_countersign.8"

# The libraries that the module needs, by the names of the packages that bring them here.
mkdir -p "$root/debian"
printf 'Source: countersign\n\nPackage: libpam-countersign\nArchitecture: any\n' > "$root/debian/control"
needed=$(cd "$root" && dpkg-shlibdeps -O "${module#/}" 2> /dev/null | sed --quiet 's/^shlibs:Depends=//p')
rm -r "$root/debian"
[[ -n $needed ]] || fail 'dpkg-shlibdeps found no libraries.'

mkdir "$root/DEBIAN"
install --mode=755 Scripts/package/pam/{postinst,prerm} "$root/DEBIAN"
echo /etc/countersign/pam.json > "$root/DEBIAN/conffiles"
cat > "$root/DEBIAN/control" << CONTROL
Package: libpam-countersign
Source: countersign
Version: $version
Architecture: $architecture
Maintainer: The makers of Countersign <countersign@localhost>
Section: admin
Priority: optional
Installed-Size: $(du --summarize --block-size=1024 "$root/usr" | cut -f1)
Depends: $needed, libpam-runtime, countersign (>= $version)
Description: approve a sign-in on this host on your phone
 A PAM module for ssh, sudo, su, login and screen lockers: the person of a local user approves on their phone. It starts
 the command 'countersign pam' and has no other code of the server. The profile for pam-auth-update is off by default.
CONTROL

readonly package=$folder/libpam-countersign_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" > /dev/null
echo "$package"
