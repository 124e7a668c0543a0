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
	{Minor: 33, Patch: 13},
	{Minor: 34, Patch: 4},
	{Minor: 35, Patch: 4},
	{Minor: 36, Patch: 3},
}

// Releases lists the releases that are embedded, oldest first. The newest is the
// one whose code is linked. The slice is the caller's own.
func Releases() []Release { return append([]Release(nil), releases...) }

// String writes the release as a server's version, "v1.36.3".
func (r Release) String() string { return fmt.Sprintf("v1.%d.%d", r.Minor, r.Patch) }

// Name is the minor version as people write it, "1.36".
func (r Release) Name() string { return "1." + strconv.Itoa(r.Minor) }
