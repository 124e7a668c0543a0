package walk

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/ssactl/ssactl/test/parity"
)

// worldObject is an object that decides about the writes of a walk. Namespace is
// empty for cluster-scoped ones; Status, where there is one, is written behind it.
type worldObject struct {
	APIVersion, Kind, Resource, Namespace, Name string
	Body, Status                                string
}

const admissionVersion = "admissionregistration.k8s.io/v1"

// classes are those that the bodies of a seed name.
func (s *Seed) classes() []worldObject {
	named := map[string]bool{}
	var found []worldObject
	for _, body := range s.Bodies {
		spec, _ := body["spec"].(map[string]any)
		for field, class := range map[string]worldObject{
			"priorityClassName": {
				APIVersion: "scheduling.k8s.io/v1", Kind: "PriorityClass", Resource: "priorityclasses",
				Body: `"value":1000,"preemptionPolicy":"Never"`,
			},
			"runtimeClassName": {
				APIVersion: "node.k8s.io/v1", Kind: "RuntimeClass", Resource: "runtimeclasses",
				Body: `"handler":"vm","overhead":{"podFixed":{"cpu":"50m"}}`,
			},
		} {
			name, _ := spec[field].(string)
			if strings.HasPrefix(name, Here) && !named[field+name] {
				named[field+name] = true
				class.Name = name
				found = append(found, class)
			}
		}
	}
	slices.SortFunc(found, func(a, b worldObject) int { return strings.Compare(a.Kind+a.Name, b.Kind+b.Name) })
	return found
}

// limits are what a namespace may have: a LimitRange, and a quota that is nearly
// used up.
var limits = []worldObject{
	{APIVersion: "v1", Kind: "LimitRange", Resource: "limitranges", Namespace: Here, Name: "walk",
		Body: `"spec":{"limits":[{"type":"Container","default":{"memory":"256Mi"},"defaultRequest":{"cpu":"10m"},"max":{"cpu":"2"}},{"type":"PersistentVolumeClaim","max":{"storage":"20Gi"}}]}`},
	{
		APIVersion: "v1",
		Kind:       "ResourceQuota",
		Resource:   "resourcequotas",
		Namespace:  Here,
		Name:       "walk",
		Body:       `"spec":{"hard":` + walkQuota + `}`,
		Status:     `{"status":{"hard":` + walkQuota + `,"used":{"pods":"0","requests.cpu":"900m","configmaps":"2","services":"0","services.nodeports":"1","persistentvolumeclaims":"0","count/deployments.apps":"0"}}}`,
	},
}

const walkQuota = `{"pods":"1","requests.cpu":"1","configmaps":"2","services":"2","services.nodeports":"1","persistentvolumeclaims":"1","count/deployments.apps":"1"}`

// policies judge and change what is in the namespace of the walk, of built-in kinds.
var policies = []worldObject{
	{APIVersion: admissionVersion, Kind: "ValidatingAdmissionPolicy", Resource: "validatingadmissionpolicies", Name: Here,
		Body: `"spec":{` + everyWrite + `,"validations":[{"expression":"object == null || !has(object.metadata.annotations) || size(object.metadata.annotations) < 3","messageExpression":"'too many annotations on ' + request.resource.resource","reason":"Forbidden"},{"expression":"object == null || !has(object.metadata.managedFields) || object.metadata.managedFields.size() < 4","message":"too many owners"}]}`},
	{
		APIVersion: admissionVersion,
		Kind:       "ValidatingAdmissionPolicyBinding",
		Resource:   "validatingadmissionpolicybindings",
		Name:       Here,
		Body:       `"spec":{"policyName":"` + Here + `","validationActions":["Deny"]}`,
	},
	{APIVersion: admissionVersion, Kind: "MutatingAdmissionPolicy", Resource: "mutatingadmissionpolicies", Name: Here,
		Body: `"spec":{` + everyWrite + `,"failurePolicy":"Fail","reinvocationPolicy":"IfNeeded","mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":"Object{metadata: Object.metadata{labels: {'walk': request.operation.lowerAscii()}}}"}}]}`},
	{
		APIVersion: admissionVersion,
		Kind:       "MutatingAdmissionPolicyBinding",
		Resource:   "mutatingadmissionpolicybindings",
		Name:       Here,
		Body:       `"spec":{"policyName":"` + Here + `"}`,
	},
}

const everyWrite = `"matchConstraints":{"resourceRules":[{"apiGroups":["*"],"apiVersions":["*"],"operations":["CREATE","UPDATE"],"resources":["*"]}]},"matchConditions":[{"name":"here","expression":"has(request.namespace) && request.namespace == '` + Here + `'"}]`

// levels tighten what Pods of the namespace may do.
var levels = []worldObject{{APIVersion: "v1", Kind: "Namespace", Resource: "namespaces", Name: Here,
	Status: `{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"baseline","pod-security.kubernetes.io/warn":"restricted"}}}`}}

// World is what the cluster has besides, written before a walk: what Pods name, and
// at random limits, policies, and a level of security.
func (w *Walker) World() []parity.Step {
	objects := w.seed.classes()
	if w.seed.Path.Namespace != "" {
		for _, more := range [][]worldObject{limits, levels, policies} {
			// A server takes a minute until apply configurations of policies know the
			// type of a new kind.
			if w.r.IntN(10) == 0 && !(w.Custom && &more[0] == &policies[0]) {
				objects = append(objects, more...)
			}
		}
	}
	var steps []parity.Step
	for _, o := range objects {
		if o.Body != "" {
			head := fmt.Sprintf(`{"apiVersion":%q,"kind":%q,"metadata":{"name":%q},`, o.APIVersion, o.Kind, o.Name)
			steps = append(steps, o.step(w, "create", http.MethodPost, "application/json", head+o.Body+"}"))
		}
		if o.Status != "" {
			steps = append(steps, o.step(w, "patch-merge", http.MethodPatch, "application/merge-patch+json", o.Status))
		}
	}
	return steps
}

// step is a write of the object by the administrator of the walk.
func (o worldObject) step(w *Walker, op, method, contentType, body string) parity.Step {
	here := func(text string) string { return strings.ReplaceAll(text, Here, w.Namespace) }
	root := "/api/"
	if strings.Contains(o.APIVersion, "/") {
		root = "/apis/"
	}
	path := parity.Path{Group: root + o.APIVersion, Resource: o.Resource, Namespace: here(o.Namespace), Name: here(o.Name)}
	url := path.Object("")
	switch {
	case op == "create":
		url = path.Collection()
	case o.Kind == "ResourceQuota":
		url += "/status"
	}
	return parity.Step{
		Op: op, Manager: "walk-admin",
		Target: parity.Target{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: path.Namespace, Name: path.Name},
		Request: parity.HTTPRequest{
			Method: method, Path: url, ContentType: contentType,
			Query: map[string][]string{"fieldManager": {"walk-admin"}}, Body: json.RawMessage(here(body)),
		},
	}
}
