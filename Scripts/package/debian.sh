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

# build PACKAGE: builds it from the root, and says where it is.
build() {
    # shellcheck disable=SC2154  # The caller sets FOLDER and VERSION.
    local package=$folder/$1_${version}_$architecture.deb
    dpkg-deb --root-owner-group --build "$root" "$package" > /dev/null
    echo "$package"
}
