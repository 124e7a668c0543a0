package main

import (
	"strings"
	"time"

	"github.com/ssactl/ssactl/internal/report"
)

var written = time.Date(2026, 11, 18, 5, 12, 9, 0, time.UTC)

func target(kind, apiVersion, name string) report.Target {
	return report.Target{APIVersion: apiVersion, Kind: kind, Namespace: "shop", Name: name}
}

func at(file string, line int) *report.Source {
	return &report.Source{File: file, Document: 1, Line: line}
}

// deployment has managed fields entries of a chart, an autoscaler and a
// person.
func deployment(name, image string, replicas int64) map[string]any {
	none := map[string]any{}
	entry := func(manager, operation, subresource string, fields map[string]any) any {
		e := map[string]any{"manager": manager, "operation": operation, "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
			"time": written.Format(time.RFC3339), "fieldsV1": fields}
		if subresource != "" {
			e["subresource"] = subresource
		}
		return e
	}
	containers := func(fields map[string]any) map[string]any {
		return map[string]any{
			"f:template": map[string]any{"f:spec": map[string]any{"f:containers": map[string]any{`k:{"name":"main"}`: fields}}},
		}
	}
	helm := containers(map[string]any{".": none, "f:name": none, "f:image": none, "f:ports": map[string]any{
		`k:{"containerPort":8080,"protocol":"TCP"}`: map[string]any{".": none, "f:containerPort": none}}})
	helm["f:selector"] = none
	return map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{
			"name": name, "namespace": "shop", "labels": map[string]any{"app.kubernetes.io/name": name, "team": "shop"},
			"resourceVersion": "812", "uid": "6a1b4c1e-2f6d-4f5e-9a53-0f3f8c8a2b11", "generation": replicas,
			"managedFields": []any{
				entry(
					"helm",
					"Apply",
					"",
					map[string]any{
						"f:spec":     helm,
						"f:metadata": map[string]any{"f:labels": map[string]any{"f:app.kubernetes.io/name": none, "f:team": none}},
					},
				),
				entry(
					"kustomize-controller",
					"Apply",
					"",
					map[string]any{"f:metadata": map[string]any{"f:labels": map[string]any{"f:team": none}}},
				),
				entry("kube-controller-manager", "Update", "scale", map[string]any{"f:spec": map[string]any{"f:replicas": none}}),
				entry("kubectl-edit", "Update", "", map[string]any{"f:spec": containers(map[string]any{"f:image": none})}),
			},
		},
		"spec": map[string]any{
			"replicas": replicas, "revisionHistoryLimit": int64(10),
			"selector": map[string]any{"matchLabels": map[string]any{"app.kubernetes.io/name": name}},
			"template": map[string]any{"spec": map[string]any{"containers": []any{
				map[string]any{"name": "main", "image": image, "imagePullPolicy": "IfNotPresent",
					"ports": []any{map[string]any{"containerPort": int64(8080), "protocol": "TCP"}}},
			}}},
		},
	}
}

func plain(kind, apiVersion, name string, outcome report.Outcome) report.Result {
	object := deployment(name, "registry.example.com/"+name+":1.4.2", 3)
	object["kind"], object["apiVersion"] = kind, apiVersion
	helm := report.Writer{Manager: "helm", Operation: "Apply", APIVersion: "apps/v1", Time: &written}
	kustomize := report.Writer{Manager: "kustomize-controller", Operation: "Apply", APIVersion: "apps/v1", Time: &written}
	return report.Result{
		Ownership: []report.FieldOwners{{Field: ".metadata.labels.team", Managers: []report.Writer{helm, kustomize}}},
		Target: target(
			kind,
			apiVersion,
			name,
		), Source: *at("shop/"+name+".yaml", 1), Operation: report.Apply, Manager: "helm",
		Outcome: outcome, Code: 200, Live: object, Object: object, LiveSource: at("live.json", 1),
		Confidence: report.Confidence{Level: report.Exact},
	}
}

