package parity

import (
	"fmt"
	"sort"
	"strings"
)

// normalize takes out of both documents what differs between two runs of a real
// server. Each rule is one of the corpus README's.
func (d *differ) normalize(want, got any) {
	for _, document := range []any{want, got} {
		object, ok := document.(map[string]any)
		if !ok {
			continue
		}
		if object["kind"] == "Status" {
			d.normalizeStatus(object)
			continue
		}
		d.normalizeObject(object)
	}
	sameUnknownFields(want, got)
	sameQuota(want, got)
	sameLimits(want, got)
}

func (d *differ) normalizeObject(object map[string]any) {
	kind, _ := object["kind"].(string)
	if controllerStatusKinds[kind] {
		withoutControllerStatus(object)
	}
	switch kind {
	case "Service":
		d.normalizeService(object)
	case "Job":
		d.normalizeJob(object)
	case "Pod":
		d.normalizePod(object)
	case "CertificateSigningRequest":
		withoutRequester(object)
	}
	d.normalizeMetadata(object)
}

// normalizeMetadata takes out what the server gives an object when it stores
// it, and makes managedFields a set whose entries say whether they have a time.
func (d *differ) normalizeMetadata(object map[string]any) {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return
	}
	delete(metadata, "uid")
	delete(metadata, "resourceVersion")
	if hasLostOrder(object) {
		delete(metadata, "generation")
	}
	if !d.known.live {
		delete(metadata, "creationTimestamp")
		if name, _ := metadata["name"].(string); strings.HasSuffix(name, generatedMark) {
			delete(metadata, "name")
		}
	}
	if entries, ok := metadata["managedFields"].([]any); ok {
		metadata["managedFields"] = entrySet(entries)
	}
}

// hasLostOrder reports whether an object is an autoscaler at v1 whose metrics were stored
// in an order that it does not say: another one raises the generation.
func hasLostOrder(object map[string]any) bool {
	metrics := at(object, "metadata", "annotations")["autoscaling.alpha.kubernetes.io/metrics"]
	return object["apiVersion"] == "autoscaling/v1" && metrics != nil &&
		at(object, "spec")["targetCPUUtilizationPercentage"] != nil
}

// entrySet names each managed fields entry by what identifies it, as their
// order depends on the second in which each was written.
func entrySet(entries []any) map[string]any {
	byKey := map[string][]any{}
	for _, entry := range entries {
		fields, ok := entry.(map[string]any)
		if !ok {
			byKey["not an entry"] = append(byKey["not an entry"], entry)
			continue
		}
		_, fields["time"] = fields["time"]
		key := fmt.Sprint([]any{fields["manager"], fields["operation"], fields["apiVersion"], fields["subresource"]})
		byKey[key] = append(byKey[key], entry)
	}
	set := map[string]any{}
	for key, same := range byKey {
		sort.Slice(same, func(i, j int) bool { return compact(same[i]) < compact(same[j]) })
		for i, entry := range same {
			set[fmt.Sprintf("%s#%d", key, i)] = entry
		}
	}
	return set
}

// normalizeService takes out the addresses and ports that nobody asked for.
func (d *differ) normalizeService(object map[string]any) {
	spec, ok := object["spec"].(map[string]any)
	if !ok {
		return
	}
	d.withoutAllocated(spec, "clusterIP", "healthCheckNodePort")
	if addresses, ok := spec["clusterIPs"].([]any); ok {
		for _, address := range addresses {
			if !d.known.asked(address) {
				delete(spec, "clusterIPs")
			}
		}
	}
	ports, _ := spec["ports"].([]any)
	for _, port := range ports {
		if port, ok := port.(map[string]any); ok {
			d.withoutAllocated(port, "nodePort")
		}
	}
}

func (d *differ) withoutAllocated(fields map[string]any, names ...string) {
	for _, name := range names {
		if value, ok := fields[name]; ok && !d.known.asked(value) {
			delete(fields, name)
		}
	}
}

// tokenVolume is how the name of the volume begins that ServiceAccount admission
// adds to Pods.
const tokenVolume = "kube-api-access-"

// normalizePod takes out the random name of the volume with the Pod's token, and
// of its mounts.
func (d *differ) normalizePod(object map[string]any) {
	spec := at(object, "spec")
	lists := []any{spec["volumes"]}
	for _, list := range []string{"initContainers", "containers"} {
		containers, _ := spec[list].([]any)
		for _, container := range containers {
			fields, _ := container.(map[string]any)
			lists = append(lists, fields["volumeMounts"])
		}
	}
	for _, list := range lists {
		items, _ := list.([]any)
		for _, item := range items {
			fields, _ := item.(map[string]any)
			if name, _ := fields["name"].(string); strings.HasPrefix(name, tokenVolume) && !d.known.asked(name) {
				delete(fields, "name")
			}
		}
	}
}

// jobUIDLabels carry the uid of the Job.
var jobUIDLabels = []string{"controller-uid", "batch.kubernetes.io/controller-uid"}

// normalizeJob takes out the labels with the Job's uid, where no one asked for
// their values.
func (d *differ) normalizeJob(object map[string]any) {
	for _, path := range [][]string{
		{"metadata", "labels"},
		{"spec", "selector", "matchLabels"},
		{"spec", "template", "metadata", "labels"},
	} {
		if labels := at(object, path...); labels != nil {
			d.withoutAllocated(labels, jobUIDLabels...)
		}
	}
}

// withoutRequester takes out who asked for a certificate.
func withoutRequester(object map[string]any) {
	if spec := at(object, "spec"); spec != nil {
		for _, name := range []string{"username", "uid", "groups", "extra"} {
			delete(spec, name)
		}
	}
}

// at gives the map at a path, nil when there is none.
func at(object map[string]any, path ...string) map[string]any {
	for _, key := range path {
		object, _ = object[key].(map[string]any)
	}
	return object
}
