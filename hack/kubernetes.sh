#!/bin/sh
# Raises the Kubernetes release that is linked, as far as a command can, and lists
# what remains. The names of the staging modules come from the release itself.
#
#   hack/kubernetes.sh 1.36.4
set -eu
version=${1#v}
case $version in
1.[0-9]*.[0-9]*) ;;
*)
	echo "usage: $0 1.MINOR.PATCH" >&2
	exit 2
	;;
esac
staging=v0.${version#1.}
minor=$(echo "$version" | cut -d. -f2)
patch=$(echo "$version" | cut -d. -f3)
cd "$(dirname "$0")/.."
linked=$(sed -n 's/^[[:space:]]*k8s\.io\/kubernetes v//p' go.mod)

step() { echo "$(date +%T) $*"; }

step "go.mod of three modules"
definition=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)",*/\1/p')
modules=$(sed -n 's/^[[:space:]]*\(k8s\.io\/[^ ]*\) v0\.0\.0\( .*\)*$/\1/p' "$definition" | sort -u)
merge=$(sed -n 's/^[[:space:]]*\(sigs\.k8s\.io\/structured-merge-diff\/v[0-9]* v[^ ]*\).*/\1/p' "$definition" | head -n 1)
for folder in . hack/genschema test/oracle test/serve; do
	(
		cd "$folder"
		# All staging modules, as none exists at v0.0.0; tidy drops those that nothing imports.
		set -- -require "k8s.io/kubernetes@v$version"
		for module in $modules; do
			set -- "$@" -require "$module@$staging"
		done
		go mod edit "$@"
		go mod tidy
	)
done

step "the list of releases"
list=internal/server/schema/releases.go
if grep -q "{Minor: $minor, Patch: [0-9]*}" "$list"; then
	sed -i "s/{Minor: $minor, Patch: [0-9]*}/{Minor: $minor, Patch: $patch}/" "$list"
else
	sed -i "/^var releases = /,/^}/ s/^}/	{Minor: $minor, Patch: $patch},\n}/" "$list"
fi
# A server emulates the three minor versions before its own, and no older one.
for old in $(sed -n 's/^	{Minor: \([0-9]*\), Patch: [0-9]*},/\1/p' "$list"); do
	if [ "$old" -lt $((minor - 3)) ]; then
		sed -i "/{Minor: $old, Patch: [0-9]*},/d" "$list"
		rm -f "internal/server/schema/data/1.$old.bin" "internal/server/schema/data/1.$old.facts.gz" "testdata/versions/1.$old.jsonl.gz"
	fi
done
sed -i "s/^const Version = .*/const Version = \"v$version\"/" test/oracle/kube/discovery.go
sed -i "s/\(Kubernetes\|kube-apiserver\|kubectl\) $linked\b/\1 $version/g" README.md docs/parity.md docs/dependencies.md

step "merge schemas"
make generate
step "build"
make build
step "done"

cat <<NEXT

Linked: Kubernetes v$version. It asks for
  $merge
and go.mod has
  $(grep -h 'structured-merge-diff/v[0-9]* v' go.mod | sed 's/^[[:space:]]*//')

What remains is in docs/kubernetes-upgrade.md, from "What a person does" on.
NEXT
