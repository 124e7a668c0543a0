#!/bin/sh
# Records the answers of a real kube-apiserver of an older Kubernetes release to
# the requests of the corpus. The recorder is built against that release in a
# module of its own, below a temporary directory: it shares no dependency with
# the newest one.
#
#   older.sh 1.33.13 FILE.jsonl.gz
set -eu
release=$1
case $2 in /*) file=$2 ;; *) file=$PWD/$2 ;; esac
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/internal/server" "$work/test/oracle"
cp -r "$root/test/parity" "$work/test/"
cp -r "$root/internal/server/api" "$work/internal/server/"
cp -r "$root/internal/jsontree" "$work/internal/"
cp -r "$root/test/oracle/kube" "$root/test/oracle/scenario" "$work/test/oracle/"
cp "$root/test/oracle/record.go" "$work/"
# The commands that compare with ssactl itself stay out.
grep -v 'runCompare\|runReplay\|runServe' "$root/test/oracle/main.go" >"$work/main.go"
find "$work" -name '*_test.go' -delete
sed -i "s/^const Version = .*/const Version = \"v$release\"/" "$work/test/oracle/kube/discovery.go"
cd "$work"

# A release's own go.mod names its staging modules without their versions.
staging=$(go mod download -json "k8s.io/kubernetes@v$release" | sed -n 's/.*"GoMod": "\(.*\)",*/\1/p' |
	xargs sed -n 's/^[[:space:]]*\(k8s\.io\/[^ ]*\) v0\.0\.0\( .*\)*$/\1/p' | sort -u)
{
	printf 'module github.com/ssactl/ssactl\n\ngo 1.26.0\n\nrequire (\n\tk8s.io/kubernetes v%s\n' "$release"
	for module in $staging; do
		printf '\t%s v0.%s\n' "$module" "${release#1.}"
	done
	printf '\tsigs.k8s.io/structured-merge-diff/v6 v6.3.0\n)\n'
} >go.mod
go mod tidy
go run . record -out "$file" "$root"/testdata/corpus/public-*.jsonl.gz "$root/testdata/corpus/found.jsonl.gz"
