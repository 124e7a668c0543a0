#!/bin/sh
# Keeps one comment of a pull request up to date: that of an earlier run is found by its first
# line, which does not show, and gets the new text; where the file is empty, there is nothing
# to say, and the comment is removed. Without the file nothing is known, and nothing is done.
#
# usage: comment.sh github|gitlab|gitea FILE
#
# github  GH_REPO, NUMBER, GH_TOKEN, by gh
# gitlab  CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID, SSACTL_NOTES_TOKEN, by curl and jq
# gitea   GITEA_URL (such as https://gitea.example.com), GITEA_REPO (owner/name), NUMBER,
#         GITEA_TOKEN, by curl and jq; Forgejo alike
set -eu

system=${1:?usage: comment.sh github|gitlab|gitea FILE}
file=${2:?usage: comment.sh github|gitlab|gitea FILE}
if [ ! -e "$file" ]; then
	echo "comment: there is no $file: nothing is done" >&2
	exit 0
fi
marker='<!-- ssactl -->'

# number VALUE: what becomes a part of an address
number() {
	case $1 in
	"" | *[!0-9]*)
		echo "comment: the number of the pull request is none" >&2
		exit 2
		;;
	esac
}

# call METHOD ADDRESS [FILE]: the API of GitLab or Gitea. The token is no argument, which others
# on the machine could read.
call() {
	printf 'header = "%s"\n' "$header" |
		curl --config - --fail --silent --show-error --request "$1" ${3:+--header 'Content-Type: application/json'} \
			${3:+--data "@$3"} "$2"
}

# found FILTER: of comments on standard input, the first one of the token's own that is ours
found() {
	jq -r --arg me "$me" --arg marker "$marker" "map(select($1 and (.body | startswith(\$marker)))) | .[0].id // empty"
}

# ours FILTER ADDRESS KEY: the same over all pages
ours() {
	page=1
	while :; do
		call GET "$2?page=$page&$3=50" >"$list"
		id=$(found "$1" <"$list")
		if [ -n "$id" ] || [ "$(jq length <"$list")" -lt 50 ] || [ "$page" -ge 40 ]; then break; fi
		page=$((page + 1))
	done
	printf '%s\n' "$id"
}

# keep ADDRESS-OF-ALL ADDRESS-OF-ONE ID METHOD
keep() {
	jq -Rs '{body: .}' <"$file" >"$body"
	if [ -n "$3" ] && [ -s "$file" ]; then
		call "$4" "$2/$3" "$body" >/dev/null
	elif [ -n "$3" ]; then
		call DELETE "$2/$3" >/dev/null
	elif [ -s "$file" ]; then
		call POST "$1" "$body" >/dev/null
	fi
}

if [ "$system" != github ]; then
	list=$(mktemp)
	body=$(mktemp)
	trap 'rm -f "$list" "$body"' EXIT
fi

case $system in
github)
	number "$NUMBER"
	ids=$(gh api "repos/$GH_REPO/issues/$NUMBER/comments" --paginate \
		--jq '.[] | select(.user.type == "Bot" and (.body | startswith("<!-- ssactl -->"))) | .id')
	id=$(printf '%s\n' "$ids" | sed -n 1p)
	if [ -n "$id" ] && [ -s "$file" ]; then
		gh api --silent --method PATCH "repos/$GH_REPO/issues/comments/$id" -F "body=@$file"
	elif [ -n "$id" ]; then
		gh api --silent --method DELETE "repos/$GH_REPO/issues/comments/$id"
	elif [ -s "$file" ]; then
		gh api --silent --method POST "repos/$GH_REPO/issues/$NUMBER/comments" -F "body=@$file"
	fi
	;;
gitlab)
	number "$CI_MERGE_REQUEST_IID"
	header="PRIVATE-TOKEN: $SSACTL_NOTES_TOKEN"
	call GET "$CI_API_V4_URL/user" >"$list"
	me=$(jq -r .id <"$list")
	notes=$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes
	# shellcheck disable=SC2016 # $me is jq's
	id=$(ours '.system == false and (.author.id | tostring) == $me' "$notes" per_page)
	keep "$notes" "$notes" "$id" PUT
	;;
gitea)
	number "$NUMBER"
	header="Authorization: token $GITEA_TOKEN"
	call GET "$GITEA_URL/api/v1/user" >"$list"
	me=$(jq -r .id <"$list")
	issues=$GITEA_URL/api/v1/repos/$GITEA_REPO/issues
	# shellcheck disable=SC2016 # $me is jq's
	id=$(ours '(.user.id | tostring) == $me' "$issues/$NUMBER/comments" limit)
	keep "$issues/$NUMBER/comments" "$issues/comments" "$id" PATCH
	;;
*)
	echo "comment: $system is not known: github, gitlab or gitea" >&2
	exit 2
	;;
esac
