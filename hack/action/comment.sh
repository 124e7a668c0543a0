#!/usr/bin/env bash
# Writes the report as a comment of the pull request: anew into the one of an earlier
# run, which begins with a mark that nobody sees, or else as a new one.
set -euo pipefail

id=$(gh api "repos/$GH_REPO/issues/$NUMBER/comments" --paginate \
	--jq '.[] | select(.user.type == "Bot" and (.body | startswith("<!-- ssactl -->"))) | .id' | sed -n 1p)
if [ -n "$id" ]; then
	gh api --silent --method PATCH "repos/$GH_REPO/issues/comments/$id" -F "body=@$REPORTS/ssactl.md"
else
	gh api --silent --method POST "repos/$GH_REPO/issues/$NUMBER/comments" -F "body=@$REPORTS/ssactl.md"
fi
