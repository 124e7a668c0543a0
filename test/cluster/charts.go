package main

import "fmt"

// chartDeployment is a Deployment as charts render it: two containers with
// probes and resources, one with a reference to a field whose version is left
// to the server. Its live object has 6 KB of YAML.
var chartDeployment = kind{
	apiVersion: "apps/v1", name: "Deployment", weight: 1, small: true,
	fill: chartSpec, status: deploymentStatus, change: newImage,
}

func smallMetadata(m *maker) object {
	return object{
		"name": m.name(), "namespace": m.namespace(),
		"labels": object{"app": m.name(), "team": pickOf(m.random, teams...)},
	}
}

func smallSpec(m *maker, config object) {
	labels := object{"app": m.name()}
	config["spec"] = object{
		"selector": object{"matchLabels": labels},
		"template": object{
			"metadata": object{"labels": labels},
			"spec": object{"containers": []any{object{
				"name":      "main",
				"image":     fmt.Sprintf("registry.example.com/%s/main:1.%d", m.app(), m.random.IntN(50)),
				"ports":     []any{object{"name": "http", "containerPort": 8080}},
				"env":       []any{object{"name": "MODE", "value": "production"}},
				"resources": object{"requests": object{"cpu": fmt.Sprintf("%dm", 50*(1+m.random.IntN(9))), "memory": "128Mi"}},
			}}},
		},
	}
}

func chartSpec(m *maker, config object) {
	smallSpec(m, config)
	config["spec"].(object)["replicas"] = 2
	pod := config["spec"].(object)["template"].(object)["spec"].(object)
	main := pod["containers"].([]any)[0].(object)
	main["env"] = []any{
		object{"name": "MODE", "value": "production"},
		object{"name": "POD_IP", "valueFrom": object{"fieldRef": object{"fieldPath": "status.podIP"}}},
	}
	for _, probe := range []string{"livenessProbe", "readinessProbe"} {
		main[probe] = object{"httpGet": object{"path": "/healthz", "port": "http"}, "initialDelaySeconds": 5}
	}
	main["resources"].(object)["limits"] = object{"memory": "256Mi"}
	pod["containers"] = append(pod["containers"].([]any), object{
		"name": "proxy", "image": "registry.example.com/proxy:2.4",
		"args":      []any{"--upstream=localhost:8080"},
		"ports":     []any{object{"name": "https", "containerPort": 8443}},
		"resources": object{"requests": object{"cpu": "10m", "memory": "32Mi"}},
	})
}
