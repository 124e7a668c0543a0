package schema

import (
	"fmt"
	"strconv"
)

// Release is one Kubernetes release of major version 1.
type Release struct {
	Minor, Patch int
}

// releases are the only list of the releases that are simulated, oldest first:
// the minor versions, each with the patch release whose definitions are embedded.
var releases = []Release{
	{Minor: 34, Patch: 4},
	{Minor: 35, Patch: 4},
	{Minor: 36, Patch: 3},
	{Minor: 37, Patch: 2},
}

// Releases lists the releases that are embedded, oldest first. The slice is the
// caller's own.
func Releases() []Release { return append([]Release(nil), releases...) }

// Newest is the release whose code is linked.
func Newest() Release { return releases[len(releases)-1] }

// String writes the release as a server's version, "v1.36.3".
func (r Release) String() string { return fmt.Sprintf("v1.%d.%d", r.Minor, r.Patch) }

// Before reports whether the release came earlier than another.
func (r Release) Before(other Release) bool {
	return r.Minor < other.Minor || r.Minor == other.Minor && r.Patch < other.Patch
}

// Name is the minor version as people write it, "1.36".
func (r Release) Name() string { return "1." + strconv.Itoa(r.Minor) }
