#!/bin/sh
# The preview in any system of CI: the verdict in the log, the reports in reports/, the
# exit code of ssactl. Variables say what is previewed, each by the name of its flag:
# SSACTL_CLIENT, SSACTL_RELEASE, SSACTL_FAIL_ON and the others of 'ssactl help settings'.
# SSACTL_LIVE, SSACTL_CONFIG, SSACTL_POLICY, SSACTL_CRDS and SSACTL_RELEASE_MANIFEST are to be
# files that the change cannot edit, such as those of the branch that it goes to.
# Set SSACTL_VERSION to install that release first.
set -eu

if [ -n "${SSACTL_VERSION:-}" ]; then
	# Copied from hack/action/install.sh of ssactl, at the version that is pinned.
	sh ./install-ssactl.sh "$SSACTL_VERSION" ./bin
	PATH=$PWD/bin:$PATH
fi

export SSACTL_LIVE="${SSACTL_LIVE:-live}" SSACTL_CONFIG="${SSACTL_CONFIG:-none}"
mkdir -p reports
code=0
ssactl apply -R -f "${MANIFESTS:-manifests}" \
	-o text -o markdown=reports/comment.md -o junit=reports/ssactl.xml -o sarif=reports/ssactl.sarif || code=$?
exit "$code"
