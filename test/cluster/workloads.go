package main

import (
	"fmt"
	"time"
)

func deployment(m *maker, config object) {
	config["spec"] = object{
		"replicas": 1 + m.random.IntN(6),
		"selector": object{"matchLabels": m.selector()},
		"strategy": object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": "25%", "maxUnavailable": 0}},
		"template": m.podTemplate("Always"),
	}
}

func statefulSet(m *maker, config object) {
	config["spec"] = object{
		"replicas":    3,
		"serviceName": m.name(),
		"selector":    object{"matchLabels": m.selector()},
		"template":    m.podTemplate("Always"),
		"volumeClaimTemplates": []any{object{
			"metadata": object{"name": "data"},
			"spec": object{
				"accessModes": []any{"ReadWriteOnce"},
				"resources":   object{"requests": object{"storage": fmt.Sprintf("%dGi", 10+m.random.IntN(90))}},
			},
		}},
	}
}

func daemonSet(m *maker, config object) {
	config["spec"] = object{
		"selector": object{"matchLabels": m.selector()},
		"template": m.podTemplate("Always"),
	}
}

func job(m *maker, config object) {
	config["spec"] = object{"backoffLimit": 3, "template": m.podTemplate("Never")}
}

func cronJob(m *maker, config object) {
	config["spec"] = object{
		"schedule":                   fmt.Sprintf("%d %d * * *", m.random.IntN(60), m.random.IntN(24)),
		"concurrencyPolicy":          "Forbid",
		"successfulJobsHistoryLimit": 3,
		"jobTemplate":                object{"spec": object{"template": m.podTemplate("OnFailure")}},
	}
}

// podTemplate is what the Pods of a workload look like: mostly one container,
// sometimes up to three, as service meshes and log shippers make them.
func (m *maker) podTemplate(restart string) object {
	containers := []any{m.container("main", 0)}
	for i, share := range []int{30, 25} {
		if len(containers) > i && m.percent(share) {
			containers = append(containers, m.container([]string{"sidecar", "exporter"}[i], i+1))
		}
	}
	spec := object{
		"serviceAccountName": m.name(),
		"securityContext":    object{"runAsNonRoot": true, "runAsUser": 1000, "fsGroup": 2000},
		"containers":         containers,
		"volumes": []any{
			object{"name": "config", "configMap": object{"name": m.name()}},
			object{"name": "tmp", "emptyDir": object{}},
		},
		"nodeSelector": object{"kubernetes.io/os": "linux"},
	}
	if restart != "Always" {
		spec["restartPolicy"] = restart
	}
	if m.percent(30) {
		spec["tolerations"] = []any{object{"key": "dedicated", "operator": "Equal", "value": "apps", "effect": "NoSchedule"}}
	}
	if m.percent(40) {
		spec["affinity"] = object{"podAntiAffinity": object{"preferredDuringSchedulingIgnoredDuringExecution": []any{object{
			"weight": 100,
			"podAffinityTerm": object{
				"topologyKey":   "kubernetes.io/hostname",
				"labelSelector": object{"matchLabels": m.selector()},
			},
		}}}}
	}
	return object{
		"metadata": object{
			"labels": object{
				"app.kubernetes.io/instance": m.name(),
				"app.kubernetes.io/name":     m.app(),
				"team":                       pickOf(m.random, teams...),
			},
			"annotations": object{"checksum/config": m.hex(64), "prometheus.io/scrape": "true", "prometheus.io/port": "9090"},
		},
		"spec": spec,
	}
}

