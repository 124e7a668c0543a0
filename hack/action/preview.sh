#!/bin/sh
# The preview of a change in any system of CI: runs ssactl once, and leaves its reports in a
# folder: comment.md (empty where there is nothing to say), ssactl.md, report.json,
# ssactl.sarif, ssactl.xml (JUnit) and codequality.json.
#
# What is previewed is described by the flags of ssactl, each as the variable of its name:
# SSACTL_CLIENT, SSACTL_LIVE, SSACTL_FAIL_ON and the others of 'ssactl help settings'. In
# action.yml, which sets REPORTS, they are the inputs, without SSACTL_. No value is read as a
# part of this script. Of this script alone are:
#
# MANIFESTS         manifest files or directories, one a line (default: manifests)
# KUSTOMIZE         a directory with a kustomization
# PREVIEW_TRUSTED   paths, one a line, to take from the branch that the change goes to: they
#                   are put into the folder trusted/, which the change cannot edit
# PREVIEW_REPORTS   the folder of the reports (default: reports)
#
# The manifests before the change are those of SSACTL_BASE or SSACTL_BASE_REF (none for
# neither), or else of the commit that the change starts from, in GitHub, GitLab, Gitea,
# Jenkins, Azure Pipelines, Buildkite and Bitbucket. The exit code is that of ssactl; in
# action.yml it is an output.
set -eu

newline='
'
action=
if [ -n "${REPORTS-}" ]; then action=1; fi
reports=${REPORTS:-${PREVIEW_REPORTS:-reports}}

# fail WHY...: ends the preview without an answer
fail() {
	if [ -n "$action" ]; then
		printf '::error title=ssactl::%s\n' "$*" >&2
	else
		printf 'ssactl preview: %s\n' "$*" >&2
	fi
	exit 2
}

# notice WHAT...
notice() {
	if [ -n "$action" ]; then
		printf '::notice title=ssactl::%s\n' "$*"
	else
		printf 'ssactl preview: %s\n' "$*" >&2
	fi
}

# given NAME: the value of an input; names are those below, and no values
given() {
	variable=$(printf %s "$1" | tr 'a-z-' 'A-Z_')
	if [ -z "$action" ]; then variable=SSACTL_$variable; fi
	eval "printf '%s\n' \"\${$variable-}\""
}

# refuse NAME WHY: a value that is refused is shown without what could begin a command
refuse() {
	fail "$1: $(given "$1" | tr -d '\n' | tr -c 'A-Za-z0-9@._-' '?') $2"
}

# switch NAME...: a value that is neither true nor false would count as false
switch() {
	for name in "$@"; do
		case $(given "$name") in
		"" | true | false) ;;
		*) refuse "$name" "is neither true nor false" ;;
		esac
	done
}
switches='assume-absent force-conflicts take-ownership force-replace create-namespace rollback-on-failure prune force
	recursive namespace-strict require-schema fail-on-existing'
# shellcheck disable=SC2086 # names, one a word
switch $switches
if [ -n "$action" ]; then switch comment sarif; fi

client=$(given client)
case ${client%%@*} in
"" | auto | none | kubectl | helm | argocd | flux | terraform) ;;
*) refuse client "is not known: auto, none, kubectl, helm, argocd, flux or terraform" ;;
esac

# fetch REF: a branch or a commit of the repository, by a name that is no option
fetch() {
	git fetch --quiet --no-tags --depth 1 origin "$1" || fail "cannot fetch what the change goes to or starts from"
}

# commit NAME: it is the whole name of a commit
commit() {
	case $1 in "" | *[!0-9a-f]*) return 1 ;; esac
	[ "${#1}" -eq 40 ] || [ "${#1}" -eq 64 ]
}

# target: the branch that the change goes to, as refs/heads/…; nothing where there is no change
target() {
	branch=${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-${CHANGE_TARGET:-${SYSTEM_PULLREQUEST_TARGETBRANCH:-}}}
	branch=${branch:-${BITBUCKET_PR_DESTINATION_BRANCH:-${GITHUB_BASE_REF:-}}}
	if [ -z "$branch" ] && [ "${BUILDKITE_PULL_REQUEST:-false}" != false ]; then
		branch=${BUILDKITE_PULL_REQUEST_BASE_BRANCH:-}
	fi
	if [ -n "$branch" ]; then printf 'refs/heads/%s\n' "${branch#refs/heads/}"; fi
}

# changes: this is the build of a change
changes() {
	if [ -n "$action" ]; then
		[ -n "${BASE_SHA-}" ]
	else
		[ -n "${CI_MERGE_REQUEST_DIFF_BASE_SHA-}$(target)" ]
	fi
}

# tracked: git has all manifests
tracked() {
	while IFS= read -r line; do
		if [ -n "$line" ] && ! git ls-files --error-unmatch -- ":(literal)$line" >/dev/null 2>&1; then return 1; fi
	done <<-END
		$manifests
		${KUSTOMIZE-}
	END
}

