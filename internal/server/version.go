package server

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	apiversion "k8s.io/apimachinery/pkg/util/version"
)

// The Kubernetes minor versions that can be simulated, oldest first, each with
// the patch release whose merge schemas are embedded. The newest is the one
// whose code runs; older ones are emulated by its feature gates.
var releases = []release{
	{minor: 33, patch: 13},
	{minor: 34, patch: 4},
	{minor: 35, patch: 4},
	{minor: 36, patch: 3},
}

// release is one Kubernetes release of major version 1.
type release struct {
	minor, patch int
}

// String writes the release as a server's version, "v1.36.3".
func (r release) String() string { return fmt.Sprintf("v1.%d.%d", r.minor, r.patch) }

// name is the minor version as people write it, "1.36".
func (r release) name() string { return "1." + strconv.Itoa(r.minor) }

func (r release) emulation() *apiversion.Version {
	return apiversion.MajorMinor(1, uint(r.minor))
}

// Versions lists the minor versions that can be simulated, newest first.
func Versions() []string {
	var names []string
	for _, r := range releases {
		names = append(names, r.name())
	}
	slices.Reverse(names)
	return names
}

// VersionOf is the version that a server with these options simulates, as
// "v1.36.3".
func VersionOf(opts Options) (string, error) {
	r, err := releaseOf(opts.KubernetesVersion)
	return r.String(), err
}

// releaseOf finds the release of a version as people write it: "1.34",
// "v1.34", "1.34.2"; empty means the newest.
func releaseOf(version string) (release, error) {
	if version == "" {
		return releases[len(releases)-1], nil
	}
	minor, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(version, "v"), "1."), ".")
	for _, r := range releases {
		if strconv.Itoa(r.minor) == minor {
			return r, nil
		}
	}
	return release{}, fmt.Errorf("unknown Kubernetes version %q: known are %s", version, strings.Join(Versions(), ", "))
}