func (m *maker) container(name string, number int) object {
	port := 8080 + number
	// The server defaults apiVersion within an atomic map: where it is left
	// out, each apply changes the object and the defaults change it back.
	reference := object{"fieldPath": "metadata.name", "apiVersion": "v1"}
	if m.percent(10) {
		delete(reference, "apiVersion")
	}
	env := []any{
		object{"name": "POD_NAME", "valueFrom": object{"fieldRef": reference}},
		object{"name": "PASSWORD", "valueFrom": object{"secretKeyRef": object{"name": m.name(), "key": "password"}}},
	}
	for i := range 1 + m.random.IntN(5) {
		env = append(env, object{"name": fmt.Sprintf("SETTING_%d", i), "value": "value of " + m.hex(6)})
	}
	probe := object{"httpGet": object{"path": "/healthz", "port": "http"}, "initialDelaySeconds": 5, "periodSeconds": 10}
	container := object{
		"name":  name,
		"image": fmt.Sprintf("registry.example.com/%s/%s:%d.%d", m.app(), name, m.random.IntN(9), m.random.IntN(50)),
		"args":  []any{"--port=" + fmt.Sprint(port), "--log-level=info"},
		"ports": []any{object{"name": "http", "containerPort": port, "protocol": "TCP"}},
		"env":   env,
		"resources": object{
			"requests": object{"cpu": fmt.Sprintf("%dm", 50*(1+m.random.IntN(9))), "memory": "128Mi"},
			"limits":   object{"memory": fmt.Sprintf("%dMi", 200*(1+m.random.IntN(9)))},
		},
		"readinessProbe": probe,
		"volumeMounts": []any{
			object{"name": "config", "mountPath": "/etc/" + m.app(), "readOnly": true},
			object{"name": "tmp", "mountPath": "/tmp"},
		},
		"securityContext": object{"allowPrivilegeEscalation": false, "capabilities": object{"drop": []any{"ALL"}}},
	}
	if number > 0 {
		container["ports"] = []any{object{"name": fmt.Sprintf("http-%d", number), "containerPort": port, "protocol": "TCP"}}
		delete(container, "readinessProbe")
	}
	return container
}

// newImage is a new version of the first container.
func newImage(m *maker, config object) {
	spec := config["spec"].(object)["template"].(object)["spec"].(object)
	spec["containers"].([]any)[0].(object)["image"] = "registry.example.com/" + m.app() + "/main:10." + fmt.Sprint(
		m.random.IntN(100),
	)
}

func deploymentStatus(m *maker) error {
	revision := object{
		"metadata": object{"annotations": object{"deployment.kubernetes.io/revision": fmt.Sprint(1 + m.random.IntN(40))}},
	}
	if err := m.write(controllerPatch, revision); err != nil {
		return err
	}
	n := m.live["spec"].(object)["replicas"]
	return m.updateStatus("kube-controller-manager", object{
		"observedGeneration": m.live["metadata"].(object)["generation"],
		"replicas":           n, "updatedReplicas": n, "readyReplicas": n, "availableReplicas": n,
		"conditions": []any{
			m.condition("Available", "MinimumReplicasAvailable", "Deployment has minimum availability."),
			m.condition(
				"Progressing",
				"NewReplicaSetAvailable",
				fmt.Sprintf("ReplicaSet %q has successfully progressed.", m.name()+"-"+m.hex(10)),
			),
		},
	})
}

func (m *maker) condition(kind, reason, message string) object {
	at := m.now.Format(time.RFC3339)
	return object{
		"type":               kind,
		"status":             "True",
		"reason":             reason,
		"message":            message,
		"lastTransitionTime": at,
		"lastUpdateTime":     at,
	}
}

func statefulSetStatus(m *maker) error {
	n := m.live["spec"].(object)["replicas"]
	revision := m.name() + "-" + m.hex(10)
	return m.updateStatus("kube-controller-manager", object{
		"observedGeneration": 1, "replicas": n, "readyReplicas": n, "currentReplicas": n, "updatedReplicas": n,
		"availableReplicas": n, "currentRevision": revision, "updateRevision": revision, "collisionCount": 0,
	})
}

func daemonSetStatus(m *maker) error {
	n := 3 + m.random.IntN(40)
	return m.updateStatus("kube-controller-manager", object{
		"observedGeneration": 1, "currentNumberScheduled": n, "desiredNumberScheduled": n,
		"numberReady": n, "numberAvailable": n, "updatedNumberScheduled": n, "numberMisscheduled": 0,
	})
}

func jobStatus(m *maker) error {
	return m.updateStatus("kube-controller-manager", object{
		"startTime": m.now.Format(time.RFC3339), "active": 1, "ready": 1, "terminating": 0,
		"uncountedTerminatedPods": object{},
	})
}

func cronJobStatus(m *maker) error {
	return m.updateStatus("kube-controller-manager", object{
		"lastScheduleTime": m.now.Format(time.RFC3339), "lastSuccessfulTime": m.now.Add(time.Minute).Format(time.RFC3339),
	})
}
