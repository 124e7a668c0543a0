package server

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	apiversion "k8s.io/apimachinery/pkg/util/version"

	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// releases are the Kubernetes releases that can be simulated, oldest first. The
// newest is the one whose code runs; older ones are emulated by its feature gates.
var releases = simulated()

// release is one of them.
type release struct{ mergeschema.Release }

func simulated() []release {
	var list []release
	for _, r := range mergeschema.Releases() {
		list = append(list, release{r})
	}
	return list
}

// newest is the release whose code is linked.
func newest() release { return releases[len(releases)-1] }

func (r release) emulation() *apiversion.Version {
	return apiversion.MajorMinor(1, uint(r.Minor))
}

// Versions lists the minor versions that can be simulated, newest first.
func Versions() []string {
	var names []string
	for _, r := range releases {
		names = append(names, r.Name())
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
		return newest(), nil
	}
	minor, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(version, "v"), "1."), ".")
	for _, r := range releases {
		if strconv.Itoa(r.Minor) == minor {
			return r, nil
		}
	}
	return release{}, fmt.Errorf("unknown Kubernetes version %q: known are %s", version, strings.Join(Versions(), ", "))
}
