package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/ssactl/ssactl/test/parity"
)

// counting are the kinds of objects that a server changes when others are written.
var counting = []string{"ResourceQuota", "PodDisruptionBudget"}

// Beside notes which of the objects that a scenario has written a step changed
// besides its own. A server may do so a moment after it has answered.
func (r *Recorder) Beside(ctx context.Context, scenario parity.Scenario, step *parity.Step) error {
	step.Beside = nil
	known := map[parity.Target]json.RawMessage{}
	for _, object := range scenario.ObjectsAt(len(scenario.Steps)) {
		known[parity.TargetOf(object)] = object
	}
	for target, before := range known {
		if !slices.Contains(counting, target.Kind) || target.Namespace != step.Target.Namespace || target == step.Target {
			continue
		}
		path, err := parity.ParsePath(pathOf(scenario, target))
		if err != nil {
			return err
		}
		after, err := r.live(ctx, path, target.Name)
		if err != nil {
			return err
		}
		if !parity.IsNull(after) && !bytes.Equal(after, before) {
			step.Beside = append(step.Beside, after)
		}
	}
	slices.SortFunc(step.Beside, func(a, b json.RawMessage) int { return bytes.Compare(a, b) })
	return nil
}

// pathOf is where a scenario has written an object.
func pathOf(scenario parity.Scenario, target parity.Target) string {
	for _, step := range scenario.Steps {
		if step.Target == target {
			return step.Request.Path
		}
	}
	return ""
}
