package faithful

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// What feature gates do not emulate of an older release, and the code here does. The
// table of differences lists the rest.

// laterWarnings are warnings that the newest release gives without a feature
// gate, by the minor version that began to.
var laterWarnings = map[string]int{
	"spec.externalIPs is deprecated and may no longer be implemented in some clusters": 36,
}

// AsRelease makes an answer that of an older release, as far as it can.
func AsRelease(r mergeschema.Release, response *api.Response) {
	if r == mergeschema.Newest() {
		return
	}
	response.Warnings = slices.DeleteFunc(response.Warnings, func(text string) bool {
		return laterWarnings[text] > r.Minor
	})
}

// latestOf are the merge schemas of the newest release; nil where that is this one.
func latestOf(r mergeschema.Release) (*mergeschema.Set, error) {
	if r == mergeschema.Newest() {
		return nil, nil
	}
	return mergeschema.Open(mergeschema.Newest().Name())
}

// laterVersions are the group versions that came after a release: the newest merge
// schemas have kinds of them, its own have none.
func laterVersions(latest, own *mergeschema.Set) map[schema.GroupVersion]bool {
	later := map[schema.GroupVersion]bool{}
	if latest == nil {
		return later
	}
	for _, kind := range latest.Kinds() {
		later[kind.GroupVersion()] = true
	}
	for _, kind := range own.Kinds() {
		delete(later, kind.GroupVersion())
	}
	return later
}
