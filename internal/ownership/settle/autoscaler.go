package settle

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields"
	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/ownership"
	"github.com/ssactl/ssactl/internal/ownership/writers"
	"github.com/ssactl/ssactl/internal/report"
)

// autoscalers are those among the inputs that scale the object, where the write sets its
// replicas or there are several of them.
//
// What an autoscaler wants is known only in part: the number that it has set, or that its
// status has. Without either it is content within its bounds. Of several of one object that
// say nothing else, those without load want their minimum. If that is what another one wants,
// it has load, and wants a number between its bounds that no other one has.
func (w Write) autoscalers(before *ownership.Object) ([]other, bool) {
	claims := w.Claims.Scalers(w.Result.Target)
	if len(claims) == 0 || w.Result.Target.Subresource != "" || w.Result.Manager == writers.ControllerManager {
		return nil, true
	}
	if len(claims) == 1 && !w.touches(writers.Replicas) {
		return nil, true
	}
	wants := wanted(claims, before)
	var out []other
	for i, c := range claims {
		out = append(out, other{
			manager: c.Manager(), by: c.By, partial: wants[i].guessed,
			next: func(o *ownership.Object) (ownership.Next, bool) {
				now, has := replicasOf(o.Live)
				// Replicas of 0 turn a HorizontalPodAutoscaler off.
				if !has || now == 0 && !c.Scaling.FromZero {
					return ownership.Next{}, false
				}
				if wants[i].known {
					return scaledTo(o, c, now, wants[i].replicas)
				}
				return scaledTo(o, c, now, now)
			},
		})
	}
	return out, true
}

// want is the number of replicas that an autoscaler sets, as far as it is known.
type want struct {
	replicas       int64
	known, guessed bool
}

// wanted is what autoscalers of one object want.
func wanted(claims []writers.Claim, before *ownership.Object) []want {
	out := make([]want, len(claims))
	live, was := setByAutoscaler(before)
	if len(claims) == 1 && was {
		return []want{{replicas: live, known: true}}
	}
	for i, c := range claims {
		out[i] = want{replicas: c.Scaling.Desired, known: c.Scaling.Desired > 0}
		if len(claims) == 1 || out[i].known {
			continue
		}
		least := c.Scaling.Min
		out[i] = want{replicas: least, known: true}
		if slices.ContainsFunc(out[:i], func(w want) bool { return w.replicas == least }) {
			share := (c.Scaling.Max - least) * int64(i) / int64(len(claims)-1)
			out[i] = want{replicas: least + max(share, 0), known: true, guessed: true}
		}
	}
	return out
}

// scaledTo is an object that an autoscaler scales to a number, within its bounds; false where
// that is the number that it has.
func scaledTo(o *ownership.Object, c writers.Claim, now, want int64) (ownership.Next, bool) {
	next := c.Scaling.Within(want)
	if next == now {
		return ownership.Next{}, false
	}
	return scaled(o, c.Manager(), next)
}

// touches reports whether the write changes a field, or owns it afterwards.
func (w Write) touches(field string) bool {
	if slices.ContainsFunc(w.Result.Changes, func(c report.Change) bool { return c.Field == field }) {
		return true
	}
	return slices.ContainsFunc(managedfields.Of(w.Result.Object).Field(field), func(o managedfields.Owned) bool {
		return slices.ContainsFunc(o.By, func(e managedfields.Entry) bool { return e.Manager == w.Result.Manager })
	})
}

// setByAutoscaler is the live number of replicas, if it was written through the scale
// subresource alone, or nobody owns it.
func setByAutoscaler(before *ownership.Object) (int64, bool) {
	live, has := replicasOf(before.Live)
	if !has {
		return 0, false
	}
	for _, row := range before.Owners().Field(writers.Replicas) {
		for _, e := range row.By {
			kind := writers.ManagerKindOf(report.WriterOf(e), "")
			if kind.Kind != writers.Autoscaler || !kind.Certain {
				return 0, false
			}
		}
	}
	return live, true
}

func replicasOf(object map[string]any) (int64, bool) {
	switch n := fieldtree.Value(object, "spec", "replicas").(type) {
	case int64:
		return n, true
	case float64:
		return int64(n), true
	}
	return 0, false
}
