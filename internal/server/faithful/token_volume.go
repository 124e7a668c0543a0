package faithful

import (
	"bytes"
	"fmt"
	"strings"

	"k8s.io/kubernetes/plugin/pkg/admission/serviceaccount"
)

// tokenVolume removes the name of the volume that ServiceAccount admission adds to
// a new Pod, wherever the Pod has it: its end is random.
func (t *taker) tokenVolume(pod map[string]any) {
	spec, _ := pod["spec"].(map[string]any)
	for i, volume := range items(spec, "volumes") {
		name, _ := volume["name"].(string)
		if !strings.HasPrefix(name, serviceaccount.ServiceAccountVolumeName+"-") || bytes.Contains(t.call.Body, []byte(name)) {
			continue
		}
		t.take(volume, fmt.Sprintf(".spec.volumes[%d]", i), "name")
		for _, list := range []string{"initContainers", "containers"} {
			t.tokenMounts(spec, list, name)
		}
	}
}

func (t *taker) tokenMounts(spec map[string]any, list, volume string) {
	for _, container := range items(spec, list) {
		for i, mount := range items(container, "volumeMounts") {
			if mount["name"] == volume {
				t.take(mount, fmt.Sprintf(".spec.%s[name=%q].volumeMounts[%d]", list, container["name"], i), "name")
			}
		}
	}
}

// items are the objects of a list; none where there is no list.
func items(object map[string]any, list string) []map[string]any {
	all, _ := object[list].([]any)
	var out []map[string]any
	for _, item := range all {
		if item, ok := item.(map[string]any); ok {
			out = append(out, item)
		}
	}
	return out
}
