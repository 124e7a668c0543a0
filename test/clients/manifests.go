package main

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// kind is where the server has a kind, with a manifest of it.
type kind struct {
	api, resource string
	// cluster: its objects are in no namespace, and have the name of one.
	cluster  bool
	manifest string
	// changes are what a later manifest does to it.
	changes []change
	// edits are what others write to the live object.
	edits []edit
}

// path is that of the collection, or of an object in it.
func (k kind) path(namespace string, name ...string) string {
	if k.cluster {
		return strings.Join(append([]string{k.api, k.resource}, name...), "/")
	}
	return strings.Join(append([]string{k.api, "namespaces", namespace, k.resource}, name...), "/")
}

// change is what becomes of fields, by their dotted paths; nil removes one.
type change map[string]any

// edit is a patch by a manager.
type edit struct {
	manager, media, subresource, body string
}

const (
	merge     = "application/merge-patch+json"
	strategic = "application/strategic-merge-patch+json"
	jsonPatch = "application/json-patch+json"
	apply     = "application/apply-patch+yaml"
)

// parsed is a manifest as a map.
func parsed(text string) map[string]any {
	var object map[string]any
	if err := yaml.Unmarshal([]byte(text), &object); err != nil {
		panic(err)
	}
	return object
}

// changed is a copy of an object with a change; fields that are not there stay so.
func changed(object map[string]any, c change) map[string]any {
	out := runtime.DeepCopyJSON(object)
	for path, value := range c {
		steps := strings.Split(path, "/")
		for i := range steps {
			steps[i] = strings.ReplaceAll(steps[i], "~1", "/")
		}
		set(out, steps, value)
	}
	return out
}

// set sets what is at a path, or removes it, and gives the value.
func set(at any, path []string, value any) any {
	switch v := at.(type) {
	case map[string]any:
		switch next, has := v[path[0]]; {
		case len(path) == 1 && value == nil:
			delete(v, path[0])
		case len(path) == 1:
			v[path[0]] = copied(value)
		case has:
			v[path[0]] = set(next, path[1:], value)
		case value != nil:
			v[path[0]] = set(map[string]any{}, path[1:], value)
		}
	case []any:
		i, err := strconv.Atoi(path[0])
		switch {
		case err != nil || i > len(v):
		case i == len(v) && value != nil && len(path) == 1:
			return append(v, copied(value))
		case i == len(v):
		case len(path) > 1:
			v[i] = set(v[i], path[1:], value)
		case value == nil:
			return append(v[:i:i], v[i+1:]...)
		default:
			v[i] = copied(value)
		}
	}
	return at
}

// null is a field that the manifest has as null.
type null struct{}

func copied(value any) any {
	switch v := value.(type) {
	case null:
		return nil
	case string:
		if strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[") {
			var out any
			if err := yaml.Unmarshal([]byte(v), &out); err != nil {
				panic(fmt.Sprint(v, err))
			}
			return out
		}
	case int:
		return int64(v)
	}
	return value
}

// definition is that of the custom resource.
var definition = parsed(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: &schema
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, minimum: 1}
              color: {type: string, default: green}
              model: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: model is immutable}]}
              tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              plain: {type: array, items: {type: string}}
              options: {type: object, additionalProperties: {type: string}}
              parts:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties: {name: {type: string}, count: {type: integer, default: 1}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
  - {name: v1beta1, served: true, storage: false, subresources: {status: {}}, schema: *schema}
`)

// container is the path of the first container of a Deployment.
const container = "spec/template/spec/containers/0/"

// common are changes of any object.
var common = []change{
	{"metadata/labels/tier": "back"},
	{"metadata/labels/team": nil},
	{"metadata/annotations/note": "two"},
	{"metadata/annotations": nil},
	{"metadata/labels": nil},
	{"metadata/creationTimestamp": null{}},
	{"metadata/annotations/note": ""},
}

// commonEdits are edits of any object.
var commonEdits = []edit{
	{"kubectl-label", merge, "", `{"metadata":{"labels":{"team":"ops","extra":"x"}}}`},
	{"kubectl-annotate", merge, "", `{"metadata":{"annotations":{"note":"edited","owner":"me"}}}`},
	{"kubectl-annotate", merge, "", `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVers"}}}`},
	{"kubectl-annotate", merge, "", `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":null}}}`},
	{"deployer", merge, "", `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}\n"}}}`},
	{"manager", jsonPatch, "", `[{"op":"add","path":"/metadata/finalizers","value":["example.com/hold"]}]`},
	{"cleaner", jsonPatch, "", `[{"op":"replace","path":"/metadata/managedFields","value":[{}]}]`},
}

