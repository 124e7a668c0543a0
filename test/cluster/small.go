package main

import "fmt"

// smallDeployment is a Deployment as tutorials have it: one container, applied
// by the manager alone, scaled and rolled out by controllers. Its live object
// has 4.2 KB of YAML, half of them managed fields.
var smallDeployment = kind{
	apiVersion: "apps/v1", name: "Deployment", weight: 1, small: true,
	fill: smallSpec, status: smallStatus, change: newImage,
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

func smallStatus(m *maker) error {
	if err := m.write(scalePatch, scaled(m)); err != nil {
		return err
	}
	return deploymentStatus(m)
}
