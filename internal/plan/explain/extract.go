package explain

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/ssactl/ssactl/internal/engine"
	"github.com/ssactl/ssactl/internal/engine/extract"
	"github.com/ssactl/ssactl/internal/report"
)

// lastApplied puts together what an Apply manager applied last.
func (s *session) lastApplied(owner report.Writer) (engine.Write, any, error) {
	for _, e := range s.owners.Readable() {
		if e.Manager == owner.Manager && e.Operation == owner.Operation && e.Subresource == owner.Subresource && e.APIVersion == owner.APIVersion {
			return extract.Last(s.ctx, s.server, s.object(), e)
		}
	}
	return s.write, nil, fmt.Errorf("%s has no entry", owner.Manager)
}

// liveAt is the live object at another API version.
func (s *session) liveAt(kind schema.GroupVersionKind) (map[string]any, error) {
	return extract.LiveAt(s.ctx, s.server, s.object(), kind)
}

// object is the write with the live object of the session.
func (s *session) object() engine.Write {
	w := s.write
	w.LiveObject = s.live
	return w
}
