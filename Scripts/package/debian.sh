#!/usr/bin/env bash
# The steps that the Debian packages share: to be sourced by a script that sets FOLDER and VERSION. The package is put
# together in ROOT, which goes at the end.
source Scripts/say.sh

architecture=$(dpkg --print-architecture)
readonly architecture
root=$(mktemp --directory)
readonly root
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

# needed_by PACKAGE FILE: the libraries that a file in the root needs, by the names of the packages that bring them here.
needed_by() {
    local needed
    mkdir -p "$root/debian"
    printf 'Source: countersign\n\nPackage: %s\nArchitecture: any\n' "$1" > "$root/debian/control"
    needed=$(cd "$root" && dpkg-shlibdeps -O "$2" 2> /dev/null | sed --quiet 's/^shlibs:Depends=//p') || needed=
    rm -r "$root/debian"
    [[ -n $needed ]] || fail 'dpkg-shlibdeps found no libraries.'
    echo "$needed"
}

# unit NAME: puts a unit of Deployment where packages put them; it runs the program that the package brings.
unit() {
    mkdir -p "$root/usr/lib/systemd/system"
    sed -e '/^# A unit for systemd/,/^$/d' -e 's#/usr/local/bin/countersign#/usr/bin/countersign#' \
        "Deployment/$1.service" > "$root/usr/lib/systemd/system/$1.service"
}

# build PACKAGE: builds it from the root and its scripts, and says where it is. Standard input has the members of its control
# file that the packages do not share.
build() {
    # shellcheck disable=SC2154  # The caller sets FOLDER and VERSION.
    local package=$folder/$1_${version}_$architecture.deb
    mkdir "$root/DEBIAN"
    install --mode=755 --target-directory="$root/DEBIAN" "Scripts/package/$1"/*
    find "$root/etc" -type f -printf '/etc/%P\n' > "$root/DEBIAN/conffiles"
    cat > "$root/DEBIAN/control" << CONTROL
Package: $1
Source: countersign
Version: $version
Architecture: $architecture
Maintainer: The makers of Countersign <countersign@localhost>
Priority: optional
Installed-Size: $(du --summarize --block-size=1024 "$root/usr" | cut -f1)
$(cat)
CONTROL
    dpkg-deb --root-owner-group --build "$root" "$package" > /dev/null
    echo "$package"
}
