#!/usr/bin/env bash
# The preview of action.yml: runs ssactl once with the inputs of the step, and leaves
# ssactl.md, ssactl.sarif and ssactl.xml in REPORTS. Inputs come as variables, so that
# none of them is read as a part of this script.
set -euo pipefail

args=(apply -R)
# each FLAG LINES: the flag with each line that is not empty
each() {
	local line
	while IFS= read -r line; do
		if [ -n "$line" ]; then args+=("$1" "$line"); fi
	done <<<"$2"
}
one() {
	if [ -n "$2" ]; then args+=("$1" "$2"); fi
}

# switch NAME VALUE: a value that is neither true nor false would count as false
switch() {
	case $2 in
	true | false) ;;
	*)
		echo "::error title=ssactl::$1: $2 is neither true nor false" >&2
		exit 2
		;;
	esac
}
switch force-conflicts "${FORCE_CONFLICTS:-false}"
switch comment "$COMMENT"
switch sarif "$SARIF"

manager=$MANAGER force=$FORCE_CONFLICTS
case $CLIENT in
"") ;;
argocd) : "${manager:=argocd-controller}" "${force:=true}" ;;
flux) : "${manager:=kustomize-controller}" "${force:=true}" ;;
helm) : "${manager:=helm}" ;;
kubectl) : "${manager:=kubectl}" ;;
terraform) : "${manager:=Terraform}" ;;
*)
	echo "::error title=ssactl::client: $CLIENT is not known: argocd, flux, helm, kubectl or terraform" >&2
	exit 2
	;;
esac

# Settings in a pull request's own files would judge the pull request.
one --config "${CONFIG:-none}"
each -f "$MANIFESTS"
one -k "$KUSTOMIZE"
each --live "$LIVE"
each --crds "$CRDS"
each --policy "$POLICY"
each --fail-on "$FAIL_ON"
one --field-manager "$manager"
one --kubernetes-version "$KUBERNETES_VERSION"
one -n "$NAMESPACE"
if [ "$force" = true ]; then args+=(--force-conflicts); fi
if [ -n "${SNAPSHOT_KEY:-}" ]; then
	key=$(mktemp)
	trap 'rm -f "$key"' EXIT
	printf '%s\n' "$SNAPSHOT_KEY" >"$key"
	args+=(--snapshot-key "$key")
fi

code=0
ssactl "${args[@]}" -o github -o "markdown=$REPORTS/ssactl.md" -o "sarif=$REPORTS/ssactl.sarif" -o "junit=$REPORTS/ssactl.xml" || code=$?
{
	echo "exit-code=$code"
	echo "reports=$REPORTS"
	if [ -s "$REPORTS/ssactl.md" ]; then echo "written=true"; fi
} >>"$GITHUB_OUTPUT"
