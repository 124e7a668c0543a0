#!/bin/sh
# Installs a release of ssactl: downloads the archive of this system, compares it with
# the release's checksums, and puts the program into a folder. Nothing is installed
# that does not match.
#
# usage: install.sh VERSION [FOLDER]     VERSION as v1.2.3; FOLDER is ./bin if not given
#
# SSACTL_SHA256    the checksum that the archive must have, in place of the release's
# SSACTL_RELEASES  where releases are, for mirrors
set -eu

fail() {
	echo "install ssactl: $*" >&2
	exit 1
}

version=${1:?usage: install.sh VERSION [FOLDER]}
folder=${2:-bin}
releases=${SSACTL_RELEASES:-https://github.com/ssactl/ssactl/releases/download}
# It becomes a part of addresses and of names of files.
case $version in
*[!0-9A-Za-z.-]*) fail "$version is no version such as v1.2.3" ;;
esac
echo "$version" | grep -Eqx 'v(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?' ||
	fail "$version is no version such as v1.2.3"

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
MINGW* | MSYS* | CYGWIN*) os=windows ;;
*) fail "there is no archive for $(uname -s): go install github.com/ssactl/ssactl/cmd/ssactl@$version" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no archive for $(uname -m): go install github.com/ssactl/ssactl/cmd/ssactl@$version" ;;
esac
program=ssactl format=tar.gz
if [ $os = windows ]; then
	program=ssactl.exe format=zip
fi
archive=ssactl_${version#v}_${os}_$arch.$format

# https alone, redirections too, unless a mirror is named.
fetch() {
	if [ -n "${SSACTL_RELEASES:-}" ]; then
		curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
	else
		curl --fail --silent --show-error --location --retry 3 --proto '=https' --tlsv1.2 --output "$2" "$1"
	fi
}

digest() {
	if command -v sha256sum >/dev/null; then
		sha256sum "$1" | cut -d' ' -f1
	else
		shasum -a 256 "$1" | cut -d' ' -f1
	fi
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch "$releases/$version/$archive" "$work/$archive" || fail "cannot download $releases/$version/$archive"
expected=${SSACTL_SHA256:-}
if [ -z "$expected" ]; then
	fetch "$releases/$version/checksums.txt" "$work/checksums.txt" || fail "cannot download the checksums of $version"
	expected=$(awk -v file="$archive" '$2 == file { print $1 }' "$work/checksums.txt")
	[ -n "$expected" ] || fail "the checksums of $version do not name $archive"
fi
actual=$(digest "$work/$archive")
[ "$actual" = "$expected" ] || fail "$archive has the checksum $actual, and must have $expected: nothing was installed"

mkdir -p "$work/unpacked" "$folder"
if [ $format = zip ]; then
	unzip -q "$work/$archive" -d "$work/unpacked"
else
	tar -xzf "$work/$archive" -C "$work/unpacked"
fi
[ -f "$work/unpacked/$program" ] || fail "$archive has no $program"
chmod 755 "$work/unpacked/$program"
mv "$work/unpacked/$program" "$folder/$program"
echo "installed ssactl $version: $folder/$program"
