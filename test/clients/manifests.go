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
		case value != nil && !isIndex(path[1]):
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

func isIndex(step string) bool {
	_, err := strconv.Atoi(step)
	return err == nil
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
	{"metadata/annotations/note": null{}},
	{"metadata/labels/team": null{}},
	{"metadata/labels": "{}"},
	{"metadata/labels/version": 1},
	{"metadata/finalizers": "[example.com/hold]"},
	{"metadata/ownerReferences": "[{apiVersion: v1, kind: ConfigMap, name: owner, uid: 6b3b2a5e-3a34-4c6d-9c35-3a1f9a4a9d10}]"},
	// What exported objects have.
	{"metadata/resourceVersion": "1"},
	{"metadata/uid": "6b3b2a5e-3a34-4c6d-9c35-3a1f9a4a9d10"},
	{"metadata/generation": 7},
	{"metadata/managedFields": "[]"},
	{"metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration": "old"},
	{"status": "{}"},
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
	{api: "/apis/batch/v1", resource: "jobs", manifest: `
apiVersion: batch/v1
kind: Job
metadata: {name: seed, labels: {team: a}}
spec:
  backoffLimit: 2
  parallelism: 1
  ttlSecondsAfterFinished: 60
  template:
    metadata: {labels: {app: seed}}
    spec:
      restartPolicy: Never
      containers: [{name: job, image: "job:1", command: [run], env: [{name: A, value: "1"}]}]
`, changes: []change{
		{"spec/parallelism": 2}, {"spec/parallelism": nil}, {"spec/suspend": true}, {"spec/ttlSecondsAfterFinished": nil}, {"spec/backoffLimit": nil},
		{"spec/template/spec/containers/0/image": "job:2"}, {"spec/template/spec/restartPolicy": nil}, {"spec/completions": 3},
		{"spec/template/metadata/labels": nil}, {"spec/template/spec/containers/0/env": nil},
	}, edits: []edit{
		{"kubectl-edit", strategic, "", `{"spec":{"suspend":true}}`},
		{"kube-controller-manager", merge, "status", `{"status":{"active":1}}`},
		{"team-b", apply, "", `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"seed"},"spec":{"parallelism":4}}`},
	}},
	{api: "/api/v1", resource: "pods", manifest: `
apiVersion: v1
kind: Pod
metadata: {name: shell, labels: {team: a}}
spec:
  containers: [{name: main, image: "shell:1", command: [sh], ports: [{containerPort: 80}]}]
  tolerations: [{key: a, operator: Exists}]
  terminationGracePeriodSeconds: 5
`, changes: []change{
		{"spec/containers/0/image": "shell:2"}, {"spec/containers/0/command": "[bash]"}, {"spec/tolerations/1": "{key: b, operator: Exists}"}, {"spec/tolerations": nil},
		{"spec/terminationGracePeriodSeconds": nil}, {"spec/activeDeadlineSeconds": 90}, {"spec/containers/1": "{name: more, image: more}"}, {"spec/nodeName": "n1"},
	}, edits: []edit{
		{"kubectl-set", strategic, "", `{"spec":{"containers":[{"name":"main","image":"shell:hot"}]}}`},
		{"kubelet", strategic, "status", `{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`},
	}},
	{api: "/apis/apps/v1", resource: "daemonsets", manifest: `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, labels: {team: a}}
spec:
  selector: {matchLabels: {app: agent}}
  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 2}}
  template:
    metadata: {labels: {app: agent}, annotations: {checksum: one}}
    spec:
      hostNetwork: true
      containers: [{name: agent, image: "agent:1", ports: [{containerPort: 80, hostPort: 80}], envFrom: [{configMapRef: {name: a}}, {secretRef: {name: b}}]}]
      volumes: [{name: var, hostPath: {path: /var}}, {name: conf, configMap: {name: conf}}]
`, changes: []change{
		{"spec/updateStrategy": "{type: OnDelete}"}, {"spec/updateStrategy": nil}, {"spec/template/metadata/annotations/checksum": "two"}, {"spec/template/metadata/annotations": nil},
		{"spec/template/spec/containers/0/envFrom/0": nil}, {"spec/template/spec/volumes/1": nil}, {"spec/template/spec/volumes/0": "{name: var, emptyDir: {}}"},
		{"spec/template/spec/hostNetwork": nil}, {"spec/template/spec/containers/0/ports": nil}, {"spec/template/spec/containers/0/volumeMounts": "[{name: var, mountPath: /var}]"},
		{"spec/template/spec/affinity": "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}"},
	}, edits: []edit{
		{"kubectl-rollout", strategic, "", `{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-01-01T00:00:00Z"}}}}}`},
		{"kubectl-edit", strategic, "", `{"spec":{"template":{"spec":{"volumes":[{"name":"conf","configMap":null,"secret":{"secretName":"s"}}]}}}}`},
		{"team-b", apply, "", `{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"agent"},"spec":{"template":{"spec":{"containers":[{"name":"agent","ports":[{"containerPort":80,"protocol":"TCP","hostPort":81}]}]}}}}`},
	}},
	{api: "/apis/networking.k8s.io/v1", resource: "networkpolicies", manifest: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: allow, labels: {team: a}}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress: [{from: [{podSelector: {}}], ports: [{port: 80}]}]
  policyTypes: [Ingress]
`, changes: []change{
		{"spec/ingress": nil}, {"spec/ingress": "[]"}, {"spec/ingress/0/ports/0/port": "http"}, {"spec/ingress/1": "{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}"},
		{"spec/policyTypes": nil}, {"spec/podSelector": "{}"}, {"spec/egress": "[{}]"},
	}, edits: []edit{
		{"kubectl-edit", strategic, "", `{"spec":{"ingress":[{"ports":[{"port":81}]}]}}`},
		{"kubectl-edit", strategic, "", `{"spec":{"policyTypes":["Ingress","Egress"]}}`},
	}},
	{api: "/apis/policy/v1", resource: "poddisruptionbudgets", manifest: `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, labels: {team: a}}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
