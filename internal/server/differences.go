package server

import (
	"fmt"
	"maps"
	"net/http"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/server/api"
	mergeschema "github.com/ssactl/ssactl/internal/server/schema"
)

// difference is a difference between the answers of some releases and of the server that
// runs, which emulation does not cover.
type difference struct {
	// since is the first release that does; the zero value is the oldest.
	since mergeschema.Release
	// until is the first one that does not.
	until mergeschema.Release
	// what follows "Kubernetes 1.36.1".
	what string
	// concerns says which answers may be another.
	concerns func(api.Answered) bool
	// source is where upstream says it.
	source string
}

// differences are the only list of them.
var differences = []difference{
	{
		until: mergeschema.Release{Minor: newest().Minor},
		what:  "may word this refusal differently, or see no reason for it: the code of " + newest().Name() + " runs.",
		concerns: func(a api.Answered) bool {
			return a.Code == http.StatusUnprocessableEntity || a.Code == http.StatusBadRequest
		},
		source: "validation changes without feature gates (testdata/versions)",
	}, {
		since: mergeschema.Release{Minor: 36},
		until: mergeschema.Release{Minor: 36, Patch: 3},
		what:  "keeps an object or a list empty where this apply takes its last field or item away, and may refuse that with 422: here it is null or gone.",
		concerns: func(a api.Answered) bool {
			return a.Verb == api.Apply && a.Stored != nil && sameVersion(a) && emptied(a.Live, a.Stored)
		},
		source: "structured-merge-diff v6.3.2, reverted in v6.3.3; kubernetes/kubernetes#140294",
	}, {
		until:    mergeschema.Release{Minor: 37},
		what:     "removes all managed fields, as it cannot work out those of this write: here they stay as they were.",
		concerns: untracked,
		source:   "apimachinery, pkg/util/managedfields: UpdateNoErrors; testdata/versions/1.36.jsonl.gz",
	}, {
		until:    mergeschema.Release{Minor: 35},
		what:     "takes metadata from a write to the status of a ResourceClaim: here they stay.",
		concerns: writes(schema.GroupKind{Group: "resource.k8s.io", Kind: "ResourceClaim"}, "status"),
		source:   "testdata/versions/1.34.jsonl.gz",
	}, {
		until:    mergeschema.Release{Minor: 35},
		what:     "keeps the tolerations of a ResourceClaimTemplate though their feature gate is off: here they are dropped.",
		concerns: writes(schema.GroupKind{Group: "resource.k8s.io", Kind: "ResourceClaimTemplate"}, ""),
		source:   "testdata/versions/1.34.jsonl.gz",
	},
}

// writes are accepted writes to a kind.
func writes(kind schema.GroupKind, subresource string) func(api.Answered) bool {
	return func(a api.Answered) bool {
		return a.Kind.GroupKind() == kind && a.Subresource == subresource && a.Stored != nil
	}
}

// untracked are updates and patches that change the object and leave its managed fields.
func untracked(a api.Answered) bool {
	if a.Verb == api.Apply || a.Verb == api.Delete || a.Live == nil || a.Stored == nil || !sameVersion(a) {
		return false
	}
	before, after := entriesOf(a.Live), entriesOf(a.Stored)
	return len(before) > 0 && equality.Semantic.DeepEqual(before, after) &&
		!equality.Semantic.DeepEqual(besideMetadata(a.Live), besideMetadata(a.Stored))
}

func entriesOf(object map[string]any) []any {
	metadata, _ := object["metadata"].(map[string]any)
	entries, _ := metadata["managedFields"].([]any)
	return entries
}

// besideMetadata is an object without its version and metadata.
func besideMetadata(object map[string]any) map[string]any {
	out := maps.Clone(object)
	delete(out, "apiVersion")
	delete(out, "metadata")
	return out
}

func sameVersion(a api.Answered) bool { return a.Live["apiVersion"] == a.Stored["apiVersion"] }

// emptied reports whether a map or list with content is empty or gone afterwards. Items of
// lists are compared by position.
func emptied(before, after any) bool {
	switch before := before.(type) {
	case map[string]any:
		after, _ := after.(map[string]any)
		for key, value := range before {
			if len(after) == 0 || emptied(value, after[key]) {
				return true
			}
		}
	case []any:
		after, _ := after.([]any)
		for i, item := range before {
			if len(after) == 0 || i < len(after) && emptied(item, after[i]) {
				return true
			}
		}
	}
	return false
}

// Runs says what the servers of the cluster are, as they say it themselves. No call is
// to run meanwhile.
func (s *Server) Runs(version string) {
	if v, ok := parseVersion(version); ok {
		s.runs = append(s.runs, v)
	}
}

var _ api.Differing = (*Server)(nil)

// Differences says what the release of the cluster answers differently.
func (s *Server) Differences(a api.Answered) []api.Caveat {
	versions := s.runs
	if len(versions) == 0 {
		versions = []clusterVersion{{Release: s.release, text: s.release.Name()}}
	}
	var out []api.Caveat
	for _, v := range versions {
		if v.Minor != s.release.Minor {
			out = append(out, s.otherRelease(v))
			continue
		}
		for _, d := range differences {
			if !v.Before(d.since) && v.Before(d.until) && d.concerns(a) {
				out = append(out, api.Caveat{Kind: api.Version, Message: fmt.Sprintf("Kubernetes %s %s", v.text, d.what)})
			}
		}
	}
	return out
}

// otherRelease is the caveat of an answer that is not the cluster's.
func (s *Server) otherRelease(v clusterVersion) api.Caveat {
	c := api.Caveat{Kind: api.Version, Rule: api.OtherRelease}
	if own, ok := v.release(); ok {
		c.Nearest = own.Name()
		c.Message = fmt.Sprintf("The cluster runs Kubernetes %s: this is the answer of %s.", v.text, s.release.Name())
		return c
	}
	c.Message = fmt.Sprintf(
		"The cluster runs Kubernetes %s, which is not simulated: this is the answer of %s.",
		v.text,
		s.release.Name(),
	)
	return c
}
