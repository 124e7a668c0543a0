#!/bin/sh
# Runs Kubernetes' own integration tests of apply (test/integration/apiserver/apply of the linked
# release) against servers of ssactl serve. They are copied from the module cache into a folder
# that is removed, and their servers are those of shim.
#
# usage: SSACTL=PROGRAM run.sh [ARGUMENT OF go test...]
set -eu
cd "$(dirname "$0")"
kubernetes=$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)
shim=github.com/ssactl/ssactl/test/serve/shim
trap 'rm -rf upstream' EXIT
rm -rf upstream
mkdir upstream
cp "$kubernetes"/test/integration/apiserver/apply/*_test.go upstream
chmod u+w upstream/*
# The main function starts an etcd; two tests start a server with all alpha features, by helpers
# of their own.
rm upstream/main_test.go upstream/reset_fields_test.go upstream/status_test.go
sed -i \
	-e "s#\"k8s.io/kubernetes/cmd/kube-apiserver/app/testing\"#\"$shim\"#" \
	-e "s#\"k8s.io/kubernetes/test/integration/framework\"#framework \"$shim\"#" \
	upstream/*.go
# These write to the server's etcd, or set its feature gates.
skip='^(TestApplyCRDUnhandledSchema|TestApplyCRDNoSchema|TestUpdateStatusWithOldVersion|.*CBOR.*)$'
go test -vet=off -count 1 -timeout 30m ./upstream -skip "$skip" "$@"