var kinds = []kind{
	{api: "/apis/apps/v1", resource: "deployments", manifest: `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, team: a}, annotations: {note: one}}
spec:
  replicas: 3
  minReadySeconds: 5
  revisionHistoryLimit: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: main
        image: web:1
        env: [{name: A, value: "1"}, {name: B, value: "2"}, {name: C, value: "3"}]
        ports: [{name: http, containerPort: 80}, {name: metrics, containerPort: 9090, protocol: TCP}]
        resources: {requests: {cpu: "0.5", memory: 1024Mi}}
      - {name: sidecar, image: "side:1"}
`, changes: []change{
		{"spec/replicas": 5}, {"spec/replicas": nil}, {"spec/minReadySeconds": nil}, {"spec/revisionHistoryLimit": nil},
		{container + "image": "web:2"}, {container + "env/1": nil}, {container + "env/0/value": "changed"}, {container + "env": nil},
		{container + "env/3": "{name: D, value: four}"}, {container + "env": "[]"}, {container + "env/0": "{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}"},
		{container + "ports/1": nil}, {container + "ports/0/protocol": "TCP"}, {container + "ports/2": "{containerPort: 80, protocol: UDP}"},
		{"spec/template/spec/containers/1": nil}, {container + "resources": nil}, {container + "resources/requests/cpu": "500m"},
		{container + "resources/limits": "{cpu: 1}"},
		{"spec/selector/matchLabels/app": "other", "spec/template/metadata/labels/app": "other"},
		{"spec/strategy": "{type: Recreate}"}, {"spec/paused": true}, {"spec/replica": 3}, {"spec/replicas": -1},
		{"spec/template/spec/containers/0/securityContext": "{}"}, {"spec/template/spec/nodeSelector": "{zone: a}"},
		{"spec/template/spec/volumes": "[{name: tmp, emptyDir: {}}]"}, {"spec/replicas": null{}},
	}, edits: []edit{
		{"kubectl", merge, "scale", `{"spec":{"replicas":7}}`},
		{"kube-controller-manager", merge, "scale", `{"spec":{"replicas":4}}`},
		{"kubectl-set", strategic, "", `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"web:hot"}]}}}}`},
		{"kubectl-set", strategic, "", `{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"set"},{"name":"Z","value":"26"}]}]}}}}`},
		{"kubectl-edit", strategic, "", `{"spec":{"minReadySeconds":9}}`},
		{"kubectl-edit", strategic, "", `{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"B","$patch":"delete"}]}]}}}}`},
		{"kubectl-rollout", strategic, "", `{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-01-01T00:00:00Z"}}}}}`},
		{"injector", strategic, "", `{"spec":{"template":{"spec":{"containers":[{"name":"mesh","image":"mesh:1"}]}}}}`},
		{"kube-controller-manager", merge, "status", `{"status":{"observedGeneration":1,"replicas":3}}`},
		{"team-b", apply, "", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":9}}`},
		{"team-b", apply, "", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labels":{"team":"b"}},"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"B","value":"b"}]}]}}}}`},
	}},
	{api: "/api/v1", resource: "services", manifest: `
