#!/bin/sh
# Writes what a release has beside the program into a folder, the same for the same
# commit: completions, manual pages, the licenses of what is linked.
#
# usage: assets.sh FOLDER
set -eu
out=${1:?usage: assets.sh FOLDER}
tags=kustomize_disable_go_plugin_support,grpcnotrace

rm -rf "$out"
mkdir -p "$out/completions" "$out/man"
CGO_ENABLED=0 go build -trimpath -tags "$tags" -ldflags='-s -w' -o "$out/ssactl" ./cmd/ssactl

"$out/ssactl" completion bash > "$out/completions/ssactl.bash"
"$out/ssactl" completion zsh > "$out/completions/_ssactl"
"$out/ssactl" completion fish > "$out/completions/ssactl.fish"
"$out/ssactl" completion powershell > "$out/completions/ssactl.ps1"
cp hack/release/kubectl_complete-ssa "$out/completions/"

"$out/ssactl" man "$out/man"
gzip -9 -n "$out"/man/*.1
go run ./hack/notices -tags "$tags" ./cmd/ssactl ./cmd/ssactl-serve > "$out/THIRD_PARTY_NOTICES"
rm "$out/ssactl"
