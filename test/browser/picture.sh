#!/bin/sh
# Draws the HTML page of an example with a headless Chromium:
#   picture.sh SSACTL PICTURE
# Without a browser, or without npm, it says so and leaves the picture as it is.
set -eu
ssactl=$(realpath "$1")
picture=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
browser=${CHROMIUM:-/usr/bin/chromium}
if [ ! -x "$browser" ]; then
	echo "$2 is left as it is: there is no browser at $browser (name one with CHROMIUM=PATH)"
	exit 0
fi
if ! command -v npm >/dev/null; then
	echo "$2 is left as it is: npm, which brings what drives the browser, is not installed"
	exit 0
fi
page=$(mktemp -d)
trap 'rm -rf "$page"' EXIT
cd "$here/../../examples/cluster"
# The answer is no, as it should be.
"$ssactl" apply -f rendered.yaml --live dump.yaml --field-manager helm --now 2026-11-01T00:00:00Z -o html >"$page/page.html" || test $? -eq 1
cd "$here"
npm ci --silent
node picture.mjs "$page/page.html" "$picture"
