#!/bin/sh
# Records all packs again, in place, from a real kube-apiserver of the release that is
# linked: one server for each pack, with the flags that the pack was recorded with. Walks begin
# in the middle, with objects that no step makes, and stay as they are. A server does not
# see new parameters of policies once all policies with that kind of parameter were
# deleted, so that a scenario of them behind another (m-patch) takes a server of its own.
#
#   corpus.sh [FILE...]
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/oracle" .
[ $# -gt 0 ] || set -- $(ls ../../testdata/corpus/*.jsonl.gz | grep -v walks) ../../testdata/flags/*.jsonl.gz ../../testdata/letters.jsonl.gz
for file; do
	echo "$(date +%T) $file"
	"$work/oracle" record -out "$work/pack.jsonl.gz" "$file"
	mv "$work/pack.jsonl.gz" "$file"
done
