#!/bin/sh
# Builds the clients and a server, and records what the clients do.
#
#   record.sh FILE.jsonl.gz [FLAGS...]
#
# With SSACTL=PROGRAM, what they do to 'ssactl serve' is then compared with that.
set -eu
file=$1
shift
case $file in /*) ;; *) file=$PWD/$file ;; esac
here=$(cd "$(dirname "$0")" && pwd)
programs=$(mktemp -d)
trap 'rm -rf "$programs"' EXIT

(cd "$here/../oracle" && go build -o "$programs/oracle" .)
cd "$here"
go build -o "$programs/kubectl" ./kubectl
go build -o "$programs/helm3" helm.sh/helm/v3/cmd/helm
go build -o "$programs/helm4" helm.sh/helm/v4/cmd/helm
go build -o "$programs/clients" .
# Field managers without a name are called as the program.
(cd argocd && go build -o "$programs/argocd-application-controller" .)
"$programs/clients" -programs "$programs" -out "$file" "$@"
if [ -n "${SSACTL:-}" ]; then
	"$programs/clients" -programs "$programs" -serve "$SSACTL" -against "$file" "$@"
fi
