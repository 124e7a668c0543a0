package faithful

import (
	"bytes"
	gojson "encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/json"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/plugin/pkg/admission/serviceaccount"

	"github.com/ssactl/ssactl/internal/server/api"
)

// Placeholders are values that the server's code needs and live objects may lack, such as
// exported ones. Without a uid the server would see a create.
const (
	placeholderUID     = "00000000-0000-4000-8000-000000000000"
	placeholderVersion = "1"
)

// Placeholders remembers which of them a live object has.
type Placeholders struct {
	Live                    []byte
	uid, version, namespace bool
	// healthCheck is the port of the health check of a Service: without it, the server's
	// code refuses what keeps the rest.
	healthCheck bool
	// Ports are those of Services.
	Ports utilnet.PortRange
}

// FillPlaceholders completes a live object of a request's kind and namespace. Ports are
// those of Services.
func FillPlaceholders(
	live []byte,
	kind schema.GroupKind,
	namespace string,
	ports utilnet.PortRange,
) (Placeholders, error) {
	l := Placeholders{Live: live, Ports: ports}
	if live == nil {
		return l, nil
	}
	var head struct {
		Metadata struct {
			UID             string `json:"uid"`
			ResourceVersion string `json:"resourceVersion"`
			Namespace       string `json:"namespace"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(live, &head); err != nil {
		return l, fmt.Errorf("read live object: %w", wrongType(err))
	}
	l.uid = head.Metadata.UID == ""
	l.version = head.Metadata.ResourceVersion == ""
	l.namespace = head.Metadata.Namespace == "" && namespace != ""
	l.healthCheck = Allocates(kind) && lacksHealthCheck(live)
	if !l.any() {
		l.Live = withStoredFields(live)
		return l, nil
	}
	object := map[string]any{}
	if err := json.Unmarshal(live, &object); err != nil {
		return l, fmt.Errorf("read live object: %w", err)
	}
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return l, fmt.Errorf("read live object: it has no metadata")
	}
	if l.uid {
		metadata["uid"] = placeholderUID
		if kind == jobs {
			selectPods(object)
		}
	}
	if l.version {
		metadata["resourceVersion"] = placeholderVersion
	}
	if l.namespace {
		metadata["namespace"] = namespace
	}
	if spec, ok := object["spec"].(map[string]any); ok && l.healthCheck {
		spec["healthCheckNodePort"] = int64(ports.Base)
	}
	text, err := json.Marshal(object)
	l.Live = withStoredFields(text)
	return l, err
}

var jobs = schema.GroupKind{Group: "batch", Kind: "Job"}

// selectPods gives a Job without a uid the labels by which it finds its Pods, where its
// selector is empty: those of a new Job are taken back with the uid, and no server stores an
// empty selector (pkg/registry/batch/job/strategy.go, generateSelector).
func selectPods(job map[string]any) {
	selector, found, _ := unstructured.NestedMap(job, "spec", "selector", "matchLabels")
	if !found || len(selector) > 0 {
		return
	}
	labels := []string{batch.ControllerUidLabel, batch.LegacyControllerUidLabel}
	// What is no map there, the server refuses.
	_ = unstructured.SetNestedField(job, placeholderUID, "spec", "selector", "matchLabels", labels[0])
	for _, label := range labels {
		_ = unstructured.SetNestedField(job, placeholderUID, "spec", "template", "metadata", "labels", label)
	}
}

func (l Placeholders) any() bool { return l.uid || l.version || l.namespace || l.healthCheck }

// lacksHealthCheck reports whether a Service needs a port for its health check
// (k8s.io/kubernetes/pkg/api/service, NeedsHealthCheck) and has none: no cluster has such a
// Service, since it allocates the port with the object.
func lacksHealthCheck(live []byte) bool {
	var service struct {
		Spec struct {
			Type                  string `json:"type"`
			ExternalTrafficPolicy string `json:"externalTrafficPolicy"`
			HealthCheckNodePort   int64  `json:"healthCheckNodePort"`
		} `json:"spec"`
	}
	err := json.Unmarshal(live, &service)
	return err == nil && service.Spec.Type == "LoadBalancer" && service.Spec.ExternalTrafficPolicy == "Local" &&
		service.Spec.HealthCheckNodePort == 0
}

// wrongType says which part of an object has another type than it must have,
// in the terms of JSON.
func wrongType(err error) error {
	var wrong *gojson.UnmarshalTypeError
	switch {
	case !errors.As(err, &wrong):
		return err
	case wrong.Field == "":
		return fmt.Errorf("it is no object but of the type %s", wrong.Value)
	}
	return fmt.Errorf(".%s is of the wrong type %s", strings.Trim(wrong.Field, "."), wrong.Value)
}

// TakeBack removes from an answer what only a real server can give: placeholders, generated
// values of a new object, and allocated ones. It reports their paths: they are missing, not
// empty.
func (l Placeholders) TakeBack(call api.Request, r api.Response) (api.Response, error) {
	if r.Code >= 300 && call.Live != nil {
		return r, nil
	}
	same := string(r.Stored) == string(r.Body)
	t := taker{Placeholders: l, call: call, created: call.Live == nil}
	var err error
	if r.Body, err = t.clean(r.Body); err != nil {
		return r, fmt.Errorf("read answer: %w", err)
	}
	if same {
		r.Stored = r.Body
	} else if r.Stored, err = t.clean(r.Stored); err != nil {
		return r, fmt.Errorf("read stored object: %w", err)
	}
	r.ServerValues = t.paths()
	return r, nil
}

// TakeBackNew removes from a new object what only a real server can give, and reports the
// paths, as TakeBack does.
func TakeBackNew(call api.Request, object map[string]any) []string {
	t := taker{call: call, created: true}
	t.cleanObject(object)
	return t.paths()
}

// taker cleans the objects of one answer.
type taker struct {
	Placeholders
	call    api.Request
	created bool
	// uid and name are the generated ones; they may stand in labels too.
	uid, name string
	taken     []string
}

// paths are those of what was taken, sorted.
func (t *taker) paths() []string {
	slices.Sort(t.taken)
	return slices.Compact(t.taken)
}

// Allocates reports whether a kind's objects hold values that a server allocates.
func Allocates(kind schema.GroupKind) bool { return kind == schema.GroupKind{Kind: "Service"} }

func (t *taker) clean(raw []byte) ([]byte, error) {
	if raw == nil || !t.created && !t.any() && !Allocates(t.call.Kind.GroupKind()) {
		return raw, nil
	}
	object := map[string]any{}
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	if object["kind"] == "Status" && object["apiVersion"] == "v1" {
		return raw, nil
	}
	t.cleanObject(object)
	return json.Marshal(object)
}

func (t *taker) cleanObject(object map[string]any) {
	t.metadata(object)
	t.made(object, "")
	if Allocates(t.call.Kind.GroupKind()) {
		t.allocated(object)
	}
	switch {
	case t.created && t.call.Kind.Kind == "CertificateSigningRequest":
		// The server takes who asks from the request's credentials.
		if spec, ok := object["spec"].(map[string]any); ok {
			t.take(spec, ".spec", "username", "uid", "groups", "extra")
		}
	case t.created && t.call.Kind.Kind == "Pod":
		t.tokenVolume(object)
	}
}

func (t *taker) metadata(object map[string]any) {
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		return
	}
	if t.created {
		t.uid, _ = metadata["uid"].(string)
		t.take(metadata, ".metadata", "uid", "resourceVersion", "creationTimestamp")
		if t.call.Name == "" && metadata["generateName"] != nil {
			t.name, _ = metadata["name"].(string)
			t.take(metadata, ".metadata", "name")
		}
	}
	if t.Placeholders.uid {
		t.uid = placeholderUID
		t.take(metadata, ".metadata", "uid")
	}
	if t.version {
		t.take(metadata, ".metadata", "resourceVersion")
	}
	if t.namespace {
		// It is no secret of the server: the object as given goes without.
		delete(metadata, "namespace")
	}
	if metadata["creationTimestamp"] == nil {
		delete(metadata, "creationTimestamp")
	}
}

// made removes the made-up uid and name wherever else they stand (the labels
// by which a Job finds its Pods).
func (t *taker) made(value any, path string) {
	if t.uid == "" && t.name == "" {
		return
	}
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	for key, child := range object {
		if text, ok := child.(string); ok && text != "" && (text == t.uid || text == t.name) {
			t.take(object, path, key)
			continue
		}
		t.made(child, path+"."+key)
	}
}

// allocated removes the placeholders of a Service.
func (t *taker) allocated(object map[string]any) {
	spec, _ := object["spec"].(map[string]any)
	if address, _ := spec["clusterIP"].(string); IsPlaceholderAddress(address) {
		t.take(spec, ".spec", "clusterIP")
	}
	addresses, _ := spec["clusterIPs"].([]any)
	if slices.ContainsFunc(addresses, func(a any) bool { text, _ := a.(string); return IsPlaceholderAddress(text) }) {
		t.take(spec, ".spec", "clusterIPs")
	}
	if t.isPlaceholder(spec["healthCheckNodePort"]) {
		t.take(spec, ".spec", "healthCheckNodePort")
	}
	ports, _ := spec["ports"].([]any)
	for _, item := range ports {
		port, _ := item.(map[string]any)
		if t.isPlaceholder(port["nodePort"]) {
			t.take(port, fmt.Sprintf(".spec.ports[port=%v,protocol=%q]", port["port"], port["protocol"]), "nodePort")
		}
	}
}

func (l Placeholders) isPlaceholder(value any) bool {
	port, ok := value.(int64)
	return ok && l.Ports.Contains(int(port))
}

func (t *taker) take(object map[string]any, path string, keys ...string) {
	for _, key := range keys {
		if _, ok := object[key]; ok {
			delete(object, key)
			t.taken = append(t.taken, path+"."+key)
		}
	}
}

// tokenVolume removes the name of the volume that ServiceAccount admission adds to
// a new Pod, wherever the Pod has it: its end is random.
func (t *taker) tokenVolume(pod map[string]any) {
	spec, _ := pod["spec"].(map[string]any)
	for i, volume := range items(spec, "volumes") {
		name, _ := volume["name"].(string)
		if !strings.HasPrefix(name, serviceaccount.ServiceAccountVolumeName+"-") ||
			bytes.Contains(t.call.Body, []byte(name)) {
			continue
		}
		t.take(volume, fmt.Sprintf(".spec.volumes[%d]", i), "name")
		for _, list := range []string{"initContainers", "containers"} {
			for _, container := range items(spec, list) {
				for i, mount := range items(container, "volumeMounts") {
					if mount["name"] == name {
						t.take(mount, fmt.Sprintf(".spec.%s[name=%q].volumeMounts[%d]", list, container["name"], i), "name")
					}
				}
			}
		}
	}
}

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