`, changes: []change{
		{"spec/minAvailable": nil, "spec/maxUnavailable": "50%"}, {"spec/selector/matchLabels/app": "other"}, {"spec/selector": "{}"}, {"spec/minAvailable": "1"},
		{"spec/unhealthyPodEvictionPolicy": "AlwaysAllow"},
	}, edits: []edit{
		{"kubectl-patch", merge, "", `{"spec":{"selector":{"matchLabels":{"color":"blue"}}}}`},
		{"kubectl-edit", merge, "", `{"spec":{"minAvailable":2}}`},
	}},
	{api: "/api/v1", resource: "serviceaccounts", manifest: `
apiVersion: v1
kind: ServiceAccount
metadata: {name: robot, labels: {team: a}, annotations: {eks.amazonaws.com/role-arn: "arn:a"}}
automountServiceAccountToken: false
imagePullSecrets: [{name: registry}]
secrets: [{name: token}]
`, changes: []change{
		{"imagePullSecrets/1": "{name: other}"}, {"imagePullSecrets": nil}, {"secrets": nil}, {"automountServiceAccountToken": nil}, {"automountServiceAccountToken": true}, {"secrets/0/name": "new"},
	}, edits: []edit{
		{"kubectl-patch", strategic, "", `{"imagePullSecrets":[{"name":"hub"}]}`},
		{"kube-controller-manager", strategic, "", `{"secrets":[{"name":"generated"}]}`},
		{"team-b", apply, "", `{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"robot"},"secrets":[{"name":"b"}]}`},
	}},
	{api: "/apis/storage.k8s.io/v1", resource: "storageclasses", cluster: true, manifest: `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: "", labels: {team: a}}
provisioner: example.com/disk
parameters: {type: ssd}
allowVolumeExpansion: true
mountOptions: [a, b]
`, changes: []change{
		{"parameters/type": "hdd"}, {"allowVolumeExpansion": nil}, {"mountOptions/1": nil}, {"reclaimPolicy": "Retain"}, {"volumeBindingMode": "WaitForFirstConsumer"},
	}, edits: []edit{
		{"kubectl-edit", merge, "", `{"allowVolumeExpansion":false}`},
	}},
	{api: "/apis/scheduling.k8s.io/v1", resource: "priorityclasses", cluster: true, manifest: `
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: "", labels: {team: a}}
value: 1000
globalDefault: false
description: one
`, changes: []change{
		{"value": 2000}, {"description": "two"}, {"description": nil}, {"preemptionPolicy": "Never"}, {"globalDefault": nil},
	}, edits: []edit{
		{"kubectl-edit", merge, "", `{"description":"edited"}`},
	}},
	{api: "/apis/rbac.authorization.k8s.io/v1", resource: "clusterrolebindings", cluster: true, manifest: `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: "", labels: {team: a}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}]
`, changes: []change{
		{"roleRef/name": "edit"}, {"subjects/0/name": "bob"}, {"subjects": nil}, {"subjects/1": "{kind: ServiceAccount, name: default, namespace: default}"},
	}, edits: []edit{
		{"kubectl-edit", merge, "", `{"subjects":[{"kind":"User","name":"eve","apiGroup":"rbac.authorization.k8s.io"}]}`},
	}},
	{api: "/apis/admissionregistration.k8s.io/v1", resource: "validatingwebhookconfigurations", cluster: true, manifest: `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: "", labels: {team: a}, annotations: {cert-manager.io/inject-ca-from: a/b}}
webhooks:
- name: one.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  failurePolicy: Ignore
  clientConfig: {service: {name: hook, namespace: default, path: /one}}
  rules: [{apiGroups: [nothing.example.com], apiVersions: [v1], operations: [CREATE], resources: [things]}]
- name: two.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {service: {name: hook, namespace: default}}
  rules: [{apiGroups: [nothing.example.com], apiVersions: [v1], operations: ["*"], resources: [things]}]
`, changes: []change{
		{"webhooks/1": nil}, {"webhooks/0/clientConfig/caBundle": nil}, {"webhooks/0/failurePolicy": nil}, {"webhooks/0/timeoutSeconds": 5}, {"webhooks/0/rules/0/operations/1": "UPDATE"},
		{"webhooks/0/namespaceSelector": "{matchLabels: {a: b}}"}, {"webhooks/0/name": "renamed.example.com"}, {"webhooks/1/clientConfig/caBundle": "Y2E="},
	}, edits: []edit{
		{"cainjector", strategic, "", `{"webhooks":[{"name":"one.example.com","clientConfig":{"caBundle":"aW5qZWN0ZWQ="}}]}`},
		{"cainjector", strategic, "", `{"webhooks":[{"name":"two.example.com","clientConfig":{"caBundle":"aW5qZWN0ZWQ="}}]}`},
		{"kubectl-edit", strategic, "", `{"webhooks":[{"name":"one.example.com","timeoutSeconds":3}]}`},
	}},
	{api: "/api/v1", resource: "namespaces", cluster: true, manifest: `
apiVersion: v1
kind: Namespace
metadata: {name: "", labels: {team: a}}
`, changes: []change{
		{"metadata/labels/pod-security.kubernetes.io~1enforce": "privileged"}, {"metadata/annotations/owner": "b"}, {"spec": "{finalizers: [kubernetes]}"},
	}, edits: []edit{
		{"kubectl-edit", merge, "", `{"metadata":{"annotations":{"edited":"yes"}}}`},
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
