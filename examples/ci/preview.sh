#!/bin/sh
# The preview in any system of CI: the verdict in the log, the reports in reports/, the
# exit code of ssactl. Set SSACTL_VERSION to install that release first. LIVE and CONFIG are
# to be files that the change cannot edit, such as those of the branch that it goes to.
set -eu

if [ -n "${SSACTL_VERSION:-}" ]; then
	# Copied from hack/action/install.sh of ssactl, at the version that is pinned.
	sh ./install-ssactl.sh "$SSACTL_VERSION" ./bin
	PATH=$PWD/bin:$PATH
fi

mkdir -p reports
code=0
ssactl apply -R -f "${MANIFESTS:-manifests}" --live "${LIVE:-live}" --config "${CONFIG:-none}" --field-manager "${FIELD_MANAGER:-kubectl}" \
	-o text -o markdown=reports/comment.md -o junit=reports/ssactl.xml -o sarif=reports/ssactl.sarif || code=$?
exit "$code"