apiVersion: v1
kind: Service
metadata: {name: web, labels: {team: a}}
spec:
  selector: {app: web}
  ports:
  - {name: http, port: 80, targetPort: 8080}
  - {name: metrics, port: 9090}
`, changes: []change{
		{"spec/ports/1": nil}, {"spec/ports/0/targetPort": "http"}, {"spec/ports/0/port": 81}, {"spec/ports/2": "{name: more, port: 443, protocol: TCP}"},
		{"spec/ports/0/name": "web"}, {"spec/type": "NodePort"}, {"spec/clusterIP": "None"},
		{"spec/selector": nil}, {"spec/selector/app": "other"}, {"spec/sessionAffinity": "ClientIP"}, {"spec/ports": nil},
		{"spec/ports/2": "{name: dns, port: 80, protocol: UDP}"},
	}, edits: []edit{
		{"kubectl-edit", strategic, "", `{"spec":{"ports":[{"port":80,"targetPort":9999}]}}`},
		{"kubectl-edit", strategic, "", `{"spec":{"type":"NodePort"}}`},
		{"kubectl-patch", merge, "", `{"spec":{"selector":{"color":"blue"}}}`},
		{"team-b", apply, "", `{"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},"spec":{"sessionAffinity":"ClientIP"}}`},
	}},
	{api: "/api/v1", resource: "configmaps", manifest: `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {team: a}, annotations: {note: one}}
data: {a: "1", b: "2", c: "3"}
`, changes: []change{
		{"data/a": "changed"}, {"data/b": nil}, {"data/d": "new"}, {"data": nil}, {"binaryData": "{bin: AAEC}"}, {"data/b": null{}},
		{"dta": "{a: b}"}, {"immutable": true}, {"data/a": 5},
	}, edits: []edit{
		{"kubectl-edit", strategic, "", `{"data":{"a":"edited"}}`},
		{"kubectl-patch", merge, "", `{"data":{"b":null,"extra":"e"}}`},
		{"operator", merge, "", `{"data":{"c":"operator","own":"o"}}`},
		{"kubectl-edit", merge, "", `{"immutable":true}`},
		{"team-b", apply, "", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"},"data":{"a":"team-b","t":"b"}}`},
	}},
	{api: "/api/v1", resource: "secrets", manifest: `
apiVersion: v1
kind: Secret
metadata: {name: token, labels: {team: a}}
type: Opaque
data: {user: YWRtaW4=, pass: c2VjcmV0}
stringData: {url: "http://a"}
`, changes: []change{
		{"data/user": "cm9vdA=="}, {"data/pass": nil}, {"stringData": nil}, {"stringData/url": "http://b"}, {"stringData/pass": "plain"},
		{"type": "example.com/other"}, {"immutable": true}, {"data": nil}, {"type": nil},
	}, edits: []edit{
		{"kubectl-patch", merge, "", `{"data":{"pass":"Y2hhbmdlZA=="}}`},
		{"operator", merge, "", `{"stringData":{"more":"m"}}`},
		{"team-b", apply, "", `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"token"},"data":{"user":"Ym9i"}}`},
	}},
	{api: "/apis/batch/v1", resource: "cronjobs", manifest: `
apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, labels: {team: a}}
spec:
  schedule: "0 3 * * *"
  suspend: false
  successfulJobsHistoryLimit: 2
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        spec:
          restartPolicy: Never
          containers: [{name: job, image: "job:1", args: [a, b]}]
`, changes: []change{
		{"spec/schedule": "0 4 * * *"}, {"spec/suspend": nil}, {"spec/suspend": true}, {"spec/successfulJobsHistoryLimit": nil},
		{"spec/jobTemplate/spec/backoffLimit": nil}, {"spec/jobTemplate/spec/template/spec/containers/0/args": "[b, a, c]"},
		{"spec/jobTemplate/spec/template/spec/containers/0/image": "job:2"}, {"spec/schedule": "never"}, {"spec/concurrencyPolicy": "Forbid"},
	}, edits: []edit{
		{"kubectl-patch", strategic, "", `{"spec":{"suspend":true}}`},
		{"kubectl-edit", strategic, "", `{"spec":{"schedule":"5 5 * * *"}}`},
		{"team-b", apply, "", `{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"nightly"},"spec":{"suspend":true}}`},
	}},
	{api: "/apis/example.com/v1", resource: "widgets", manifest: `
apiVersion: example.com/v1
kind: Widget
metadata: {name: gear, labels: {team: a}}
spec:
  size: 2
  model: x1
  tags: [one, two]
  plain: [a, b]
  options: {fast: "yes", deep: "no"}
  parts: [{name: left, count: 2}, {name: right}]
`, changes: []change{
		{"spec/size": 3}, {"spec/size": nil}, {"spec/size": 0}, {"spec/model": "x2"}, {"spec/tags/1": nil}, {"spec/tags/2": "three"},
		{"spec/plain/0": nil}, {"spec/options/deep": nil}, {"spec/options": nil}, {"spec/parts/1": nil}, {"spec/parts/0/count": 4},
		{"spec/parts/2": "{name: top}"}, {"spec/color": "red"}, {"spec/colour": "red"}, {"spec": "{}"},
		{"apiVersion": "example.com/v1beta1"},
	}, edits: []edit{
		{"kubectl-edit", merge, "", `{"spec":{"size":8}}`},
		{"kubectl-edit", merge, "", `{"spec":{"parts":[{"name":"left","count":9}]}}`},
		{"operator", merge, "", `{"spec":{"color":"blue","options":{"deep":"yes"}}}`},
		{"operator", merge, "status", `{"status":{"ready":true}}`},
		{"team-b", apply, "", `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"gear"},"spec":{"tags":["three"],"parts":[{"name":"left","count":5}]}}`},
	}},
	{api: "/apis/autoscaling/v2", resource: "horizontalpodautoscalers", manifest: `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, labels: {team: a}}
spec:
  minReplicas: 2
  maxReplicas: 6
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
`, changes: []change{
		{"spec/minReplicas": nil}, {"spec/maxReplicas": 9}, {"spec/metrics": nil}, {"spec/maxReplicas": 0},
		{"spec/metrics/0/resource/target/averageUtilization": 50},
	}, edits: []edit{
		{"kubectl-edit", strategic, "", `{"spec":{"maxReplicas":12}}`},
	}},
	{api: "/apis/rbac.authorization.k8s.io/v1", resource: "roles", manifest: `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, labels: {team: a}}
rules:
- {apiGroups: [""], resources: [pods, services], verbs: [get, list]}
- {apiGroups: [apps], resources: [deployments], verbs: [get]}
`, changes: []change{
		{"rules/1": nil}, {"rules/0/verbs/2": "watch"}, {"rules": "[]"}, {"rules/0/verbs": nil},
	}, edits: []edit{
		{"kubectl-edit", strategic, "", `{"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["*"]}]}`},
	}},
	{api: "/apis/rbac.authorization.k8s.io/v1", resource: "rolebindings", manifest: `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, labels: {team: a}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}, {kind: ServiceAccount, name: default, namespace: default}]
`, changes: []change{
		{"roleRef/name": "writer"}, {"subjects/1": nil}, {"subjects/2": "{kind: Group, name: ops, apiGroup: rbac.authorization.k8s.io}"}, {"subjects": nil},
	}, edits: []edit{
		{"kubectl-edit", merge, "", `{"subjects":[{"kind":"User","name":"bob","apiGroup":"rbac.authorization.k8s.io"}]}`},
	}},
	{api: "/apis/rbac.authorization.k8s.io/v1", resource: "clusterroles", cluster: true, manifest: `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "", labels: {team: a}}
rules:
- {apiGroups: [""], resources: [nodes], verbs: [get, list]}
- {nonResourceURLs: [/healthz], verbs: [get]}
`, changes: []change{
		{"rules/1": nil}, {"rules/0/verbs/2": "watch"}, {"rules/0/verbs": nil}, {"aggregationRule": "{clusterRoleSelectors: [{matchLabels: {a: b}}]}"},
	}, edits: []edit{
		{"kubectl-edit", strategic, "", `{"rules":[{"apiGroups":[""],"resources":["nodes"],"verbs":["*"]}]}`},
	}},
	{api: "/apis/networking.k8s.io/v1", resource: "ingresses", manifest: `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, labels: {team: a}, annotations: {note: one}}
spec:
  ingressClassName: nginx
  tls: [{hosts: [a.example.com], secretName: cert}]
  rules:
  - host: a.example.com
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
`, changes: []change{
		{"spec/tls": nil}, {"spec/rules/0/host": "b.example.com"}, {"spec/ingressClassName": nil},
		{"spec/rules/0/http/paths/1": "{path: /api, pathType: Exact, backend: {service: {name: api, port: {name: http}}}}"}, {"spec/rules/0/http/paths/0/pathType": nil},
	}, edits: []edit{
		{"kubectl-edit", strategic, "", `{"spec":{"rules":[{"host":"c.example.com"}]}}`},
		{"cert-manager", merge, "", `{"spec":{"tls":[{"hosts":["a.example.com"],"secretName":"other"}]}}`},
		{"nginx-ingress-controller", merge, "status", `{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.1"}]}}}`},
	}},
	{api: "/api/v1", resource: "persistentvolumeclaims", manifest: `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: disk, labels: {team: a}}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: fast
  resources: {requests: {storage: 1Gi}}
`, changes: []change{
		{"spec/resources/requests/storage": "2Gi"}, {"spec/resources/requests/storage": "1024Mi"}, {"spec/storageClassName": "slow"}, {"spec/accessModes/1": "ReadOnlyMany"},
		{"spec/storageClassName": nil},
	}, edits: []edit{
		{"kube-controller-manager", merge, "", `{"metadata":{"annotations":{"pv.kubernetes.io/bind-completed":"yes"}},"spec":{"volumeName":"pv1"}}`},
	}},
	{api: "/apis/apps/v1", resource: "statefulsets", manifest: `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, labels: {team: a}}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      initContainers: [{name: init, image: "init:1"}]
      containers: [{name: db, image: "db:1", volumeMounts: [{name: data, mountPath: /data}], livenessProbe: {tcpSocket: {port: 5432}}}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`, changes: []change{
		{"spec/replicas": 3}, {"spec/replicas": nil}, {"spec/volumeClaimTemplates/0/spec/resources/requests/storage": "2Gi"}, {"spec/serviceName": "other"},
		{"spec/template/spec/initContainers": nil}, {"spec/template/spec/containers/0/livenessProbe": nil}, {"spec/template/spec/containers/0/image": "db:2"},
		{"spec/template/spec/tolerations": "[{key: a, operator: Exists}]"}, {"spec/podManagementPolicy": "Parallel"},
	}, edits: []edit{
		{"kubectl", merge, "scale", `{"spec":{"replicas":5}}`},
		{"kubectl-set", strategic, "", `{"spec":{"template":{"spec":{"containers":[{"name":"db","image":"db:hot"}]}}}}`},
		{"injector", strategic, "", `{"spec":{"template":{"spec":{"containers":[{"name":"mesh","image":"mesh:1"}]}}}}`},
		{"team-b", apply, "", `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db"},"spec":{"replicas":9}}`},
	}},
}

// kindOf is the kind of an object.
func kindOf(object map[string]any) kind {
	for _, k := range kinds {
		if m := parsed(k.manifest); m["kind"] == object["kind"] {
			return k
		}
	}
	panic(fmt.Sprint("no kind ", object["kind"]))
}
