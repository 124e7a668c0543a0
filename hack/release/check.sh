#!/bin/sh
# Tries a release of this commit for this platform, without publishing anything:
#
#	config    goreleaser accepts .goreleaser.yaml, actionlint the workflows
#	twice     two builds in two folders are the same, byte for byte
#	snapshot  goreleaser makes the archive
#	root      in an empty root with nothing but the archive, the README's demo runs
#	plugins   as a plug-in of Helm and of Flux, the program prints commands by that name
#
# usage: check.sh [STEP...]   (all without any)
set -eu
cd "$(dirname "$0")/../.."
goreleaser=github.com/goreleaser/goreleaser/v2@v2.16.0
actionlint=github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
tags=kustomize_disable_go_plugin_support,grpcnotrace
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\n== %s\n' "$*"; }

config() {
	say "goreleaser check"
	${GORELEASER:-go run $goreleaser} check
	say "actionlint"
	${ACTIONLINT:-go run $actionlint}
}

# Other folders must not show in what is built: copies of the commit in two of them.
twice() {
	say "two builds in two folders"
	for n in one two/deeper; do
		mkdir -p "$work/$n"
		git archive HEAD | tar -x -C "$work/$n"
		(cd "$work/$n" && CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags $tags -ldflags='-s -w' -o "$work/$(basename "$n").bin" ./cmd/ssactl)
	done
	cmp "$work/one.bin" "$work/deeper.bin"
	sha256sum "$work/one.bin" | cut -d' ' -f1
}

snapshot() {
	say "goreleaser, this platform"
	# Only goreleaser build takes --single-target, and it makes no archives.
	sed -e "s/^\( *goos:\) .*/\1 [$(go env GOOS)]/" -e "s/^\( *goarch:\) .*/\1 [$(go env GOARCH)]/" .goreleaser.yaml > "$work/single.yaml"
	TAP_TOKEN=none ${GORELEASER:-go run $goreleaser} release -f "$work/single.yaml" --snapshot --clean --skip=publish,sign,sbom,docker
	# The scripts are in the list and among the assets, and not copied to dist.
	(cp hack/action/*.sh dist && cd dist && sha256sum -c checksums.txt)
}

root() {
	say "the README's demo, in a root with the archive alone"
	mkdir -p "$work/clean"
	tar -xzf dist/ssactl_*_"$(go env GOOS)_$(go env GOARCH)".tar.gz -C "$work/clean"
	for file in LICENSE THIRD_PARTY_NOTICES completions/ssactl.bash completions/kubectl_complete-ssa man/ssactl-apply.1.gz; do
		test -s "$work/clean/$file"
	done
	cp examples/autoscaler/*.yaml "$work/clean"
	sed -n '/^<!-- demo -->$/,/^<!-- end -->$/p' README.md > "$work/demo"
	code=0
	# shellcheck disable=SC2046 # the words of the command
	chroot "$work/clean" $(sed -n 's,^\$ ,/,p' "$work/demo") > "$work/answer" || code=$?
	test "$code" -eq 1
	sed '1,3d' "$work/demo" | sed -e '/^```$/,$d' > "$work/expected"
	diff -u "$work/expected" "$work/answer"
}

plugins() {
	say "plug-ins"
	version=$(sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' dist/metadata.json | sed -n 1p)
	sh hack/release/plugins.sh "$version" dist "$work/plugins"
	grep -q "checksum: sha256:" "$work/plugins/ssa.yaml"
	plugin=$work/plugins/helm-ssa_${version}_$(go env GOOS)_$(go env GOARCH)
	"$plugin/helm-ssa" apply --help | grep -q "helm ssa apply"
	ln -s "$plugin/helm-ssa" "$work/flux-ssa"
	"$work/flux-ssa" apply --help | grep -q "flux ssa apply"
}

for step in "${@:-config}"; do
	case $step in
	config | twice | snapshot | root | plugins) ;;
	*) echo "unknown step $step: there are config, twice, snapshot, root, plugins" >&2; exit 2 ;;
	esac
done
if [ $# -eq 0 ]; then
	set -- config twice snapshot root plugins
fi
for step; do
	"$step"
done
say "done: $*"
