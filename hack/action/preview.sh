#!/usr/bin/env bash
# The preview of action.yml: runs ssactl once with the inputs of the step, and leaves
# ssactl.md, ssactl.sarif and ssactl.xml in REPORTS. Each input is a variable by its name in
# capitals, so that none of them is read as a part of this script, and each is the flag of
# its name: that of ssactl, of .ssactl.yaml and of SSACTL_….
set -euo pipefail

args=(apply)

# given NAME: the value of an input
given() {
	local variable
	variable=$(printf %s "$1" | tr 'a-z-' 'A-Z_')
	printf '%s\n' "${!variable-}"
}

# refuse NAME WHY: a value that is refused is shown without what could begin a command
refuse() {
	printf '::error title=ssactl::%s: %s %s\n' "$1" "$(given "$1" | tr -d '\n' | tr -c 'A-Za-z0-9@._-' '?')" "$2" >&2
	exit 2
}

# pass NAME...: each input as the flag of its name, with each line that is not empty
pass() {
	local name line
	for name in "$@"; do
		while IFS= read -r line; do
			if [ -n "$line" ]; then args+=("--$name=$line"); fi
		done <<<"$(given "$name")"
	done
}

# switch NAME...: a value that is neither true nor false would count as false
switch() {
	local name
	for name in "$@"; do
		case $(given "$name") in
		"" | true | false) ;;
		*) refuse "$name" "is neither true nor false" ;;
		esac
	done
}
switches=(assume-absent force-conflicts take-ownership force-replace create-namespace rollback-on-failure prune force
	recursive namespace-strict require-schema)
switch "${switches[@]}" comment sarif

CLIENT=${CLIENT-}
case ${CLIENT%%@*} in
"" | auto | none | kubectl | helm | argocd | flux | terraform) ;;
*) refuse client "is not known: auto, none, kubectl, helm, argocd, flux or terraform" ;;
esac

# Settings in a pull request's own files would judge the pull request.
CONFIG=${CONFIG:-none}
RECURSIVE=${RECURSIVE:-true}
FIELD_MANAGER=${FIELD_MANAGER:-${MANAGER-}}
pass config client field-manager server-side release release-manifest override-manager ignore-path \
	live crds policy ignore-field fail-on namespace kubernetes-version server-version server-preset server-flag validate
pass "${switches[@]}"
while IFS= read -r line; do
	if [ -n "$line" ]; then args+=(-f "$line"); fi
done <<<"${MANIFESTS-}"
if [ -n "${KUSTOMIZE-}" ]; then args+=(-k "$KUSTOMIZE"); fi
if [ -n "${SNAPSHOT_KEY-}" ]; then
	key=$(mktemp)
	trap 'rm -f "$key"' EXIT
	printf '%s\n' "$SNAPSHOT_KEY" >"$key"
	args+=("--snapshot-key=$key")
fi

code=0
ssactl "${args[@]}" -o github -o "markdown=$REPORTS/ssactl.md" -o "sarif=$REPORTS/ssactl.sarif" -o "junit=$REPORTS/ssactl.xml" || code=$?
{
	echo "exit-code=$code"
	echo "reports=$REPORTS"
	if [ -s "$REPORTS/ssactl.md" ]; then echo "written=true"; fi
} >>"$GITHUB_OUTPUT"
