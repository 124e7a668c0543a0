package cluster

import (
	"github.com/ssactl/ssactl/internal/input/live"
	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/report"
	"github.com/ssactl/ssactl/internal/run/input"
)

func BlameTarget(o *live.Object) report.Target {
	return report.Target{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Key.Namespace, Name: o.Name}
}

// Shape is that of the object's merge type. It is zero for an unknown kind, whose
// entries show how its lists are split.
func (c *Cluster) Shape(o *live.Object) managedfields.Shape {
	t := c.Server.Types(input.KindOf(o.Identity))
	if t.Deduced {
		return managedfields.Shape{}
	}
	return managedfields.ShapeOf(t.ParseableType)
}

// Targets gives the pairs of a write without a manifest.
func (c *Cluster) Targets(wanted []input.ObjectName) ([]Pair, error) {
	if len(c.Manifests) > 0 {
		return c.Pairs(), nil
	}
	objects, err := c.Named(wanted)
	if err != nil {
		return nil, err
	}
	var pairs []Pair
	for _, o := range objects {
		p := Pair{Document: o.Document, Key: o.Key}
		p.Live, p.Err = c.Live.Get(o.Key)
		pairs = append(pairs, p)
	}
	return pairs, nil
}

func FirstError(first, next error) error {
	if first != nil {
		return first
	}
	return next
}
