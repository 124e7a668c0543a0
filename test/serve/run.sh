#!/bin/sh
# Runs Kubernetes' own integration tests of apply (test/integration/apiserver/apply of the linked
# release) against servers of ssactl serve. They are copied from the module cache into a folder
# that is removed, and their servers are those of shim.
#
# usage: run.sh [FLAG OF THE TEST PROGRAM, such as -test.run NAME...]
set -eu
cd "$(dirname "$0")"
kubernetes=$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)/test/integration/apiserver
here=github.com/ssactl/ssactl/test/serve
trap 'rm -rf upstream upstream.test' EXIT
rm -rf upstream
mkdir -p upstream/apply upstream/apidefinitions
cp "$kubernetes"/apply/*_test.go upstream/apply
cp "$kubernetes"/apidefinitions/helper.go "$kubernetes"/apidefinitions/contains.go upstream/apidefinitions
sed 's/^package framework/package apiserver/' "$kubernetes"/../framework/cbor.go >upstream/apply/cbor_test.go
chmod u+w upstream/*/*
# Their main function starts an etcd.
rm upstream/apply/main_test.go
sed -i \
	-e "s#\"k8s.io/kubernetes/cmd/kube-apiserver/app/testing\"#\"$here/shim\"#" \
	-e "s#\"k8s.io/kubernetes/test/integration/framework\"#framework \"$here/shim\"#" \
	-e "s#\"k8s.io/kubernetes/test/integration/apiserver/apidefinitions\"#\"$here/upstream/apidefinitions\"#" \
	upstream/*/*.go
sed -i -e 's#framework.AssertRequest#AssertRequest#' -e '/framework "/d' upstream/apply/status_test.go
go test -vet=off -c -o upstream.test ./upstream/apply
cd upstream/apply
if [ $# -gt 0 ]; then
	../../upstream.test -test.timeout 30m "$@"
	exit
fi
# A process has its feature gates once, and these tests turn all of them on.
gates='^(TestApplyResetFields|TestApplyStatus|TestApplyStatusWithCBOR)$'
../../upstream.test -test.timeout 30m -test.v -test.skip "$gates"
for test in TestApplyResetFields TestApplyStatus TestApplyStatusWithCBOR; do
	../../upstream.test -test.timeout 30m -test.v -test.run "^$test\$"
done
