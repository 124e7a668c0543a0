package server

import (
	"fmt"
	"net/http"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// What feature gates do not emulate of an older release: recordings of real
// servers (testdata/versions) show what that is. Accepted objects, managed
// fields and conflicts are theirs; what its validation says is worded as the
// newest release words it.

// laterWarnings are warnings that the newest release gives without a feature
// gate, by the minor version that began to.
var laterWarnings = map[string]int{
	"spec.externalIPs is deprecated and may no longer be implemented in some clusters": 36,
}

// asRelease makes an answer that of an older release, as far as it can, and
// says where it cannot.
func (r release) asRelease(response *api.Response) {
	if r == newest() {
		return
	}
	response.Warnings = slices.DeleteFunc(response.Warnings, func(text string) bool {
		return laterWarnings[text] > r.Minor
	})
	if response.Code == http.StatusUnprocessableEntity {
		response.Unsimulated = append(response.Unsimulated, api.Caveat{Kind: api.Version, Message: fmt.Sprintf(
			"Kubernetes %s may word this refusal differently, or see no reason for it: its validation is run as that of %s.",
			r.Name(), newest().Name())})
	}
}

// laterVersions are the group versions that came after a release: the merge
// schemas of the newest release have kinds of them, its own have none.
func (r release) laterVersions(own *mergeschema.Set) (map[schema.GroupVersion]bool, error) {
	later := map[schema.GroupVersion]bool{}
	if r == newest() {
		return later, nil
	}
	latest, err := mergeschema.Open(newest().Name())
	if err != nil {
		return nil, err
	}
	for _, kind := range latest.Kinds() {
		later[kind.GroupVersion()] = true
	}
	for _, kind := range own.Kinds() {
		delete(later, kind.GroupVersion())
	}
	return later, nil
}
