package server

import (
	"fmt"
	"regexp"
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
func newest() release { return release{mergeschema.Newest()} }

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

// Releases lists the releases that can be simulated, newest first, as "v1.36.3": the
// first is linked, the others are emulated with what they publish of their kinds.
func Releases() []string {
	var names []string
	for _, r := range releases {
		names = append(names, r.String())
	}
	slices.Reverse(names)
	return names
}

// VersionOf is the version that a server with these options simulates, as
// "v1.36.3".
func VersionOf(opts Options) (string, error) {
	r, _, err := opts.version()
	return r.String(), err
}

// version is the release that a server with these options simulates, and what the
// cluster runs as far as they say it.
func (o Options) version() (release, []clusterVersion, error) {
	r, err := releaseOf(o.KubernetesVersion)
	if err != nil {
		return release{}, nil, err
	}
	if o.ClusterVersion == "" {
		return r, exactly(o.KubernetesVersion), nil
	}
	runs, ok := parseVersion(o.ClusterVersion)
	if !ok {
		return release{}, nil, fmt.Errorf("%q is no version of a cluster, such as %s: %s can be simulated", o.ClusterVersion, newest(), strings.Join(Versions(), ", "))
	}
	if own, ok := runs.release(); ok && o.KubernetesVersion == "" {
		r = own
	}
	return r, []clusterVersion{runs}, nil
}

// releaseOf finds the release of a version as people write it: "1.34",
// "v1.34", "1.34.2"; empty means the newest.
func releaseOf(version string) (release, error) {
	if version == "" {
		return newest(), nil
	}
	if parsed, ok := parseVersion(version); ok {
		if r, ok := parsed.release(); ok {
			return r, nil
		}
	}
	return release{}, fmt.Errorf("unknown Kubernetes version %q: known are %s", version, strings.Join(Versions(), ", "))
}

// clusterVersion is what the servers of a cluster are.
type clusterVersion struct {
	mergeschema.Release
	// text is how it was given, without its "v".
	text string
	// exact is false for a minor version.
	exact bool
}

var versionText = regexp.MustCompile(`^v?(1\.(\d{1,3})(?:\.(\d{1,3})(?:[-+][-+.0-9A-Za-z]+)?)?)$`)

// parseVersion reads a version as people, kubectl and distributions write it.
func parseVersion(text string) (clusterVersion, bool) {
	parts := versionText.FindStringSubmatch(text)
	if parts == nil {
		return clusterVersion{}, false
	}
	v := clusterVersion{text: parts[1], exact: parts[3] != ""}
	// The expression bounds the digits.
	v.Minor, _ = strconv.Atoi(parts[2])
	v.Patch, _ = strconv.Atoi(parts[3])
	return v, true
}

// exactly is a version that names a patch release; nil for another.
func exactly(text string) []clusterVersion {
	if v, ok := parseVersion(text); ok && v.exact {
		return []clusterVersion{v}
	}
	return nil
}

// release is the one that simulates the version.
func (v clusterVersion) release() (release, bool) {
	i := slices.IndexFunc(releases, func(r release) bool { return r.Minor == v.Minor })
	if i < 0 {
		return release{}, false
	}
	return releases[i], true
}
