#!/bin/sh
# Puts ssactl into the PATH of the steps that follow: the release VERSION, verified by
# install.sh; or without one, what is there already; or the release that the action is used by
# (OWN_VERSION); or, where the action is used by a branch or a commit, a build of it.
#
# ACTION is the folder with the sources, BIN where the program goes. SSACTL_SHA256 and
# SSACTL_RELEASES are those of install.sh.
set -eu

release() {
	case $1 in v[0-9]*.[0-9]*.[0-9]*) ;; *) return 1 ;; esac
}

if [ -n "${VERSION-}" ]; then
	sh "$ACTION/hack/action/install.sh" "$VERSION" "$BIN"
elif command -v ssactl >/dev/null; then
	ssactl version
	exit 0
elif release "${OWN_VERSION-}"; then
	sh "$ACTION/hack/action/install.sh" "$OWN_VERSION" "$BIN"
elif command -v go >/dev/null; then
	echo "ssactl: the action is used by no release: it is built, which takes some minutes"
	mkdir -p "$BIN"
	(cd "$ACTION" && CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags='-s -w' \
		-tags kustomize_disable_go_plugin_support,grpcnotrace -o "$BIN/" ./cmd/ssactl)
else
	printf '::error title=ssactl::%s\n' "the action is used by no release, and there is no Go to build it: name a version, or use actions/setup-go first" >&2
	exit 2
fi
echo "$BIN" >>"$GITHUB_PATH"