func configured(name string) report.Result {
	r := plain("Deployment", "apps/v1", name, report.Configured)
	file := r.Source.File
	r.Object = deployment(name, "registry.example.com/"+name+":1.5.0", 3)
	image := `.spec.template.spec.containers[name="main"].image`
	r.Warnings = []string{
		`spec.template.spec.containers[0].env[1]: hides previous definition of "LOG", which may be dropped when using apply`,
	}
	r.Changes = []report.Change{
		{
			Field:  ".metadata.generation",
			Kind:   report.Modified,
			Before: int64(2),
			After:  int64(3),
			Reason: report.ReasonStrategy,
		},
		{
			Field:  image,
			Kind:   report.Modified,
			Before: "registry.example.com/" + name + ":1.4.2",
			After:  "registry.example.com/" + name + ":1.5.0",
			Reason: report.ReasonApplied,
			Source: at(file, 21),
		},
	}
	r.Transfers = []report.Transfer{{Field: image, Manager: "helm", Operation: "Apply", Kind: report.Shared}}
	r.Ownership = append(
		r.Ownership,
		report.FieldOwners{
			Field:    image,
			Managers: []report.Writer{{Manager: "helm", Operation: "Apply", APIVersion: "apps/v1", Time: &written}},
		},
	)
	return r
}

func created(name string) report.Result {
	r := plain("Deployment", "apps/v1", name, report.Created)
	r.Live, r.LiveSource, r.Code = nil, nil, 201
	r.Changes = []report.Change{
		{
			Field:  ".spec.replicas",
			Kind:   report.Added,
			After:  int64(3),
			Reason: report.ReasonApplied,
			Source: at(r.Source.File, 8),
		},
		{Field: ".spec.revisionHistoryLimit", Kind: report.Added, After: int64(10), Reason: report.ReasonDefaulted},
	}
	r.Confidence = report.Confidence{
		Level: report.Partial,
		Notes: []string{
			"The ServiceAccount admission plug-in of a cluster was not simulated: the pods get a token volume there.",
		},
	}
	return r
}

func conflicted(name string) report.Result {
	r := plain("Deployment", "apps/v1", name, report.Conflicted)
	file, image := r.Source.File, `.spec.template.spec.containers[name="main"].image`
	hpa := report.Writer{
		Manager:     "kube-controller-manager",
		Operation:   "Update",
		Subresource: "scale",
		APIVersion:  "apps/v1",
		Time:        &written,
	}
	edit := report.Writer{Manager: "kubectl-edit", Operation: "Update", APIVersion: "apps/v1", Time: &written}
	live, applied := "registry.example.com/"+name+":1.4.2-debug", "registry.example.com/"+name+":1.5.0"
	r.Live, r.Object, r.Code = deployment(name, live, 5), nil, 409
	r.Status = &report.Status{
		Reason:  "Conflict",
		Message: "Apply failed with 2 conflicts: conflicts with \"kube-controller-manager\" with subresource \"scale\" using apps/v1:\n- .spec.replicas\nconflicts with \"kubectl-edit\" using apps/v1:\n- " + image,
	}
	r.Conflicts = []report.Conflict{
		{Field: ".spec.replicas", Writer: hpa, Live: int64(5), Applied: int64(3), Source: at(file, 8)},
		{Field: image, Writer: edit, Live: live, Applied: applied, Source: at(file, 21)},
	}
	r.Ownership = append(
		r.Ownership,
		report.FieldOwners{Field: ".spec.replicas", Managers: []report.Writer{hpa}},
		report.FieldOwners{Field: image, Managers: []report.Writer{edit}},
	)
	r.Forced = &report.Forced{Outcome: report.Configured, Code: 200, Object: deployment(name, applied, 3),
		Changes: []report.Change{
			{
				Field:  ".spec.replicas",
				Kind:   report.Modified,
				Before: int64(5),
				After:  int64(3),
				Reason: report.ReasonApplied,
				Source: at(file, 8),
			},
			{
				Field:  image,
				Kind:   report.Modified,
				Before: live,
				After:  applied,
				Reason: report.ReasonApplied,
				Source: at(file, 21),
			},
		},
		Transfers: []report.Transfer{
			{
				Field:       ".spec.replicas",
				Manager:     "kube-controller-manager",
				Operation:   "Update",
				Subresource: "scale",
				Kind:        report.Overridden,
			},
			{Field: image, Manager: "kubectl-edit", Operation: "Update", Kind: report.Overridden},
		}}
	return r
}

