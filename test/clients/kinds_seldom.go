package main

// seldomReleased are other kinds.
var seldomReleased = []kind{
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
      containers:
      - name: db
        image: db:1
        volumeMounts: [{name: data, mountPath: /data}]
        livenessProbe: {tcpSocket: {port: 5432}}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`, changes: []change{
		{"spec/replicas": 3}, {"spec/replicas": nil}, {"spec/volumeClaimTemplates/0/spec/resources/requests/storage": "2Gi"},
		{"spec/serviceName": "other"},
		{"spec/template/spec/initContainers": nil}, {"spec/template/spec/containers/0/livenessProbe": nil},
		{"spec/template/spec/containers/0/image": "db:2"},
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
		{"spec/parallelism": 2}, {"spec/parallelism": nil}, {"spec/suspend": true}, {"spec/ttlSecondsAfterFinished": nil},
		{"spec/backoffLimit": nil},
		{"spec/template/spec/containers/0/image": "job:2"}, {"spec/template/spec/restartPolicy": nil},
		{"spec/completions": 3},
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
		{"spec/containers/0/image": "shell:2"}, {"spec/containers/0/command": "[bash]"},
		{"spec/tolerations/1": "{key: b, operator: Exists}"}, {"spec/tolerations": nil},
		{"spec/terminationGracePeriodSeconds": nil}, {"spec/activeDeadlineSeconds": 90},
		{"spec/containers/1": "{name: more, image: more}"}, {"spec/nodeName": "n1"},
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
      containers:
      - name: agent
        image: agent:1
        ports: [{containerPort: 80, hostPort: 80}]
        envFrom: [{configMapRef: {name: a}}, {secretRef: {name: b}}]
      volumes: [{name: var, hostPath: {path: /var}}, {name: conf, configMap: {name: conf}}]
`, changes: []change{
		{"spec/updateStrategy": "{type: OnDelete}"}, {"spec/updateStrategy": nil},
		{"spec/template/metadata/annotations/checksum": "two"}, {"spec/template/metadata/annotations": nil},
		{"spec/template/spec/containers/0/envFrom/0": nil}, {"spec/template/spec/volumes/1": nil},
		{"spec/template/spec/volumes/0": "{name: var, emptyDir: {}}"},
		{"spec/template/spec/hostNetwork": nil}, {"spec/template/spec/containers/0/ports": nil},
		{"spec/template/spec/containers/0/volumeMounts": "[{name: var, mountPath: /var}]"},
		{
			"spec/template/spec/affinity": "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}",
		},
	}, edits: []edit{
		{
			"kubectl-rollout", strategic, "",
			`{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-01-01T00:00:00Z"}}}}}`,
		},
		{
			"kubectl-edit", strategic, "",
			`{"spec":{"template":{"spec":{"volumes":[{"name":"conf","configMap":null,"secret":{"secretName":"s"}}]}}}}`,
		},
		{
			"team-b", apply, "",
			`{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"agent"},"spec":{"template":{"spec":{"containers":[{"name":"agent","ports":[{"containerPort":80,"protocol":"TCP","hostPort":81}]}]}}}}`,
		},
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
		{"spec/ingress": nil}, {"spec/ingress": "[]"}, {"spec/ingress/0/ports/0/port": "http"},
		{"spec/ingress/1": "{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}"},
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
		{
			"spec/minAvailable":   nil,
			"spec/maxUnavailable": "50%",
		}, {"spec/selector/matchLabels/app": "other"}, {"spec/selector": "{}"}, {"spec/minAvailable": "1"},
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
		{"imagePullSecrets/1": "{name: other}"}, {"imagePullSecrets": nil}, {"secrets": nil},
		{"automountServiceAccountToken": nil}, {"automountServiceAccountToken": true}, {"secrets/0/name": "new"},
	}, edits: []edit{
		{"kubectl-patch", strategic, "", `{"imagePullSecrets":[{"name":"hub"}]}`},
		{"kube-controller-manager", strategic, "", `{"secrets":[{"name":"generated"}]}`},
		{
			"team-b", apply, "",
			`{"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"robot"},"secrets":[{"name":"b"}]}`,
		},
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
		{"parameters/type": "hdd"}, {"allowVolumeExpansion": nil}, {"mountOptions/1": nil}, {"reclaimPolicy": "Retain"},
		{"volumeBindingMode": "WaitForFirstConsumer"},
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
		{"roleRef/name": "edit"}, {"subjects/0/name": "bob"}, {"subjects": nil},
		{"subjects/1": "{kind: ServiceAccount, name: default, namespace: default}"},
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
		{"webhooks/1": nil}, {"webhooks/0/clientConfig/caBundle": nil}, {"webhooks/0/failurePolicy": nil},
		{"webhooks/0/timeoutSeconds": 5}, {"webhooks/0/rules/0/operations/1": "UPDATE"},
		{"webhooks/0/namespaceSelector": "{matchLabels: {a: b}}"}, {"webhooks/0/name": "renamed.example.com"},
		{"webhooks/1/clientConfig/caBundle": "Y2E="},
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
		{"metadata/labels/pod-security.kubernetes.io~1enforce": "privileged"}, {"metadata/annotations/owner": "b"},
		{"spec": "{finalizers: [kubernetes]}"},
	}, edits: []edit{
		{"kubectl-edit", merge, "", `{"metadata":{"annotations":{"edited":"yes"}}}`},
	}},
}