# start: the commit that the change starts from; nothing where there is no change
start() {
	if [ -n "$action" ]; then
		# GitHub checks out the merge of the two, whose first parent it is.
		if git rev-parse --quiet --verify 'HEAD^2^{commit}' >/dev/null; then
			git rev-parse 'HEAD^1'
		elif ! git merge-base HEAD "$BASE_SHA" 2>/dev/null; then
			fail "the commit that the pull request starts from is not fetched: give actions/checkout fetch-depth: 2, or the input base"
		fi
	elif [ -n "${CI_MERGE_REQUEST_DIFF_BASE_SHA-}" ]; then
		commit "$CI_MERGE_REQUEST_DIFF_BASE_SHA" || fail "CI_MERGE_REQUEST_DIFF_BASE_SHA is no commit"
		if ! git cat-file -e "$CI_MERGE_REQUEST_DIFF_BASE_SHA^{commit}" 2>/dev/null; then
			fetch "$CI_MERGE_REQUEST_DIFF_BASE_SHA"
		fi
		printf '%s\n' "$CI_MERGE_REQUEST_DIFF_BASE_SHA"
	elif [ -n "$(target)" ]; then
		git fetch --quiet --no-tags origin "$(target)" || fail "cannot fetch the branch that the change goes to"
		if ! git merge-base HEAD FETCH_HEAD; then
			# A checkout of CI has often the last commit alone.
			git fetch --quiet --no-tags --unshallow origin HEAD 2>/dev/null || git fetch --quiet --no-tags origin
			git fetch --quiet --no-tags origin "$(target)"
			git merge-base HEAD FETCH_HEAD || fail "the change and the branch that it goes to have no commit in common"
		fi
	fi
}

manifests=${MANIFESTS-}
if [ -z "$action" ] && [ -z "$manifests${KUSTOMIZE-}" ]; then manifests=manifests; fi

base=$(given base)
base_ref=$(given base-ref)
if [ "$base" = none ]; then
	base=
	if [ -z "$action" ]; then unset SSACTL_BASE; fi
elif [ -z "$base$base_ref" ] && changes; then
	if tracked; then
		base_ref=$(start)
	else
		notice "the manifests are not in git, so that they are compared with none: the input base names those before the change"
	fi
fi

if [ -n "${PREVIEW_TRUSTED-}" ]; then
	[ -n "$(target)" ] || fail "PREVIEW_TRUSTED is taken from the branch that a change goes to, and this is the build of no change"
	fetch "$(target)"
	rm -rf trusted
	mkdir trusted
	while IFS= read -r line; do
		if [ -n "$line" ]; then
			GIT_LITERAL_PATHSPECS=1 git archive --format=tar FETCH_HEAD -- "$line" >trusted.tar ||
				fail "the branch that the change goes to has no $(printf %s "$line" | tr -c 'A-Za-z0-9@./_-' '?')"
			tar -xf trusted.tar -C trusted
		fi
	done <<-END
		$PREVIEW_TRUSTED
	END
	rm -f trusted.tar
fi

# The command line. Settings in a change's own files would judge the change.
set -- apply

# pass NAME...: each input as the flag of its name, with each line that is not empty
key=
trap 'if [ -n "$key" ]; then rm -f "$key"; fi' EXIT
if [ -n "$action" ]; then
	CONFIG=${CONFIG:-none}
	RECURSIVE=${RECURSIVE:-true}
	FIELD_MANAGER=${FIELD_MANAGER:-${MANAGER-}}
	# shellcheck disable=SC2034 # read by given
	BASE=$base BASE_REF=$base_ref
	for name in config client field-manager server-side release release-manifest override-manager ignore-path applyset \
		live crds policy base base-ref ignore-field fail-on namespace selector kubernetes-version server-version \
		server-preset server-flag validate $switches; do
		rest=$(given "$name")
		while [ -n "$rest" ]; do
			line=${rest%%"$newline"*}
			case $rest in *"$newline"*) rest=${rest#*"$newline"} ;; *) rest= ;; esac
			if [ -n "$line" ]; then set -- "$@" "--$name=$line"; fi
		done
	done
	if [ -n "${SNAPSHOT_KEY-}" ]; then
		key=$(mktemp)
		printf '%s\n' "$SNAPSHOT_KEY" >"$key"
		set -- "$@" "--snapshot-key=$key"
	fi
else
	export SSACTL_LIVE="${SSACTL_LIVE:-live}" SSACTL_CONFIG="${SSACTL_CONFIG:-none}" SSACTL_RECURSIVE="${SSACTL_RECURSIVE:-true}"
	if [ -n "$base_ref" ]; then export SSACTL_BASE_REF="$base_ref"; fi
fi
rest=$manifests
while [ -n "$rest" ]; do
	line=${rest%%"$newline"*}
	case $rest in *"$newline"*) rest=${rest#*"$newline"} ;; *) rest= ;; esac
	if [ -n "$line" ]; then set -- "$@" -f "$line"; fi
done
if [ -n "${KUSTOMIZE-}" ]; then set -- "$@" -k "$KUSTOMIZE"; fi

# Reports of an earlier run would be taken for those of this one.
mkdir -p "$reports"
for name in comment.md ssactl.md report.json ssactl.sarif ssactl.xml codequality.json; do rm -f "$reports/$name"; done
shown=text
if [ -n "$action" ]; then shown=github; fi
code=0
ssactl "$@" -o "$shown" -o "markdown=$reports/ssactl.md" -o "report=$reports/report.json" -o "sarif=$reports/ssactl.sarif" \
	-o "junit=$reports/ssactl.xml" -o "codequality=$reports/codequality.json" || code=$?
system=github
if [ -n "${CI_MERGE_REQUEST_IID-}" ]; then system=gitlab; fi
if [ -s "$reports/report.json" ]; then
	ssactl comment "$reports/report.json" --for "$system" >"$reports/comment.md.new" 2>/dev/null &&
		mv "$reports/comment.md.new" "$reports/comment.md"
fi
if [ -z "$action" ]; then exit "$code"; fi
{
	echo "exit-code=$code"
	echo "reports=$reports"
	if [ -s "$reports/ssactl.md" ]; then echo "written=true"; fi
} >>"$GITHUB_OUTPUT"
