package main

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/ssactl/ssactl/internal/server/api"
)

// controllerPatch is a write of a controller to the object itself.
var controllerPatch = api.Request{Verb: api.MergePatch, Manager: "kube-controller-manager"}

func configMap(m *maker, config object) {
	data := object{"config.yaml": m.settings(10 + m.random.IntN(60))}
	for i := range m.random.IntN(8) {
		data[fmt.Sprintf("setting-%d", i)] = m.hex(20)
	}
	config["data"] = data
}

// settings is a file of some lines.
func (m *maker) settings(lines int) string {
	var b strings.Builder
	b.WriteString("# Settings of " + m.name() + "\n")
	for i := range lines {
		fmt.Fprintf(&b, "option_%d: \"%s\"\n", i, m.hex(16))
	}
	return b.String()
}

func newSetting(m *maker, config object) {
	config["data"].(object)["config.yaml"] = m.settings(20)
}

func secret(m *maker, config object) {
	config["type"] = "Opaque"
	config["data"] = object{"username": base64.StdEncoding.EncodeToString([]byte(m.app())), "password": m.password()}
}

func (m *maker) password() string { return base64.StdEncoding.EncodeToString([]byte(m.hex(24))) }

func newPassword(m *maker, config object) { config["data"].(object)["password"] = m.password() }

func service(m *maker, config object) {
	ports := []any{object{"name": "http", "port": 80, "targetPort": "http", "protocol": "TCP"}}
	if m.percent(40) {
		ports = append(ports, object{"name": "metrics", "port": 9090, "targetPort": 9090, "protocol": "TCP"})
	}
	config["spec"] = object{"type": "ClusterIP", "selector": m.selector(), "ports": ports}
}

// serviceStatus: most Services get none.
func serviceStatus(*maker) error { return nil }

func ingress(m *maker, config object) {
	host := m.name() + ".example.com"
	annotations(config)["cert-manager.io/cluster-issuer"] = "letsencrypt"
	config["spec"] = object{
		"ingressClassName": "nginx",
		"tls":              []any{object{"hosts": []any{host}, "secretName": m.name() + "-tls"}},
		"rules": []any{object{"host": host, "http": object{"paths": []any{object{
			"path": "/", "pathType": "Prefix",
			"backend": object{"service": object{"name": m.name(), "port": object{"name": "http"}}},
		}}}}},
	}
}

func ingressStatus(m *maker) error {
	return m.updateStatus(
		"nginx-ingress-controller",
		object{"loadBalancer": object{"ingress": []any{object{"ip": "203.0.113.7"}}}},
	)
}

func networkPolicy(m *maker, config object) {
	config["spec"] = object{
		"podSelector": object{"matchLabels": m.selector()},
		"policyTypes": []any{"Ingress"},
		"ingress": []any{object{
			"from": []any{
				object{"namespaceSelector": object{"matchLabels": object{"kubernetes.io/metadata.name": "ingress-nginx"}}},
			},
			"ports": []any{object{"port": 8080, "protocol": "TCP"}},
		}},
	}
}

func role(m *maker, config object) {
	rules := []any{
		object{"apiGroups": []any{""}, "resources": []any{"configmaps", "secrets"}, "verbs": []any{"get", "list", "watch"}},
	}
	for range m.random.IntN(5) {
		rules = append(
			rules,
			object{"apiGroups": []any{"apps"}, "resources": []any{"deployments"}, "verbs": []any{"get", "patch"}},
		)
	}
	config["rules"] = rules
}

func roleBinding(m *maker, config object) {
	subject := object{"kind": "ServiceAccount", "name": m.name(), "namespace": "ns-1"}
	config["subjects"] = []any{subject}
	config["roleRef"] = object{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": m.name()}
}

func autoscaler(m *maker, config object) {
	config["spec"] = object{
		"scaleTargetRef": object{"apiVersion": "apps/v1", "kind": "Deployment", "name": m.name()},
		"minReplicas":    2,
		"maxReplicas":    10 + m.random.IntN(20),
		"metrics": []any{object{"type": "Resource", "resource": object{
			"name": "cpu", "target": object{"type": "Utilization", "averageUtilization": 70},
		}}},
	}
}

func autoscalerStatus(m *maker) error {
	ready := m.condition("AbleToScale", "ReadyForNewScale", "recommended size matches current size")
	delete(ready, "lastUpdateTime")
	return m.updateStatus("kube-controller-manager", object{
		"currentReplicas": 3, "desiredReplicas": 3, "conditions": []any{ready},
		"currentMetrics": []any{object{"type": "Resource", "resource": object{
			"name": "cpu", "current": object{"averageUtilization": 41, "averageValue": "41m"},
		}}},
	})
}

func disruptionBudget(m *maker, config object) {
	config["spec"] = object{"maxUnavailable": 1, "selector": object{"matchLabels": m.selector()}}
}

func disruptionBudgetStatus(m *maker) error {
	return m.updateStatus("kube-controller-manager", object{
		"observedGeneration": 1, "currentHealthy": 3, "desiredHealthy": 2, "disruptionsAllowed": 1, "expectedPods": 3,
	})
}

func redisCluster(m *maker, config object) {
	config["spec"] = object{
		"shards":  3 + m.random.IntN(6),
		"version": "7.2",
		"nodes": []any{
			object{"name": "a", "zone": "eu-1a", "memory": "2Gi"},
			object{"name": "b", "zone": "eu-1b", "memory": "2Gi"},
		},
	}
}

func redisClusterStatus(m *maker) error {
	return m.updateStatus("redis-operator", object{"phase": "Ready", "masters": []any{m.name() + "-0", m.name() + "-1"}})
}

func scrapeTarget(m *maker, config object) {
	config["spec"] = object{
		"selector": object{"matchLabels": m.selector()},
		"endpoints": []any{
			object{"port": "metrics", "interval": fmt.Sprintf("%ds", 10+m.random.IntN(50)), "path": "/metrics"},
		},
	}
}
