#!/bin/sh
# Writes what other tools install ssactl by, for a release whose archives are in a folder with
# their checksums.txt:
#
#	ssa.yaml                            the manifest of the Flux plug-in, for fluxcd/plugins
#	helm-ssa_VERSION_OS_ARCH/           the plug-in of Helm 4, a folder for each archive that is
#	                                    there; 'helm plugin package' makes an archive of it, and
#	                                    signs it with a PGP key: Helm installs none unsigned
#
# usage: plugins.sh VERSION FOLDER OUT     VERSION as 1.2.3, without v
set -eu
version=${1:?usage: plugins.sh VERSION FOLDER OUT}
folder=${2:?usage: plugins.sh VERSION FOLDER OUT}
out=${3:?usage: plugins.sh VERSION FOLDER OUT}
here=$(dirname "$0")
releases=https://github.com/ssactl/ssactl/releases/download
mkdir -p "$out"

# archives: each archive of the release with its checksum, system and machine
archives() {
	awk -v version="$version" '{
		file = $2
		if (index(file, "ssactl_" version "_") != 1) next
		rest = substr(file, length("ssactl_" version "_") + 1)
		if (sub(/\.tar\.gz$/, "", rest) == 0 && sub(/\.zip$/, "", rest) == 0) next
		split(rest, part, "_")
		print $1, file, part[1], part[2]
	}' "$folder/checksums.txt"
}

if [ -z "$(archives)" ]; then
	echo "plugins: the checksums in $folder name no archive of $version" >&2
	exit 1
fi

{
	cat <<-END
		apiVersion: cli.fluxcd.io/v1beta1
		kind: Plugin
		name: ssa
		description: Preview Server-Side Apply without a cluster
		homepage: https://github.com/ssactl/ssactl
		source: https://github.com/ssactl/ssactl
		bin: flux-ssa
		versions:
		  - version: $version
		    platforms:
	END
	archives | while read -r sum file os arch; do
		program=ssactl
		if [ "$os" = windows ]; then program=ssactl.exe; fi
		cat <<-END
			      - os: $os
			        arch: $arch
			        url: $releases/v$version/$file
			        checksum: sha256:$sum
			        extractPath: $program
		END
	done
} >"$out/ssa.yaml"

archives | while read -r sum file os arch; do
	if [ ! -f "$folder/$file" ]; then continue; fi
	plugin=$out/helm-ssa_${version}_${os}_$arch
	rm -rf "$plugin"
	mkdir -p "$plugin"
	sed "s/^version: VERSION$/version: $version/" "$here/../plugins/helm/plugin.yaml" >"$plugin/plugin.yaml"
	case $file in
	*.zip)
		unzip -q "$folder/$file" ssactl.exe LICENSE -d "$plugin"
		mv "$plugin/ssactl.exe" "$plugin/helm-ssa.exe"
		;;
	*)
		tar -xzf "$folder/$file" -C "$plugin" ssactl LICENSE
		mv "$plugin/ssactl" "$plugin/helm-ssa"
		;;
	esac
done
