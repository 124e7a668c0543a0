#!/bin/sh
# Runs every fuzz target for a while, one after the other.
set -eu
for package in $(go list ./...); do
	for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
		echo "== $package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-20s}" -fuzzminimizetime 20x "$package"
	done
done
