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
	recursive namespace-strict require-schema fail-on-existing)
switch "${switches[@]}" comment sarif

CLIENT=${CLIENT-}
case ${CLIENT%%@*} in
"" | auto | none | kubectl | helm | argocd | flux | terraform) ;;
*) refuse client "is not known: auto, none, kubectl, helm, argocd, flux or terraform" ;;
esac

# The manifests before the change: those that are named, or else those of the commit that the
# pull request starts from, where git has the manifests. GitHub checks out the merge of the
# two, whose first parent it is.
if [ -z "${BASE-}${BASE_REF-}" ] && [ -n "${BASE_SHA-}" ]; then
	tracked=true
	while IFS= read -r line; do
		if [ -n "$line" ] && ! git ls-files --error-unmatch -- ":(literal)$line" >/dev/null 2>&1; then tracked=false; fi
	done <<<"${MANIFESTS-}
${KUSTOMIZE-}"
	if [ "$tracked" = false ]; then
		echo "::notice title=ssactl::the manifests are not in git, so that they are compared with none: the input base names those before the change"
	elif git rev-parse --quiet --verify 'HEAD^2^{commit}' >/dev/null; then
		BASE_REF=$(git rev-parse 'HEAD^1')
	elif ! BASE_REF=$(git merge-base HEAD "$BASE_SHA" 2>/dev/null); then
		echo "::error title=ssactl::the commit that the pull request starts from is not fetched: give actions/checkout fetch-depth: 2, or the input base" >&2
		exit 2
	fi
fi
if [ "${BASE-}" = none ]; then BASE=; fi

# Settings in a pull request's own files would judge the pull request.
CONFIG=${CONFIG:-none}
RECURSIVE=${RECURSIVE:-true}
FIELD_MANAGER=${FIELD_MANAGER:-${MANAGER-}}
pass config client field-manager server-side release release-manifest override-manager ignore-path applyset \
	live crds policy base base-ref ignore-field fail-on namespace selector kubernetes-version server-version server-preset server-flag validate
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