func invalid(name string) report.Result {
	r := plain("CronJob", "batch/v1", name, report.Invalid)
	cause := func(field, message string) any { return map[string]any{"field": field, "message": message} }
	r.Object, r.Code = nil, 422
	r.Status = &report.Status{Reason: "Invalid",
		Message: `CronJob.batch "` + name + `" is invalid: [spec.schedule: Invalid value: "every night": expected exactly 5 fields, found 2: [every night], spec.jobTemplate.spec.template.spec.containers: Required value]`,
		Raw: map[string]any{"details": map[string]any{"causes": []any{
			cause("spec.schedule", `Invalid value: "every night": expected exactly 5 fields, found 2: [every night]`),
			cause("spec.jobTemplate.spec.template.spec.containers", "Required value"),
		}}}}
	return r
}

// settings is a ConfigMap with a file and a value that has no place to break.
func settings() report.Result {
	r := plain("ConfigMap", "v1", "settings", report.Configured)
	object := func(level, token string) map[string]any {
		return map[string]any{
			"apiVersion": "v1",
			"kind":       "ConfigMap",
			"metadata":   map[string]any{"name": "settings", "namespace": "shop"},
			"data": map[string]any{
				"app.conf": "[log]\nlevel = " + level + "\nformat = json\n\n[http]\nport = 8080\n",
				"long":     strings.Repeat(token, 60),
				"あいさつ":     "こんにちは、世界",
			},
		}
	}
	r.Live, r.Object = object("info", "abcdefghij"), object("debug", "abcdefghik")
	r.Changes = []report.Change{
		{
			Field:  `.data.app.conf`,
			Kind:   report.Modified,
			Before: "[log]\nlevel = info\n",
			After:  "[log]\nlevel = debug\n",
			Reason: report.ReasonApplied,
			Source: at(r.Source.File, 6),
		},
		{
			Field:  `.data.long`,
			Kind:   report.Modified,
			Before: strings.Repeat("abcdefghij", 60),
			After:  strings.Repeat("abcdefghik", 60),
			Reason: report.ReasonApplied,
			Source: at(r.Source.File, 12),
		},
	}
	return r
}

// hostileText would show itself in the browser's console, its globals or its
// dialogs if it could act.
const hostileText = "</pre></dd></details></script></style><script>globalThis.acted = 1; alert(1)</script>" +
	"<img src=x onerror=\"globalThis.acted = 1\">' onfocus='globalThis.acted = 1' autofocus=\"\u202e\x1b[2J{{.}}<style>*{display:none}</style><base href=//example.com/>"

func hostile() []report.Result {
	s := hostileText
	r := conflicted(s)
	r.Target, r.Manager, r.Source.File, r.LiveSource.File = report.Target{
		APIVersion: s,
		Kind:       s,
		Namespace:  s,
		Name:       s,
	}, s, s, s
	r.Status.Message, r.Warnings, r.Notices = s, []string{s}, []string{s}
	r.Confidence = report.Confidence{Level: report.Partial, Notes: []string{s}}
	r.Conflicts = []report.Conflict{
		{Field: s, Writer: report.Writer{Manager: s, Operation: s, APIVersion: s}, Live: s, Applied: s, Source: at(s, 1)},
	}
	r.Forced.Object = deployment(s+"2", s, 1)
	accepted := configured(s)
	accepted.Live = map[string]any{s: s, "metadata": map[string]any{}}
	return []report.Result{r, accepted}
}
