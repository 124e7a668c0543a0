package main

// oftenReleased are the kinds of most charts.
var oftenReleased = []kind{
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
		{
			container + "image": "web:2",
		}, {container + "env/1": nil}, {container + "env/0/value": "changed"}, {container + "env": nil},
		{
			container + "env/3": "{name: D, value: four}",
		}, {container + "env": "[]"}, {container + "env/0": "{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}"},
		{
			container + "ports/1": nil,
		}, {container + "ports/0/protocol": "TCP"}, {container + "ports/2": "{containerPort: 80, protocol: UDP}"},
		{"spec/template/spec/containers/1": nil}, {container + "resources": nil},
		{container + "resources/requests/cpu": "500m"},
		{container + "resources/limits": "{cpu: 1}"},
		{"spec/selector/matchLabels/app": "other", "spec/template/metadata/labels/app": "other"},
		{"spec/strategy": "{type: Recreate}"}, {"spec/paused": true}, {"spec/replica": 3}, {"spec/replicas": -1},
		{"spec/template/spec/containers/0/securityContext": "{}"}, {"spec/template/spec/nodeSelector": "{zone: a}"},
		{"spec/template/spec/volumes": "[{name: tmp, emptyDir: {}}]"}, {"spec/replicas": null{}},
	}, edits: []edit{
		{"kubectl", merge, "scale", `{"spec":{"replicas":7}}`},
		{"kube-controller-manager", merge, "scale", `{"spec":{"replicas":4}}`},
		{"kubectl-set", strategic, "", `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"web:hot"}]}}}}`},
		{
			"kubectl-set", strategic, "",
			`{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"set"},{"name":"Z","value":"26"}]}]}}}}`,
		},
		{"kubectl-edit", strategic, "", `{"spec":{"minReadySeconds":9}}`},
		{
			"kubectl-edit", strategic, "",
			`{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"B","$patch":"delete"}]}]}}}}`,
		},
		{
			"kubectl-rollout", strategic, "",
			`{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-01-01T00:00:00Z"}}}}}`,
		},
		{"injector", strategic, "", `{"spec":{"template":{"spec":{"containers":[{"name":"mesh","image":"mesh:1"}]}}}}`},
		{"kube-controller-manager", merge, "status", `{"status":{"observedGeneration":1,"replicas":3}}`},
		{"team-b", apply, "", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":9}}`},
		{
			"team-b", apply, "",
			`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","labels":{"team":"b"}},"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"B","value":"b"}]}]}}}}`,
		},
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
		{"spec/ports/1": nil}, {"spec/ports/0/targetPort": "http"}, {"spec/ports/0/port": 81},
		{"spec/ports/2": "{name: more, port: 443, protocol: TCP}"},
		{"spec/ports/0/name": "web"}, {"spec/type": "NodePort"}, {"spec/clusterIP": "None"},
		{"spec/selector": nil}, {"spec/selector/app": "other"}, {"spec/sessionAffinity": "ClientIP"}, {"spec/ports": nil},
		{"spec/ports/2": "{name: dns, port: 80, protocol: UDP}"},
	}, edits: []edit{
		{"kubectl-edit", strategic, "", `{"spec":{"ports":[{"port":80,"targetPort":9999}]}}`},
		{"kubectl-edit", strategic, "", `{"spec":{"type":"NodePort"}}`},
		{"kubectl-patch", merge, "", `{"spec":{"selector":{"color":"blue"}}}`},
		{
			"team-b", apply, "",
			`{"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},"spec":{"sessionAffinity":"ClientIP"}}`,
		},
	}},
	{api: "/api/v1", resource: "configmaps", manifest: `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, labels: {team: a}, annotations: {note: one}}
data: {a: "1", b: "2", c: "3"}
`, changes: []change{
		{"data/a": "changed"}, {"data/b": nil}, {"data/d": "new"}, {"data": nil}, {"binaryData": "{bin: AAEC}"},
		{"data/b": null{}},
		{"dta": "{a: b}"}, {"immutable": true}, {"data/a": 5},
	}, edits: []edit{
		{"kubectl-edit", strategic, "", `{"data":{"a":"edited"}}`},
		{"kubectl-patch", merge, "", `{"data":{"b":null,"extra":"e"}}`},
		{"operator", merge, "", `{"data":{"c":"operator","own":"o"}}`},
		{"kubectl-edit", merge, "", `{"immutable":true}`},
		{
			"team-b", apply, "",
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"},"data":{"a":"team-b","t":"b"}}`,
		},
	}},
	{api: "/api/v1", resource: "secrets", manifest: `
apiVersion: v1
kind: Secret
metadata: {name: token, labels: {team: a}}
type: Opaque
data: {user: YWRtaW4=, pass: c2VjcmV0}
stringData: {url: "http://a"}
`, changes: []change{
		{"data/user": "cm9vdA=="}, {"data/pass": nil}, {"stringData": nil}, {"stringData/url": "http://b"},
		{"stringData/pass": "plain"},
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
		{"spec/schedule": "0 4 * * *"}, {"spec/suspend": nil}, {"spec/suspend": true},
		{"spec/successfulJobsHistoryLimit": nil},
		{"spec/jobTemplate/spec/backoffLimit": nil}, {"spec/jobTemplate/spec/template/spec/containers/0/args": "[b, a, c]"},
		{"spec/jobTemplate/spec/template/spec/containers/0/image": "job:2"}, {"spec/schedule": "never"},
		{"spec/concurrencyPolicy": "Forbid"},
	}, edits: []edit{
		{"kubectl-patch", strategic, "", `{"spec":{"suspend":true}}`},
		{"kubectl-edit", strategic, "", `{"spec":{"schedule":"5 5 * * *"}}`},
		{
			"team-b", apply, "",
			`{"apiVersion":"batch/v1","kind":"CronJob","metadata":{"name":"nightly"},"spec":{"suspend":true}}`,
		},
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
		{"spec/size": 3}, {"spec/size": nil}, {"spec/size": 0}, {"spec/model": "x2"}, {"spec/tags/1": nil},
		{"spec/tags/2": "three"},
		{"spec/plain/0": nil}, {"spec/options/deep": nil}, {"spec/options": nil}, {"spec/parts/1": nil},
		{"spec/parts/0/count": 4},
		{"spec/parts/2": "{name: top}"}, {"spec/color": "red"}, {"spec/colour": "red"}, {"spec": "{}"},
		{"apiVersion": "example.com/v1beta1"},
	}, edits: []edit{
		{"kubectl-edit", merge, "", `{"spec":{"size":8}}`},
		{"kubectl-edit", merge, "", `{"spec":{"parts":[{"name":"left","count":9}]}}`},
		{"operator", merge, "", `{"spec":{"color":"blue","options":{"deep":"yes"}}}`},
		{"operator", merge, "status", `{"status":{"ready":true}}`},
		{
			"team-b", apply, "",
			`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"gear"},"spec":{"tags":["three"],"parts":[{"name":"left","count":5}]}}`,
		},
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
subjects:
- {kind: User, name: ann, apiGroup: rbac.authorization.k8s.io}
- {kind: ServiceAccount, name: default, namespace: default}
`, changes: []change{
		{"roleRef/name": "writer"}, {"subjects/1": nil},
		{"subjects/2": "{kind: Group, name: ops, apiGroup: rbac.authorization.k8s.io}"}, {"subjects": nil},
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
		{"rules/1": nil}, {"rules/0/verbs/2": "watch"}, {"rules/0/verbs": nil},
		{"aggregationRule": "{clusterRoleSelectors: [{matchLabels: {a: b}}]}"},
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
		{"spec/rules/0/http/paths/1": "{path: /api, pathType: Exact, backend: {service: {name: api, port: {name: http}}}}"},
		{"spec/rules/0/http/paths/0/pathType": nil},
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
		{"spec/resources/requests/storage": "2Gi"}, {"spec/resources/requests/storage": "1024Mi"},
		{"spec/storageClassName": "slow"}, {"spec/accessModes/1": "ReadOnlyMany"},
		{"spec/storageClassName": nil},
	}, edits: []edit{
		{
			"kube-controller-manager", merge, "",
			`{"metadata":{"annotations":{"pv.kubernetes.io/bind-completed":"yes"}},"spec":{"volumeName":"pv1"}}`,
		},
	}},
}
