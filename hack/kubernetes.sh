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

definition=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)",*/\1/p')
modules=$(sed -n 's/^[[:space:]]*\(k8s\.io\/[^ ]*\) v0\.0\.0\( .*\)*$/\1/p' "$definition" | sort -u)
merge=$(sed -n 's/^[[:space:]]*\(sigs\.k8s\.io\/structured-merge-diff\/v[0-9]* v[^ ]*\).*/\1/p' "$definition" | head -n 1)

for folder in . hack/genschema test/oracle; do
	(
		cd "$folder"
		set -- -require "k8s.io/kubernetes@v$version"
		for module in $modules; do
			if grep -q "^[[:space:]]*$module v" go.mod; then
				set -- "$@" -require "$module@$staging"
			fi
		done
		go mod edit "$@"
		go mod tidy
	)
done

list=internal/server/schema/releases.go
if grep -q "{Minor: $minor, Patch: [0-9]*}" "$list"; then
	sed -i "s/{Minor: $minor, Patch: [0-9]*}/{Minor: $minor, Patch: $patch}/" "$list"
else
	sed -i "/^var releases = /,/^}/ s/^}/	{Minor: $minor, Patch: $patch},\n}/" "$list"
fi
sed -i "s/^const Version = .*/const Version = \"v$version\"/" test/oracle/kube/discovery.go
gofmt -l "$list" test/oracle/kube/discovery.go

make generate
go build ./...

cat <<NEXT

Linked: Kubernetes v$version. It asks for
  $merge
and go.mod has
  $(grep -h 'structured-merge-diff/v[0-9]* v' go.mod | sed 's/^[[:space:]]*//')

What remains is in docs/kubernetes-upgrade.md, from "What a person does" on.
NEXT
