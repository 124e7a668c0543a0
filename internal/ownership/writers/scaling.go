package writers

import (
	"slices"

	"github.com/ssactl/ssactl/internal/managedfields/fieldtree"
	"github.com/ssactl/ssactl/internal/report"
)

// Scaling is what an autoscaler says of the replicas of its object.
type Scaling struct {
	// Min and Max are its bounds. Desired is the number that its status has; 0 for none.
	Min, Max, Desired int64
	// FromZero: it scales an object that has no replicas. Paused: it scales nothing; the
	// controller stops autoscalers of the same pods too, and says so in their status.
	FromZero, Paused bool
	// Of names the autoscaler that made this one; empty for none.
	Of string
}

// ByAutoscaler reports whether an entry of a manager and a subresource is that of a HorizontalPodAutoscaler,
// which writes as the built-in controllers do.
func ByAutoscaler(manager, subresource string) bool {
	return manager == ControllerManager && subresource == "scale"
}

// Within is a number within the bounds.
func (s Scaling) Within(n int64) int64 { return min(max(n, s.Min), max(s.Max, s.Min)) }

// hpaScaling is that of a HorizontalPodAutoscaler. One that KEDA made is its ScaledObject's.
func hpaScaling(object map[string]any) Scaling {
	s := Scaling{Min: numberOr(1, object, "spec", "minReplicas")}
	s.Max = numberOr(s.Min, object, "spec", "maxReplicas")
	s.FromZero = s.Min == 0
	s.Desired = numberOr(0, object, "status", "desiredReplicas")
	conditions, _ := fieldtree.Value(object, "status", "conditions").([]any)
	for _, c := range conditions {
		if condition, _ := c.(map[string]any); condition["reason"] == "AmbiguousSelector" {
			s.Paused = true
		}
	}
	owners, _ := fieldtree.Value(object, "metadata", "ownerReferences").([]any)
	for _, o := range owners {
		if owner, _ := o.(map[string]any); owner["kind"] == "ScaledObject" {
			name, _ := owner["name"].(string)
			s.Of = "ScaledObject " + name
		}
	}
	return s
}

// kedaScaling is that of a ScaledObject, with the defaults of KEDA.
func kedaScaling(object map[string]any) Scaling {
	annotations, _ := fieldtree.Value(object, "metadata", "annotations").(map[string]any)
	paused, has := annotations["autoscaling.keda.sh/paused"]
	_, at := annotations["autoscaling.keda.sh/paused-replicas"]
	return Scaling{
		Min: numberOr(0, object, "spec", "minReplicaCount"), Max: numberOr(100, object, "spec", "maxReplicaCount"),
		FromZero: true, Paused: has && paused != "false" || at,
	}
}

func numberOr(otherwise int64, object map[string]any, path ...string) int64 {
	switch n := fieldtree.Value(object, path...).(type) {
	case int64:
		return n
	case float64:
		return int64(n)
	}
	return otherwise
}

// Scalers are the claims of the autoscalers that scale an object, in the order in which they
// were added. One that another one made is that one, with the number that it wants.
func (c Claims) Scalers(t report.Target) []Claim {
	var out []Claim
	of := c.Of(t)
	for _, claim := range of {
		made := func(other Claim) bool { return other.By == claim.Scaling.Of }
		// One that is live and among the manifests is there twice.
		twice := func(other Claim) bool { return other.By == claim.By }
		if claim.Kind != Scales || claim.Goes || claim.Scaling.Paused || slices.ContainsFunc(of, made) ||
			slices.ContainsFunc(out, twice) {
			continue
		}
		for _, other := range of {
			if other.Scaling.Of == claim.By {
				claim.Scaling.Desired = other.Scaling.Desired
			}
		}
		out = append(out, claim)
	}
	return out
}
