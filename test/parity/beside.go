package parity

import (
	"encoding/json"
	"slices"

	"github.com/ssactl/ssactl/internal/server/api"
)

// DiffBeside reports how the statuses of the other objects that a request changed
// differ from the recorded ones; what else changes of them is who wrote them.
func DiffBeside(step Step, got api.Response) string {
	d := newDiffer(step)
	var names []string
	want, have := map[string]any{}, map[string]any{}
	for _, object := range step.Beside {
		names = append(names, besideName(object))
		want[besideName(object)] = statusOf(object)
	}
	for _, object := range got.Others {
		names = append(names, besideName(object))
		have[besideName(object)] = statusOf(object)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		d.values(name, want[name], have[name])
	}
	return d.String()
}

func besideName(object json.RawMessage) string {
	target := TargetOf(object)
	return target.Kind + " " + target.Namespace + "/" + target.Name
}

func statusOf(object json.RawMessage) any {
	value, _ := decode(object)
	fields, _ := value.(map[string]any)
	return fields["status"]
}
